package dev.arenakit.tool.watch;

import dev.arenakit.mapped.internal.ring.RingInspection;
import dev.arenakit.tool.image.RingState;
import java.io.IOException;
import java.time.Duration;

/// Shows the state of a ring again and again, until its file is deleted or replaced.
final class WatchRing {
    /// The state at one time.
    ///
    /// @param nanos the time, on the clock of [System#nanoTime]
    record Figures(long nanos, RingState state) {
        static Figures of(RingInspection ring) throws IOException {
            return new Figures(System.nanoTime(), RingState.of(ring));
        }

        /// Whether these figures are the first figures, which are compared with themselves.
        boolean isFirst(Figures before) {
            return nanos == before.nanos;
        }

        /// The bytes that were written per second since earlier figures, with headers.
        double written(Figures before) {
            return rate(before, state.positions().tail() - before.state.positions().tail());
        }

        /// The bytes that were read per second since earlier figures, with headers.
        double read(Figures before) {
            return rate(before, state.positions().head() - before.state.positions().head());
        }

        private double rate(Figures before, long change) {
            return change * 1e9 / Math.max(1, nanos - before.nanos);
        }
    }

    /// A form in which the figures are shown.
    interface View {
        /// Shows figures.
        ///
        /// @param before the previous figures; the first time, the same figures
        void show(Figures now, Figures before) throws IOException;

        /// Shows that the file does not exist any more.
        void end() throws IOException;
    }

    private final RingInspection ring;
    private final View view;
    private final long intervalNanos;

    WatchRing(RingInspection ring, View view, long intervalNanos) {
        this.ring = ring;
        this.view = view;
        this.intervalNanos = intervalNanos;
    }

    void run() throws IOException {
        Figures before = Figures.of(ring);
        view.show(before, before);
        while (sleep(before.nanos + intervalNanos)) {
            Figures now = Figures.of(ring);
            view.show(now, before);
            before = now;
        }
        if (!Thread.currentThread().isInterrupted()) {
            view.end();
        }
    }

    /// Waits until the next update.
    ///
    /// @return whether the file is there
    private boolean sleep(long until) throws IOException {
        boolean isThere = ring.isInPlace();
        for (long left = until - System.nanoTime(); isThere && left > 0; left = until - System.nanoTime()) {
            try {
                Thread.sleep(Duration.ofNanos(Math.min(left, WatchCommand.END_CHECK_NANOS)));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
            isThere = ring.isInPlace();
        }
        return isThere;
    }
}
