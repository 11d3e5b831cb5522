package dev.arenakit.internal.pool;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.SlabPool;
import dev.arenakit.internal.pool.stock.Stress;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

import static java.lang.foreign.ValueLayout.JAVA_INT;

/// A thread detaches an arena, passes the parcel on by a plain write, and then attaches it as the other thread does.
@JCStressTest
@Outcome(id = {"7, 0, 0", "0, 7, 0"}, expect = Expect.ACCEPTABLE, desc = "One of the two has attached it.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Attached twice, or other bytes seen, or an arena lost.")
@State
public class AttachStress {
    private final SlabPool pool = Stress.pool();
    private @Nullable Handed handed;

    private record Handed(SlabParcel parcel, MemorySegment segment) {}

    @Actor
    public void one(III_Result r) {
        SlabArena arena = pool.openConfined();
        MemorySegment segment = arena.allocate(JAVA_INT);
        segment.set(JAVA_INT, 0, 7);
        handed = new Handed(arena.detach(), segment);
        r.r1 = attach();
    }

    @Actor
    public void other(III_Result r) {
        r.r2 = attach();
    }

    private int attach() {
        Handed seen = handed;
        if (seen == null) {
            return 0;
        }
        try (SlabArena arena = seen.parcel.attach()) {
            return arena.scope().isAlive() ? seen.parcel.segment(seen.segment).get(JAVA_INT, 0) : -1;
        } catch (IllegalStateException e) {
            return 0;
        }
    }

    @Arbiter
    public void end(III_Result r) {
        if (handed != null) {
            handed.parcel.close();
        }
        r.r3 = (int) pool.stats().openArenas();
        pool.close();
    }
}
