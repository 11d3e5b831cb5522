package dev.arenakit.tool.diff;

import dev.arenakit.collection.BytesLongMap;
import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.tool.where.WhereFilter;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/// Compares the structs of two allocations that have the same value in a field, wherever they are.
final class KeyedComparison implements Closeable {
    /* A map has the key and the place of each struct of the second allocation, in off-heap memory. The structs of the
     * first allocation are then read in their order, and the matching ones of the second one. The second allocation is
     * read again if it has structs that the first one lacks. */

    private static final long MISSING = Long.MIN_VALUE;
    private static final String UNIT = "difference";

    private final DiffReport report;
    private final DiffKey.Field key;
    private final KeyedRows one;
    private final KeyedRows two;
    private final Optional<WhereFilter> filter;
    /// The places by the keys. The complement of a place says that the first allocation has the key.
    private final BytesLongMap places = BytesLongMap.owning(Arena::ofConfined);
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

    /// Reports all differences.
    ///
    /// @param duplicated accepts a message for the first struct of each image whose key an earlier struct has
    void compare(Consumer<String> duplicated, Consumer<String> duplicatedInTwo) throws IOException {
        two.forEach((index, place, bytes) -> {
            byte[] value = key.of(bytes);
            long earlier = places.get(value, MISSING);
            if (earlier == MISSING) {
                places.put(value, place);
            } else {
                // The place of an entry is no index.
                duplicate(bytes, index, two instanceof KeyedRows.Structs ? earlier : -1, duplicatedInTwo);
            }
        });
        finishDuplicates(duplicatedInTwo);
        one.forEach((index, _, bytes) -> compare(index, bytes, duplicated));
        finishDuplicates(duplicated);
        if (found < places.size()) {
            two.forEach((index, place, bytes) -> {
                if (places.get(key.of(bytes), MISSING) == place && accepts(bytes) && report.wants(UNIT)) {
                    report.struct(false, key.label(bytes), index, text(bytes));
                }
            });
        }
    }

    private void compare(long index, MemorySegment bytes, Consumer<String> duplicated) throws IOException {
        byte[] value = key.of(bytes);
        long place = places.get(value, MISSING);
        if (place == MISSING) {
            if (accepts(bytes) && report.wants(UNIT)) {
                report.struct(true, key.label(bytes), index, text(bytes));
            }
            return;
        }
        if (place < 0) {
            duplicate(bytes, index, -1, duplicated);
            return;
        }
        places.put(value, ~place);
        found++;
        MemorySegment other = two.read(place);
        if (!Arrays.equals(key.of(other), value)) {
            throw new IOException("entries were replaced while they were compared: compare them again");
        }
        if (bytes.mismatch(other) >= 0 && (accepts(bytes) || accepts(other))) {
            String label = key.label(bytes);
            new FieldDifferenceFinder(report, key.struct(), ExtentSource.of(bytes), ExtentSource.of(other),
                    Optional.empty(), path -> label + path.substring("[0]".length()),
                    index * key.struct().byteSize()).accept(0, bytes, other);
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

    private void finishDuplicates(Consumer<String> duplicated) {
        if (duplicates > 1) {
            duplicated.accept(duplicates + " structs have a key that an earlier struct has");
        }
        duplicates = 0;
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
        places.close();
    }
}
