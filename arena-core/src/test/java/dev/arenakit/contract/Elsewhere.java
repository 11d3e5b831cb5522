package dev.arenakit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// What a test has other threads do.
final class Elsewhere {
    /// Bounds the wait for threads that have no processor, so that a race also begins on a machine with one.
    private static final int SPINS = 20_000;

    private Elsewhere() {}

    /// What the action throws in a new platform thread, or null.
    static @Nullable Throwable thrownBy(Callable<?> action) {
        return thrownBy(Thread.ofPlatform().daemon(), action);
    }

    /// What the action throws in a new virtual thread, or null.
    static @Nullable Throwable thrownInVirtualThreadBy(Callable<?> action) {
        return thrownBy(Thread.ofVirtual(), action);
    }

    private static @Nullable Throwable thrownBy(Thread.Builder builder, Callable<?> action) {
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        join(builder.start(() -> {
            try {
                var _ = action.call();
            } catch (Throwable t) {
                thrown.add(t);
            }
        }));
        return thrown.isEmpty() ? null : thrown.getFirst();
    }

    /// What one of several threads does, told apart by its index.
    interface Racer {
        void run(int index) throws Exception;
    }

    /// Starts platform threads that set out together.
    static Race race(int threads, Racer racer) {
        // An arena that never returns is not to keep the JVM of the tests alive, too.
        return new Race(Thread.ofPlatform().daemon(), threads, racer);
    }

    /// Starts virtual threads that set out together.
    static Race raceOfVirtualThreads(int threads, Racer racer) {
        return new Race(Thread.ofVirtual(), threads, racer);
    }

    /// Threads under way.
    static final class Race {
        private final List<Thread> threads = new ArrayList<>();
        private final List<Throwable> thrown = new CopyOnWriteArrayList<>();
        private final CountDownLatch started;
        private final AtomicInteger asleep;

        private Race(Thread.Builder builder, int count, Racer racer) {
            started = new CountDownLatch(count);
            asleep = new AtomicInteger(count);
            for (int i = 0; i < count; i++) {
                int index = i;
                threads.add(builder.start(() -> {
                    try {
                        setOut();
                        racer.run(index);
                    } catch (Throwable t) {
                        thrown.add(t);
                    }
                }));
            }
        }

        private void setOut() throws InterruptedException {
            started.countDown();
            started.await();
            // Threads wake up one after the other, further apart than many a race takes.
            asleep.decrementAndGet();
            for (int i = 0; i < SPINS && asleep.get() > 0; i++) {
                Thread.onSpinWait();
            }
        }

        /// Waits for the end of all; what one of them threw fails the test.
        void join() {
            threads.forEach(Elsewhere::join);
            if (!thrown.isEmpty()) {
                throw new AssertionError("A thread failed", thrown.getFirst());
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted while a thread of the test was running", e);
        }
    }
}
