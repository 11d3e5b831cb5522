package dev.arenakit.examples.pools;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.FreeListArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Answers requests with memory of a pool. An answer outlives its request, which may fail after the answer has been
/// allocated.
public final class KeptBlockExample {
    private static final long POOL = 4 << 20;

    private KeptBlockExample() {}

    /// Runs the example.
    ///
    /// @param args nothing
    public static void main(String[] args) {
        run(System.out);
    }

    static void run(PrintStream out) {
        try (SlabPool pool = SlabPool.builder().maxByteSize(POOL).build();
                FreeListArena answers = FreeListArena.builder().pool(pool).shared().build()) {
            MemorySegment answer = answer(pool, answers, "small", 1_000);
            out.println(answer.getString(0));
            answers.free(answer);
            try {
                answer(pool, answers, "large", POOL);
            } catch (CapacityExceededException e) {
                out.println("refused; bytes of answers: " + answers.stats().liveByteSize());
            }
        }
    }

    /// Returns the answer to a request. The caller frees it.
    private static MemorySegment answer(SlabPool pool, FreeListArena answers, String text, long byteSize) {
        try (SlabArena request = pool.openConfined()) {
            MemorySegment answer = answers.allocateFrom("answer to " + text);
            try {
                MemorySegment scratch = request.allocate(byteSize); // throws if the pool is full
                scratch.setString(0, text, UTF_8);
                return answer;
            } catch (Throwable t) {
                answers.free(answer); // nobody else knows the block
                throw t;
            }
        }
    }
}
