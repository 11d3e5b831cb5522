package dev.arenakit.tool;

import dev.arenakit.layout.StringType;
import dev.arenakit.layout.StructType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Fields that differ: `[7].price: 9.5 -> 9.75`. Padding does not count, nor what stands in a text behind its end.
final class FieldDifferences implements Differences {
    /// Of a long text, what is searched for its end at once.
    private static final int PIECE = 1 << 12;

    private final DiffReport report;
    private final DataRange one;
    private final DataRange two;
    private final FieldFinder fields;

    FieldDifferences(DiffReport report, StructType struct, DataRange one, DataRange two) {
        this.report = report;
        this.one = one;
        this.two = two;
        fields = new FieldFinder(struct);
    }

    @Override
    public long take(long at, MemorySegment ours, MemorySegment other) throws IOException {
        long size = ours.byteSize();
        for (long i = 0; i < size;) {
            long found = MemorySegment.mismatch(ours, i, size, other, i, size);
            if (found < 0) {
                return at + size;
            }
            i += found;
            boolean counts = fields.find(at + i) && !isBehindText(at, at + i, ours);
            if (counts && report.wants("field")) {
                print(at + i);
            }
            i = fields.end() - at;
            if (i >= size) {
                return fields.end();
            }
        }
        return at + size;
    }

    @Override
    public void finish() {
        // Each field is told when it is found.
    }

    private void print(long at) throws IOException {
        String path = fields.path(at);
        FieldText text = new FieldText(fields, at);
        String before = text.of(one);
        String after = text.of(two);
        // As of numbers that are none, which may be any bits.
        String bytes = before.equals(after)
                ? " (byte 0x%x: %02x -> %02x)".formatted(at, one.bytes(at, 1)[0], two.bytes(at, 1)[0])
                : "";
        report.detail(path + ": " + before, after + bytes);
    }

    /// Whether a text ends before an offset, up to which it is the same on both sides.
    private boolean isBehindText(long windowAt, long at, MemorySegment window) throws IOException {
        if (!(fields.type() instanceof StringType text)) {
            return false;
        }
        int unit = (int) text.unitByteSize();
        long start = fields.start();
        // Not the unit that differs, of which a part may be the same.
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

    private static boolean hasNul(MemorySegment units, int unit) {
        for (long i = 0; i < units.byteSize(); i += unit) {
            if (units.get(JAVA_BYTE, i) == 0 && (unit == 1 || units.get(JAVA_BYTE, i + 1) == 0)) {
                return true;
            }
        }
        return false;
    }
}
