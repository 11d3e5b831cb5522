package dev.arenakit.internal.freelist;

import dev.arenakit.internal.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A thread writes to a block of another one and frees it. The owner, whose slab is full otherwise, allocates
/// meanwhile: it gets the block only after the last write to it.
@JCStressTest
@Outcome(id = "1, 9", expect = Expect.ACCEPTABLE, desc = "Each write is kept, and no block is lost.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A block was written to after it was allocated again, or lost.")
@State
public class RemoteFreeStress {
    private final char record = SlabSizeClasses.recordOf(SlabSizeClasses.indexOf(8_192));
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(1024 * 1024);
    private final SlabBlocks blocks = new SlabBlocks(new SlabSpace(memory, true), true);
    private final SlabHeap owner = StressHeap.heap(blocks);
    private final SlabHeap other = StressHeap.heap(blocks);
    private final long block;

    /// Fills a slab of eight blocks.
    public RemoteFreeStress() {
        block = owner.allocate(record, 1);
        for (int i = 1; i < 8; i++) {
            owner.allocate(record, 1);
        }
    }

    @Actor
    public void free() {
        Memory.putLong(block, 7);
        other.free(block, 0);
    }

    @Actor
    public void allocate(II_Result r) {
        long first = owner.allocate(record, 1);
        Memory.putLong(first, 8);
        long second = owner.allocate(record, 1);
        Memory.putLong(second, 9);
        r.r1 = first != second && Memory.getLong(first) == 8 && Memory.getLong(second) == 9 ? 1 : 0;
    }

    @Arbiter
    public void count(II_Result r) {
        r.r2 = (int) blocks.stats().liveBlocks();
        arena.close();
    }
}
