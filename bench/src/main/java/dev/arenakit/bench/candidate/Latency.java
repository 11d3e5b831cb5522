package dev.arenakit.bench.candidate;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// The state of a benchmark that times each of its invocations, from one reading of the clock to the next.
///
/// JMH has a mode that times a part of the invocations. It is not used, because it halves the counts of its histogram,
/// in integers and down to 1, whenever it has many: the rare slow invocations of a fast operation would keep their
/// weight while the others lose theirs.
@State(Scope.Thread)
public class Latency {
    private static final List<Latency> ALL = new CopyOnWriteArrayList<>();
    private static final long LONGEST = 60_000_000_000L;
    private static final int DIGITS = 3;

    /// Number of operations in an invocation. More than one are timed together if one takes little longer than a
    /// reading of the clock.
    @Param({"1", "100"})
    public int batch;

    private final Histogram histogram = new Histogram(1, LONGEST, DIGITS);
    private long last;
    private boolean isTiming;

    /// Enters this state in the list that [#takeAll] reads.
    @Setup
    public void enter() {
        ALL.add(this);
    }

    /// Forgets the last reading, so that the time between two iterations is in no sample.
    @Setup(Level.Iteration)
    public void restart() {
        isTiming = false;
    }

    /// Ends an invocation.
    @CompilerControl(CompilerControl.Mode.INLINE)
    public void record() {
        long now = System.nanoTime();
        if (isTiming) {
            histogram.recordValue(Math.min(now - last, LONGEST));
        }
        isTiming = true;
        last = now;
    }

    /// Adds the times of all threads to a histogram, and forgets them. No thread may be measuring.
    ///
    /// @param total the histogram
    public static void takeAll(Histogram total) {
        for (Latency latency : ALL) {
            total.add(latency.histogram);
            latency.histogram.reset();
        }
    }

    /// {@return an empty histogram for [#takeAll]}
    public static Histogram newTotal() {
        return new Histogram(1, LONGEST, DIGITS);
    }
}
