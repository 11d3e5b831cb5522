package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A thread frees a block of another one, which allocates meanwhile: it gets the block only after the last write to it.
@JCStressTest
@Outcome(id = "0, 1, 2", expect = Expect.ACCEPTABLE, desc = "Each write is kept, and two blocks are live.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A block was written to after it was allocated again, or lost.")
@State
public class RemoteFreeStress {

    private final SlabAllocator allocator = SlabAllocator.overShared(Arena.ofAuto().allocate(4 * 64 * 1024 + 64));
    private final long[] blocks = new long[8];

    /// Fills a slab of eight blocks.
    public RemoteFreeStress() {
        for (int i = 0; i < blocks.length - 1; i++) {
            blocks[i] = allocator.allocateRaw(8_000);
        }
    }

    @Actor
    public void free(III_Result r) {
        MemorySegment all = allocator.memory();
        all.set(JAVA_LONG, blocks[0], 7);
        allocator.freeRaw(blocks[0]);
    }

    @Actor
    public void allocate(III_Result r) {
        long first = allocator.allocateRaw(8_000);
        allocator.memory().set(JAVA_LONG, first, 8);
        long second = allocator.allocateRaw(8_000);
        allocator.memory().set(JAVA_LONG, second, 9);
        r.r1 = first == second ? 1 : 0;
        r.r2 = allocator.memory().get(JAVA_LONG, first) == 8 && allocator.memory().get(JAVA_LONG, second) == 9
                ? 1
                : 0;
    }

    @Arbiter
    public void count(III_Result r) {
        r.r3 = (int) allocator.stats().liveBlocks() - 6;
    }
}
