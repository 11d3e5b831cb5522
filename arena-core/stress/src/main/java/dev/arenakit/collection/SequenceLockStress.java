package dev.arenakit.collection;

import dev.arenakit.collection.concurrent.SequenceLock;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A writer changes a struct of two longs twice, while a reader reads it once.
@JCStressTest
@Outcome(id = {"0, 0", "1, 1", "2, 2"}, expect = Expect.ACCEPTABLE, desc = "A consistent state.")
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "The reader has noticed a write.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A mixture was not noticed.")
@State
public class SequenceLockStress {
    private final MemorySegment segment = MemorySegment.ofArray(new long[3]);
    private final SequenceLock lock = SequenceLock.of(segment, 0);

    @Actor
    public void write() {
        for (long number = 1; number <= 2; number++) {
            lock.beginWrite();
            segment.set(JAVA_LONG, 8, number);
            segment.set(JAVA_LONG, 16, number);
            lock.endWrite();
        }
    }

    @Actor
    public void read(JJ_Result r) {
        long stamp = lock.tryOptimisticRead();
        long first = segment.get(JAVA_LONG, 8);
        long second = segment.get(JAVA_LONG, 16);
        boolean isConsistent = lock.validate(stamp);
        r.r1 = isConsistent ? first : -1;
        r.r2 = isConsistent ? second : -1;
    }
}
