package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.FieldLocation;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.where.WhereFilter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.UnaryOperator;

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
                    && !(isAfterEnd(field, differs, one) && isAfterEnd(field, differs, two))
                    && report.wants("field")) {
                print(field.path(), FieldValueText.of(field, differs), differs);
            }
        }
    }

    private boolean accepts(long index, ExtentSource source) throws IOException {
        return filter.orElseThrow()
                .test(RangeComparison.read(source, index * struct.byteSize(), struct.byteSize()));
    }

    /// Prints the bit fields that differ. Differences in bits outside all fields are ignored, as in padding.
    private void printBitFields(FieldLocation location) throws IOException {
        for (Member bitField : location.bitFields()) {
            FieldValueText text = FieldValueText.of(bitField.type(), location.structOffset() + bitField.byteOffset());
            if (!text.in(one).equals(text.in(two)) && report.wants("field")) {
                print(location.path(bitField), text, location.byteOffset());
            }
        }
    }

    private void print(String path, FieldValueText text, long at) throws IOException {
        String before = text.in(one);
        String after = text.in(two);
        // Different bits may have the same text: NaN has many bit patterns.
        String bytes = before.equals(after)
                ? "byte 0x%x: %s -> %s".formatted(at, RangeComparison.hex(one, at, 1), RangeComparison.hex(two, at, 1))
                : "";
        report.field(paths.apply(path), origin + at, before, after, bytes);
    }

    /// Whether a string ends before an offset.
    private static boolean isAfterEnd(FieldLocation field, long at, ExtentSource source) throws IOException {
        if (!(field.type() instanceof StringType text) || at < field.byteOffset() + text.prefixByteSize()) {
            return false;
        }
        long unit = text.unitByteSize();
        long byteSize = text.prefixByteSize()
                + ((at - field.byteOffset() - text.prefixByteSize()) / unit + 1) * unit;
        MemorySegment beginning = RangeComparison.read(source, field.byteOffset(), Math.min(byteSize, MAX_STRING));
        return text.prefixByteSize() + text.codeUnits(beginning).byteSize() < beginning.byteSize();
    }
}
