package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/// The owner of a block and two other threads free it at the same time, which is an error of the program. Each other
/// thread is refused if it is late. The block is then available once, and no other one is.
@JCStressTest
@Outcome(id = {"1, 0, 0, 7", "0, 1, 0, 7", "0, 0, 1, 7"}, expect = Expect.ACCEPTABLE, desc = "One has freed the block.")
@Outcome(id = {"1, 1, 0, 7", "1, 0, 1, 7"}, expect = Expect.ACCEPTABLE,
        desc = "The owner did not see the other thread.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Two other threads have freed the block, or a wrong number of blocks is live.")
@State
public class DoubleFreeStress {
    private static final byte LIVE = 1;

    private final int sizeClass = SlabSizeClasses.indexOf(8_192);
    private final MemorySegment memory = Arena.ofAuto().allocate(1536 * 1024);
    private final SlabBlocks blocks = new SlabBlocks(new SlabSpace(memory, true), true);
    private final SlabHeap owner = blocks.newHeap();
    private final SlabHeap second = blocks.newHeap();
    private final SlabHeap third = blocks.newHeap();
    private final long block;

    /// Fills a slab of eight blocks.
    public DoubleFreeStress() {
        block = owner.allocate(sizeClass, LIVE);
        for (int i = 1; i < 8; i++) {
            owner.allocate(sizeClass, LIVE);
        }
    }

    @Actor
    public void own(IIII_Result r) {
        r.r1 = owner.free(block, 0) ? 1 : 0;
    }

    @Actor
    public void other(IIII_Result r) {
        r.r2 = second.free(block, 0) ? 1 : 0;
    }

    @Actor
    public void another(IIII_Result r) {
        r.r3 = third.free(block, 0) ? 1 : 0;
    }

    @Arbiter
    public void count(IIII_Result r) {
        r.r4 = (int) blocks.stats().liveBlocks();
    }
}
