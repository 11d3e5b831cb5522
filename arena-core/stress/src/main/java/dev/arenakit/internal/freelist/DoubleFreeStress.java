package dev.arenakit.internal.freelist;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// The owner of a block and another thread free it at the same time: an error of the program. The block is
/// then available once, and no other one is.
@JCStressTest
@Outcome(id = {"1, 0, 7", "0, 1, 7"}, expect = Expect.ACCEPTABLE, desc = "One has freed the block.")
@Outcome(id = "1, 1, 7", expect = Expect.ACCEPTABLE, desc = "The owner did not see the other thread.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A wrong number of blocks is live.")
@State
public class DoubleFreeStress {
    private final char record = SlabSizeClasses.recordOf(SlabSizeClasses.indexOf(8_192));
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(1024 * 1024);
    private final SlabBlocks blocks = new SlabBlocks(new SlabSpace(memory, true), true);
    private final SlabHeap owner = StressHeap.heap(blocks);
    private final SlabHeap other = StressHeap.heap(blocks);
    private final long block;

    /// Fills a slab of eight blocks.
    public DoubleFreeStress() {
        block = owner.allocate(record, 1);
        for (int i = 1; i < 8; i++) {
            owner.allocate(record, 1);
        }
    }

    @Actor
    public void own(III_Result r) {
        r.r1 = owner.free(block, 0) ? 1 : 0;
    }

    @Actor
    public void other(III_Result r) {
        r.r2 = other.free(block, 0) ? 1 : 0;
    }

    @Arbiter
    public void count(III_Result r) {
        r.r3 = (int) blocks.stats().liveBlocks();
        arena.close();
    }
}
