package dev.arenakit.examples.debugging;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import java.lang.foreign.MemorySegment;

/// Answers requests with memory of a pool. The memory of each answer stays, because one arena serves all of them.
public final class GrowingPool {
    private static final long LIMIT = 16 << 20;

    private GrowingPool() {}

    /// Runs the program.
    ///
    /// @param arguments `limited` for a pool with a limit
    public static void main(String[] arguments) {
        boolean limited = arguments.length > 0 && arguments[0].equals("limited");
        SlabPool pool = limited ? SlabPool.builder().maxByteSize(LIMIT).build() : SlabPool.create();
        try (pool; SlabArena arena = pool.openConfined()) {
            for (int request = 1; request <= 30_000; request++) {
                answer(arena, request);
                if (request % 10_000 == 0) {
                    System.out.println(pool.stats());
                }
            }
        } catch (CapacityExceededException e) {
            e.printStackTrace(System.out);
        }
    }

    private static int answer(SlabArena arena, int request) {
        MemorySegment answer = arena.allocate(1_000); // the bug: there is no frame for the answer
        answer.setString(0, "answer " + request);
        return answer.getString(0).length();
    }
}
