package dev.arenakit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Runs what a test has other threads do.
final class Elsewhere {
    /// The work of one of several threads.
    interface Racer {
        void run(int index) throws Exception;
    }

    private Elsewhere() {}

    /// What the action throws in a new platform thread, or null.
    static @Nullable Throwable thrownBy(Callable<?> action) {
        return thrownBy(Thread.ofPlatform(), action);
    }

    /// What the action throws in a new virtual thread, or null.
    static @Nullable Throwable thrownInVirtualThreadBy(Callable<?> action) {
        return thrownBy(Thread.ofVirtual(), action);
    }

    private static @Nullable Throwable thrownBy(Thread.Builder builder, Callable<?> action) {
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        Thread thread = builder.start(() -> {
            try {
                var _ = action.call();
            } catch (Throwable t) {
                thrown.add(t);
            }
        });
        join(thread);
        return thrown.isEmpty() ? null : thrown.getFirst();
    }

    /// Starts threads that wait for each other before they run; [Race#join] waits until all have ended.
    static Race race(int threads, Racer racer) {
        return new Race(threads, racer);
    }

    /// Threads under way.
    static final class Race {
        private final List<Thread> threads = new ArrayList<>();
        private final List<Throwable> thrown = new CopyOnWriteArrayList<>();

        private Race(int count, Racer racer) {
            CountDownLatch start = new CountDownLatch(count);
            for (int i = 0; i < count; i++) {
                int index = i;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        start.countDown();
                        start.await();
                        racer.run(index);
                    } catch (Throwable t) {
                        thrown.add(t);
                    }
                }));
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
