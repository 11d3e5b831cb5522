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
    private static final Row NONE = new Row(-1, -1, 0);
    private static final String UNIT = "difference";

    private final DiffReport report;
    private final DiffKey.Field key;
    private final KeyedRows one;
    private final KeyedRows two;
    private final Optional<WhereFilter> filter;
    private final TextDigest.Maker digests = new TextDigest.Maker();
    private final RecordMap<TextDigest, Row> rows = RecordMap.owning(Arena::ofConfined, KEYS, ROWS);
    private long found;
    private long duplicates;

    /// @param one    the structs of the first allocation
    /// @param filter selects pairs in which one of the structs satisfies a condition, or empty for all structs
    KeyedComparison(DiffReport report, DiffKey.Field key, KeyedRows one, KeyedRows two, Optional<WhereFilter> filter) {
        this.report = report;
        this.key = key;
        this.one = one;
        this.two = two;
        this.filter = filter;
    }

    /// A struct of the second allocation.
    ///
    /// @param place says where it can be read again
    /// @param found 1 if the first allocation has a struct with the same key, otherwise 0
    record Row(long index, long place, long found) {}

    /// Reports all differences.
    ///
    /// @param duplicated accepts a message for the first struct of each image whose key an earlier struct has
    void compare(Consumer<String> duplicated, Consumer<String> duplicatedInTwo) throws IOException {
        two.forEach((index, place, bytes) -> {
            TextDigest value = key.key(bytes, digests);
            if (rows.containsKey(value)) {
                duplicate(bytes, index, rows.get(value, NONE).index(), duplicatedInTwo);
            } else {
                rows.put(value, new Row(index, place, 0));
            }
        });
        duplicates = finishDuplicates(duplicatedInTwo);
        MemorySegment other = MemorySegment.ofArray(new byte[(int) key.struct().byteSize()]);
        one.forEach((index, _, bytes) -> compare(index, bytes, other, duplicated));
        duplicates = finishDuplicates(duplicated);
        if (found < rows.size()) {
            two.forEach((index, place, bytes) -> {
                Row row = rows.get(key.key(bytes, digests), NONE);
                if (row.place() == place && row.found() == 0 && accepts(bytes) && report.wants(UNIT)) {
                    report.addedStruct(key.label(bytes), index, text(bytes));
                }
            });
        }
    }

    private void compare(long index, MemorySegment bytes, MemorySegment other, Consumer<String> duplicated)
            throws IOException {
        TextDigest value = key.key(bytes, digests);
        Row row = rows.get(value, NONE);
        if (row.index() < 0) {
            if (accepts(bytes) && report.wants(UNIT)) {
                report.goneStruct(key.label(bytes), index, text(bytes));
            }
            return;
        }
        if (row.found() != 0) {
            duplicate(bytes, index, -1, duplicated);
            return;
        }
        rows.setLong(FOUND, value, 1);
        found++;
        two.read(row.place(), other);
        if (!key.key(other, digests).equals(value)) {
            throw new IOException("entries were replaced while they were compared: compare them again");
        }
        if (bytes.mismatch(other) >= 0 && (accepts(bytes) || accepts(other))) {
            String label = key.label(bytes);
            FieldDifferenceFinder finder = new FieldDifferenceFinder(report, key.struct(), ComparedBytes.of(bytes),
                    ComparedBytes.of(other), path -> label + path.substring("[0]".length()),
                    index * key.struct().byteSize());
            finder.accept(0, bytes, other);
            finder.finish();
        }
    }

    /// @param earlier the index of the struct that has the same key, or -1 if it is not known
    private void duplicate(MemorySegment bytes, long index, long earlier, Consumer<String> duplicated)
            throws IOException {
        if (duplicates++ == 0) {
            duplicated.accept("key " + key.label(bytes) + " is used twice, again at [" + index + "]"
                    + (earlier < 0 ? "" : " after [" + earlier + "]") + "; the first struct of a key is compared");
        }
    }

    private long finishDuplicates(Consumer<String> duplicated) {
        if (duplicates > 1) {
            duplicated.accept(duplicates + " structs have a key that an earlier struct has");
        }
        return 0;
    }

    private boolean accepts(MemorySegment bytes) {
        return filter.isEmpty() || filter.get().test(bytes);
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
}
