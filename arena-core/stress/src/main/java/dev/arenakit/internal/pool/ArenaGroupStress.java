package dev.arenakit.internal.pool;

import dev.arenakit.NativeAllocator;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Two threads close the arenas of a group, and one of them opens a new arena: its memory is zeroed, and the group ends
/// once.
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "The group has ended, and the new memory is zeroed.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The group is alive, or memory was used before the end.")
@State
public class ArenaGroupStress {
    private final SlabPool pool = SlabPool.builder()
            .allocator(NativeAllocator.libc())
            .slabByteSize(1024)
            .groupedClose(2)
            .build();
    private final SlabArena first = pool.openShared();
    private final SlabArena second = pool.openShared();
    private final MemorySegment segment = second.allocate(JAVA_LONG);

    @Actor
    public void closeFirst(III_Result r) {
        first.allocate(JAVA_LONG).set(JAVA_LONG, 0, 7);
        first.close();
        try (SlabArena arena = pool.openShared()) {
            r.r1 = (int) arena.allocate(JAVA_LONG).get(JAVA_LONG, 0);
        }
    }

    @Actor
    public void closeSecond() {
        segment.set(JAVA_LONG, 0, 7);
        second.close();
    }

    @Arbiter
    public void end(III_Result r) {
        r.r2 = segment.scope().isAlive() ? 1 : 0;
        r.r3 = (int) pool.stats().openArenas();
        pool.close();
    }
}
