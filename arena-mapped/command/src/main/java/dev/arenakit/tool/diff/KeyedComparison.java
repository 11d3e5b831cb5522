package dev.arenakit.tool.diff;

import dev.arenakit.collection.BytesLongMap;
import dev.arenakit.dump.ExtentSource;
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
    private boolean hasDuplicate;

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
            if (places.get(value, MISSING) == MISSING) {
                places.put(value, place);
            } else {
                duplicate(bytes, index, duplicatedInTwo);
            }
        });
        hasDuplicate = false;
        one.forEach((index, _, bytes) -> compare(index, bytes, duplicated));
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
            duplicate(bytes, index, duplicated);
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

    private void duplicate(MemorySegment bytes, long index, Consumer<String> duplicated) throws IOException {
        if (!hasDuplicate) {
            hasDuplicate = true;
            duplicated.accept("key " + key.label(bytes) + " is used twice, again at [" + index
                    + "]; the first struct of a key is compared");
        }
    }

    private boolean accepts(MemorySegment bytes) {
        return filter.isEmpty() || filter.get().test(bytes);
    }

    private String text(MemorySegment bytes) throws IOException {
        return FieldValueText.of(key.struct(), 0).in(ExtentSource.of(bytes));
    }

    @Override
    public void close() {
        places.close();
    }
}
