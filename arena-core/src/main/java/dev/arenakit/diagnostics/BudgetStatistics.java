package dev.arenakit.diagnostics;

import dev.arenakit.internal.Sizes;

/// The bytes of a [MemoryBudget] and of the budgets below it at one moment, and what has happened so far.
///
/// @param path             the names from the root to the budget, such as `service/request`
/// @param openArenas       the number of wrapped arenas, and of arenas of free lists, that are open on this budget and on
///                         the budgets below it
/// @param openPools        the number of pools that are open, on this budget and on the budgets below it
/// @param reservedByteSize the memory that is reserved, in bytes
/// @param peakByteSize     the largest value of `reservedByteSize` so far
/// @param maxByteSize      the limit of memory in bytes, [Long#MAX_VALUE] if there is none
/// @param diskByteSize     the disk space that is reserved, in bytes
/// @param peakDiskByteSize the largest value of `diskByteSize` so far
/// @param maxDiskByteSize  the limit of disk space in bytes, [Long#MAX_VALUE] if there is none
/// @param refusals         how often this budget's own limits have refused a request, of this budget or one below it
public record BudgetStatistics(String path, long openArenas, long openPools, long reservedByteSize,
        long peakByteSize, long maxByteSize, long diskByteSize, long peakDiskByteSize, long maxDiskByteSize,
        long refusals) {

    /// {@return the statistics as one sentence}
    @Override
    public String toString() {
        String disk = diskByteSize == 0 && peakDiskByteSize == 0 && maxDiskByteSize == Long.MAX_VALUE
                ? ""
                : "; disk: " + part(diskByteSize, peakDiskByteSize, maxDiskByteSize);
        return "MemoryBudget " + path + ": " + openArenas + " open arenas, " + openPools + " open pools, "
                + part(reservedByteSize, peakByteSize, maxByteSize) + disk + "; so far " + refusals + " refusals";
    }

    private static String part(long reserved, long peak, long max) {
        return Sizes.text(reserved) + " reserved, peak " + Sizes.text(peak) + ", limit "
                + (max == Long.MAX_VALUE ? "none" : Sizes.text(max));
    }
}
