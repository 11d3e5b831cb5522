package dev.arenakit.tool.ls;

import dev.arenakit.tool.image.DiskUsage;
import java.util.Comparator;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// The column by which a list is sorted: names in ascending order, numbers in descending order.
enum LsOrder {
    NAME, SIZE, DISK, EXTENTS;

    <T> Comparator<T> comparator(Function<T, String> name, Function<T, DiskUsage> usage) {
        ToLongFunction<DiskUsage> number = switch (this) {
            case NAME -> _ -> 0;
            case SIZE -> DiskUsage::byteSize;
            case DISK -> found -> found.storedByteSize().orElse(0);
            case EXTENTS -> found -> found.extents().orElse(0);
        };
        return Comparator.comparing(usage, Comparator.comparingLong(number).reversed()).thenComparing(name);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
