package dev.arenakit.tool.diff;

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
    /// The end of a long string is searched in pieces of this many bytes.
    private static final int PIECE = 1 << 12;

    private final DiffReport report;
    private final ComparedBytes one;
    private final ComparedBytes two;
    private final StructType struct;
    /// A condition on the structs whose differences are reported, or empty for all.
    private final Optional<Predicate> predicate;
    private final UnaryOperator<String> paths;
    /// The offset of the compared bytes in the first allocation.
    private final long origin;

    FieldDifferenceFinder(DiffReport report, StructType struct, ComparedBytes one, ComparedBytes two,
            Optional<Predicate> predicate) {
        this(report, struct, one, two, predicate, UnaryOperator.identity(), 0);
    }

    /// Compares two structs at any places.
    ///
    /// @param paths  names the structs in a path, which begins with `[0]`
    /// @param origin the offset of the struct in the first allocation
    FieldDifferenceFinder(DiffReport report, StructType struct, ComparedBytes one, ComparedBytes two,
            UnaryOperator<String> paths, long origin) {
        this(report, struct, one, two, Optional.empty(), paths, origin);
    }

    private FieldDifferenceFinder(DiffReport report, StructType struct, ComparedBytes one, ComparedBytes two,
            Optional<Predicate> predicate, UnaryOperator<String> paths, long origin) {
        this.predicate = predicate;
        this.paths = paths;
        this.origin = origin;
        this.report = report;
        this.one = one;
        this.two = two;
        this.struct = struct;
    }

    @Override
    public long accept(long at, MemorySegment ours, MemorySegment other) throws IOException {
        long size = ours.byteSize();
        for (long i = 0; i < size;) {
            long found = MemorySegment.mismatch(ours, i, size, other, i, size);
            if (found < 0) {
                return at + size;
            }
            i += found;
            if (predicate.isPresent() && !predicate.get().accepts(at + i)) {
                i = ((at + i) / struct.byteSize() + 1) * struct.byteSize() - at;
                if (i >= size) {
                    return at + i;
                }
                continue;
            }
            FieldLocation field = FieldLocation.of(struct, at + i);
            if (!field.bitFields().isEmpty()) {
                printBitFields(field);
            } else if (!field.isPadding() && !isAfterEndOfString(field, at, at + i, ours)
                    && report.wants("field")) {
                print(field.path(), new FieldValueText(field, at + i), at + i);
            }
            i = field.byteOffset() + field.byteSize() - at;
            if (i >= size) {
                return at + i;
            }
        }
        return at + size;
    }

    @Override
    public void finish() {
        // Each field is printed when it is found.
    }

    /// Prints the bit fields that differ. Differences in bits outside all fields are ignored, as in padding.
    private void printBitFields(FieldLocation location) throws IOException {
        for (Member bitField : location.bitFields()) {
            FieldValueText text = new FieldValueText(location, bitField);
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
                ? "byte 0x%x: %02x -> %02x".formatted(at, one.bytes(at, 1)[0], two.bytes(at, 1)[0])
                : "";
        report.field(paths.apply(path), origin + at, before, after, bytes);
    }

    /// Whether a string ends before an offset. Both images have the same bytes before that offset.
    private boolean isAfterEndOfString(FieldLocation field, long windowAt, long at, MemorySegment window)
            throws IOException {
        if (!(field.type() instanceof StringType text) || text.padding() != StringType.Padding.NUL) {
            return false;
        }
        if (text.prefixByteSize() > 0) {
            return isBeyondLength(field, text, at);
        }
        int unit = (int) text.unitByteSize();
        long start = field.byteOffset();
        // The search ends before the code unit that differs, even if the first byte of that unit is equal.
        long end = start + (at - start) / unit * unit;
        if (start >= windowAt) {
            return hasNul(window.asSlice(start - windowAt, end - start), unit);
        }
        for (long from = start; from < end; from += PIECE) {
            byte[] piece = one.bytes(from, (int) Math.min(PIECE, end - from));
            if (hasNul(MemorySegment.ofArray(piece), unit)) {
                return true;
            }
        }
        return false;
    }

    /// Whether an offset is beyond the end of a text, according to the length that precedes it. Both images have the
    /// same length if the length is stored before the offset.
    private boolean isBeyondLength(FieldLocation field, StringType text, long at) throws IOException {
        long start = field.byteOffset() + text.prefixByteSize();
        if (at < start) {
            return false;
        }
        byte[] prefix = one.bytes(field.byteOffset(), text.prefixByteSize());
        long length = 0;
        for (int i = 0; i < prefix.length; i++) {
            int index = text.prefixOrder() == ByteOrder.BIG_ENDIAN ? i : prefix.length - 1 - i;
            length = (length << Byte.SIZE) | (prefix[index] & 0xff);
        }
        return at - start >= length * text.unitByteSize();
    }

    private static boolean hasNul(MemorySegment units, int unit) {
        for (long i = 0; i < units.byteSize(); i += unit) {
            if (units.get(JAVA_BYTE, i) == 0 && (unit == 1 || units.get(JAVA_BYTE, i + 1) == 0)) {
                return true;
            }
        }
        return false;
    }

    /// A predicate on the structs of two allocations. The structs at an index are compared if either of them satisfies
    /// it.
    static final class Predicate {
        private final WhereFilter filter;
        private final ComparedBytes one;
        private final ComparedBytes two;
        private final MemorySegment bytes;
        private long lastIndex = -1;
        private boolean isLastAccepted;

        /// @param struct the type that the predicate applies to
        Predicate(WhereFilter filter, StructType struct, ComparedBytes one, ComparedBytes two) {
            this.filter = filter;
            this.one = one;
            this.two = two;
            bytes = MemorySegment.ofArray(new byte[(int) struct.byteSize()]);
        }

        /// Whether the struct that contains an offset is compared.
        boolean accepts(long byteOffset) throws IOException {
            long index = byteOffset / bytes.byteSize();
            if (index != lastIndex) {
                isLastAccepted = accepts(index, one) || accepts(index, two);
                lastIndex = index;
            }
            return isLastAccepted;
        }

        private boolean accepts(long index, ComparedBytes range) throws IOException {
            range.read(index * bytes.byteSize(), bytes);
            return filter.test(bytes);
        }
    }
}
