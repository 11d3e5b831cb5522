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
/// JMH has a mode that times a part of the invocations. This benchmark does not use it: whenever its histogram has many
/// counts, it halves them as integers, down to 1. Rare slow invocations would keep their weight while frequent ones
/// lose weight.
@State(Scope.Thread)
public class Latency {
    private static final List<Latency> ALL = new CopyOnWriteArrayList<>();
    private static final long LONGEST = 60_000_000_000L;
    private static final int DIGITS = 3;

    /// Number of operations in an invocation. Several operations are timed together if a single one takes little longer
    /// than reading the clock.
    @Param({"1", "100"})
    public int batch;

    private final Histogram histogram = new Histogram(1, LONGEST, DIGITS);
    private long last;
    private boolean isTiming;

    /// Adds this state to the list that [#takeAll] reads.
    @Setup
    public void enter() {
        ALL.add(this);
    }

    /// Drops the last reading, so that no sample includes the time between two iterations.
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

    /// Moves the times of all threads to a histogram. No thread may be measuring.
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
