package dev.arenakit.tool.diff;

import dev.arenakit.collection.RecordMap;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.tool.where.WhereFilter;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;

import static java.lang.invoke.MethodHandles.lookup;

/// Compares the structs of two allocations that have the same value in a field, wherever they are.
final class KeyedComparison implements Closeable {
    /* A map has the key and the index of each struct of the second allocation, in off-heap memory. The structs of the
     * first allocation are then read in their order, and the matching ones of the second one. The second allocation is
     * read again if it has structs that the first one lacks. */

    private static final RecordMapper<TextDigest> KEYS = RecordMapper.of(lookup(), TextDigest.class);
    private static final RecordMapper<Row> ROWS = RecordMapper.of(lookup(), Row.class);
    private static final LongField FOUND = ROWS.longField("found");
    private static final Row NONE = new Row(-1, 0);
    private static final String UNIT = "difference";

    private final DiffReport report;
    private final DiffKey.Field key;
    private final Rows one;
    private final Rows two;
    private final Optional<WhereFilter> filter;
    private final TextDigest.Maker digests = new TextDigest.Maker();
    private final RecordMap<TextDigest, Row> rows = RecordMap.owning(Arena::ofConfined, KEYS, ROWS);
    private long found;
    private long duplicates;

    /// @param one    the structs of the first allocation
    /// @param filter selects pairs in which one of the structs satisfies a condition, or empty for all structs
    KeyedComparison(DiffReport report, DiffKey.Field key, Rows one, Rows two, Optional<WhereFilter> filter) {
        this.report = report;
        this.key = key;
        this.one = one;
        this.two = two;
        this.filter = filter;
    }

    /// The index of a struct in the second allocation.
    ///
    /// @param found 1 if the first allocation has a struct with the same key, otherwise 0
    record Row(long index, long found) {}

    /// Reports all differences.
    ///
    /// @param duplicated accepts a message for the first struct of each image whose key an earlier struct has
    void compare(Consumer<String> duplicated, Consumer<String> duplicatedInTwo) throws IOException {
        two.forEach((index, bytes) -> {
            TextDigest value = key.key(bytes, digests);
            if (rows.containsKey(value)) {
                duplicate(two, index, rows.get(value, NONE).index(), duplicatedInTwo);
            } else {
                rows.put(value, new Row(index, 0));
            }
        });
        duplicates = finishDuplicates(duplicatedInTwo);
        MemorySegment other = MemorySegment.ofArray(new byte[(int) key.struct().byteSize()]);
        one.forEach((index, bytes) -> compare(index, bytes, other, duplicated));
        duplicates = finishDuplicates(duplicated);
        if (found < rows.size()) {
            two.forEach((index, bytes) -> {
                Row row = rows.get(key.key(bytes, digests), NONE);
                if (row.index() == index && row.found() == 0 && accepts(index, bytes) && report.wants(UNIT)) {
                    report.addedStruct(key.label(two.row(index)), index, text(bytes));
                }
            });
        }
    }

    private void compare(long index, MemorySegment bytes, MemorySegment other, Consumer<String> duplicated)
            throws IOException {
        TextDigest value = key.key(bytes, digests);
        Row row = rows.get(value, NONE);
        if (row.index() < 0) {
            if (accepts(index, bytes) && report.wants(UNIT)) {
                report.goneStruct(key.label(one.row(index)), index, text(bytes));
            }
            return;
        }
        if (row.found() != 0) {
            duplicate(one, index, -1, duplicated);
            return;
        }
        rows.setLong(FOUND, value, 1);
        found++;
        two.read(row.index(), other);
        if (bytes.mismatch(other) >= 0 && (accepts(index, bytes) || accepts(row.index(), other))) {
            ComparedRange ours = one.row(index);
            String label = key.label(ours);
            FieldDifferenceFinder finder = new FieldDifferenceFinder(report, key.struct(), ours, two.row(row.index()),
                    path -> label + path.substring("[0]".length()), index * key.struct().byteSize());
            finder.accept(0, bytes, other);
            finder.finish();
        }
    }

    /// @param earlier the index of the struct that has the same key, or -1 if it is not known
    private void duplicate(Rows rows, long index, long earlier, Consumer<String> duplicated) throws IOException {
        if (duplicates++ == 0) {
            duplicated.accept("key " + key.label(rows.row(index)) + " is used twice, again at [" + index + "]"
                    + (earlier < 0 ? "" : " after [" + earlier + "]") + "; the first struct of a key is compared");
        }
    }

    private long finishDuplicates(Consumer<String> duplicated) {
        if (duplicates > 1) {
            duplicated.accept(duplicates + " structs have a key that an earlier struct has");
        }
        return 0;
    }

    private boolean accepts(long index, MemorySegment bytes) {
        return filter.isEmpty() || filter.get().test(index, bytes);
    }

    /// The fields of a struct, without its index: `{ id = 7, price = 9.5 }`.
    private String text(MemorySegment bytes) {
        String text = LayoutDump.of(key.struct()).toString(bytes).strip();
        return text.startsWith("[0] ") ? text.substring("[0] ".length()) : text;
    }

    @Override
    public void close() {
        rows.close();
    }

    /// Accepts a struct, whose bytes are valid until the method returns.
    @FunctionalInterface
    interface RowConsumer {
        void accept(long index, MemorySegment bytes) throws IOException;
    }

    /// The structs of an allocation.
    ///
    /// @param count     the number of structs
    /// @param isCounted whether the image has recorded the number; otherwise, structs of zeros count as not stored
    record Rows(ComparedRange range, long structByteSize, long count, boolean isCounted) {
        private static final int WINDOW = 1 << 17;

        void forEach(RowConsumer consumer) throws IOException {
            long step = Math.max(1, WINDOW / structByteSize);
            MemorySegment window = MemorySegment.ofArray(new byte[(int) (step * structByteSize)]);
            MemorySegment zeros = MemorySegment.ofArray(new byte[(int) structByteSize]);
            for (long index = 0; index < count;) {
                if (!isCounted) {
                    index = Math.max(index, Math.min(count, range.nextData(index * structByteSize) / structByteSize));
                }
                long here = Math.min(step, count - index);
                MemorySegment bytes = window.asSlice(0, here * structByteSize);
                if (here > 0) {
                    range.read(index * structByteSize, bytes);
                }
                for (long i = 0; i < here; i++) {
                    MemorySegment struct = bytes.asSlice(i * structByteSize, structByteSize);
                    if (isCounted || struct.mismatch(zeros) >= 0) {
                        consumer.accept(index + i, struct);
                    }
                }
                index += here;
            }
        }

        void read(long index, MemorySegment into) throws IOException {
            range.read(index * structByteSize, into);
        }

        /// The bytes of one struct.
        ComparedRange row(long index) {
            return range.slice(index * structByteSize, structByteSize);
        }
    }
}
