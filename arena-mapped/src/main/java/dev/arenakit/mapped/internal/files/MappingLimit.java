package dev.arenakit.mapped.internal.files;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.diagnostics.MappingStatistics;
import dev.arenakit.internal.diagnostics.event.MemoryRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts and limits the file mappings of all arenas and windows of this process.
///
/// The count is static because the system limits the mappings of a process: Linux grants 65,530 mappings
/// (`vm.max_map_count`). Near that number, the JVM can crash when it maps a stack or a heap region of its own.
public final class MappingLimit {
    /// The limit is far below the limit of the system, because the JVM and other libraries map memory, too. It is far
    /// above the need of chunks.
    public static final int LIMIT = 10_000;

    private static final AtomicInteger USED = new AtomicInteger();

    /// The registry refers to it weakly.
    private static final Count COUNT = new Count();

    static {
        MemoryRegistry.add(COUNT);
    }

    private MappingLimit() {}

    /// Counts a mapping before it is made.
    ///
    /// @throws CapacityExceededException if the limit is reached
    public static void reserve() {
        reserve(1);
    }

    /// Counts mappings before they are made.
    ///
    /// @throws CapacityExceededException if the limit would be exceeded; the count has not changed
    public static void reserve(int mappings) {
        int used = USED.getAndUpdate(count -> mappings > LIMIT - count ? count : count + mappings);
        if (mappings > LIMIT - used) {
            throw new CapacityExceededException("Too many file mappings in this process", LIMIT, used, mappings,
                    "build the arena with chunked(), which maps one file for many allocations, or close arenas and windows");
        }
    }

    /// Counts a mapping that nothing will unmap before the process ends, even beyond the limit.
    static void lose() {
        USED.incrementAndGet();
    }

    /// Subtracts mappings that no longer exist from the count.
    public static void release(int mappings) {
        USED.addAndGet(-mappings);
    }

    /// The number of mappings now.
    public static int used() {
        return USED.get();
    }

    /// The count as statistics.
    private static final class Count implements MemoryRegistry.Source {
        @Override
        public List<MappingStatistics> statistics() {
            return List.of(new MappingStatistics(used(), LIMIT));
        }
    }
}
