package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.FieldLocation;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.where.WhereFilter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.UnaryOperator;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Finds fields that differ: `[7].price: 9.5 -> 9.75`. Padding is ignored, and so is the rest of a string after its
/// NUL or its length.
final class FieldDifferenceFinder implements RangeComparison.DifferenceFinder {
    /// The end of a string is searched in this many bytes. Nobody reads a longer string.
    private static final long MAX_STRING = 1 << 24;

    private final DiffReport report;
    private final ExtentSource one;
    private final ExtentSource two;
    private final StructType struct;
    /// A condition on the structs: a pair is compared if either of them satisfies it.
    private final Optional<WhereFilter> filter;
    private final UnaryOperator<String> paths;
    /// The offset of the compared bytes in the first allocation.
    private final long origin;
    /// The offset of the next field to compare.
    private long next;

    /// @param paths  names the structs in a path, which begins with `[0]`
    /// @param origin the offset of the structs in the first allocation
    FieldDifferenceFinder(DiffReport report, StructType struct, ExtentSource one, ExtentSource two,
            Optional<WhereFilter> filter, UnaryOperator<String> paths, long origin) {
        this.report = report;
        this.struct = struct;
        this.one = one;
        this.two = two;
        this.filter = filter;
        this.paths = paths;
        this.origin = origin;
    }

    @Override
    public void accept(long at, MemorySegment ours, MemorySegment other) throws IOException {
        long size = ours.byteSize();
        for (long i = Math.max(0, next - at); i < size; i = next - at) {
            long found = MemorySegment.mismatch(ours, i, size, other, i, size);
            if (found < 0) {
                return;
            }
            long differs = at + i + found;
            long index = differs / struct.byteSize();
            if (filter.isPresent() && !accepts(index, one) && !accepts(index, two)) {
                next = (index + 1) * struct.byteSize();
                continue;
            }
            FieldLocation field = FieldLocation.of(struct, differs);
            next = field.byteOffset() + field.byteSize();
            if (!field.bitFields().isEmpty()) {
                printBitFields(field);
            } else if (!field.isPadding()
                    && !(isAfterEnd(field, differs, at, ours, one) && isAfterEnd(field, differs, at, other, two))
                    && report.wants("field")) {
                print(field.path(), new FieldValueText(field, differs), differs);
            }
        }
    }

    private boolean accepts(long index, ExtentSource source) throws IOException {
        int byteSize = (int) struct.byteSize();
        return filter.orElseThrow()
                .test(MemorySegment.ofArray(RangeComparison.bytes(source, index * byteSize, byteSize)));
    }

    /// Prints the bit fields that differ. Differences in bits outside all fields are ignored, as in padding.
    private void printBitFields(FieldLocation location) throws IOException {
        for (Member bitField : location.bitFields()) {
            FieldValueText text = new FieldValueText(bitField.type(), location.structOffset() + bitField.byteOffset());
            if (!text.of(one).equals(text.of(two)) && report.wants("field")) {
                print(location.path(bitField), text, location.byteOffset());
            }
        }
    }

    private void print(String path, FieldValueText text, long at) throws IOException {
        String before = text.of(one);
        String after = text.of(two);
        // Different bits may have the same text: NaN has many bit patterns.
        String bytes = before.equals(after)
                ? "byte 0x%x: %02x -> %02x".formatted(at, RangeComparison.bytes(one, at, 1)[0],
                        RangeComparison.bytes(two, at, 1)[0])
                : "";
        report.field(paths.apply(path), origin + at, before, after, bytes);
    }

    /// Whether a string ends before an offset.
    ///
    /// @param piece a piece of the allocation, at `pieceAt`
    private static boolean isAfterEnd(FieldLocation field, long at, long pieceAt, MemorySegment piece,
            ExtentSource source) throws IOException {
        if (!(field.type() instanceof StringType text) || at < field.byteOffset() + text.prefixByteSize()) {
            return false;
        }
        long start = field.byteOffset() - pieceAt;
        long unit = text.unitByteSize();
        long byteSize = text.prefixByteSize()
                + ((at - field.byteOffset() - text.prefixByteSize()) / unit + 1) * unit;
        MemorySegment beginning = start >= 0 && start + byteSize <= piece.byteSize()
                ? piece.asSlice(start, byteSize)
                : MemorySegment.ofArray(RangeComparison.bytes(source, field.byteOffset(),
                        (int) Math.min(byteSize, MAX_STRING)));
        return text.prefixByteSize() + contents(beginning, text).byteSize() < beginning.byteSize();
    }

    /// The bytes of a string, without its length before them, and without what is after its end.
    static MemorySegment contents(MemorySegment field, StringType text) {
        long unit = text.unitByteSize();
        long start = text.prefixByteSize();
        long end = field.byteSize();
        if (start > 0) {
            long length = 0;
            for (long i = 0; i < start; i++) {
                long index = text.prefixOrder() == ByteOrder.BIG_ENDIAN ? i : start - 1 - i;
                length = (length << Byte.SIZE) | (field.get(JAVA_BYTE, index) & 0xff);
            }
            return field.asSlice(start, Math.clamp(length, 0, (end - start) / unit) * unit);
        }
        for (long at = 0; text.padding() == StringType.Padding.NUL && at < end; at += unit) {
            boolean isNul = true;
            for (long i = 0; i < unit; i++) {
                isNul &= field.get(JAVA_BYTE, at + i) == 0;
            }
            if (isNul) {
                return field.asSlice(0, at);
            }
        }
        return field;
    }
}
