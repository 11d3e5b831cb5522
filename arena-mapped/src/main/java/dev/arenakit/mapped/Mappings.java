package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts the file mappings that the arenas of this process hold.
///
/// The count is static because what it guards is: Linux grants a process 65,530 mappings (`vm.max_map_count`), and a
/// JVM that comes near that number can die where it maps a stack or a heap region of its own.
final class Mappings {
    /// Far below the system's limit, for the JVM and other libraries map too, and far above what chunks need.
    static final int LIMIT = 10_000;

    private static final AtomicInteger USED = new AtomicInteger();

    private Mappings() {}

    /// Counts one more mapping, before it is made.
    ///
    /// @throws CapacityExceededException when the process holds as many as it may
    static void reserve() {
        int used = USED.getAndUpdate(count -> Math.min(count + 1, LIMIT));
        if (used == LIMIT) {
            throw new CapacityExceededException("Too many file mappings in this process", LIMIT, used, 1,
                    "build the arena with chunked(), which maps one file for many allocations, or close arenas");
        }
    }

    /// Takes back what [#reserve] counted, after the mappings are gone.
    static void release(int mappings) {
        USED.addAndGet(-mappings);
    }

    /// How many mappings are held now.
    static int used() {
        return USED.get();
    }
}
