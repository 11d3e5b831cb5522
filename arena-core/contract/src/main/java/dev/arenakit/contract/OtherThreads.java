package dev.arenakit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Runs code in other threads.
final class OtherThreads {
    /// Limits the wait for threads without a processor, so that a race also starts on a machine with one processor.
    private static final int SPINS = 20_000;

    private OtherThreads() {}

    /// Runs the action in a new platform thread, and returns the exception that it throws, or null.
    static @Nullable Throwable thrownBy(Callable<?> action) {
        return thrownBy(Thread.ofPlatform().daemon(), action);
    }

    /// Runs the action in a new virtual thread, and returns the exception that it throws, or null.
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

    /// The work of one of several threads.
    interface Work {
        void run(int index) throws Exception;
    }

    /// Starts platform threads that begin their work at the same time.
    static Race race(int threads, Work work) {
        // Daemons, so that a call that never returns does not keep the JVM alive.
        return new Race(Thread.ofPlatform().daemon(), threads, work);
    }

    /// Starts virtual threads that begin their work at the same time.
    static Race raceOfVirtualThreads(int threads, Work work) {
        return new Race(Thread.ofVirtual(), threads, work);
    }

    /// Running threads.
    static final class Race {
        private final List<Thread> threads = new ArrayList<>();
        private final List<Throwable> thrown = new CopyOnWriteArrayList<>();
        private final CountDownLatch started;
        private final AtomicInteger asleep;

        private Race(Thread.Builder builder, int count, Work work) {
            started = new CountDownLatch(count);
            asleep = new AtomicInteger(count);
            for (int i = 0; i < count; i++) {
                int index = i;
                threads.add(builder.start(() -> {
                    try {
                        awaitOthers();
                        work.run(index);
                    } catch (Throwable t) {
                        thrown.add(t);
                    }
                }));
            }
        }

        private void awaitOthers() throws InterruptedException {
            started.countDown();
            started.await();
            // Threads wake up one after the other, further apart than many races last.
            asleep.decrementAndGet();
            for (int i = 0; i < SPINS && asleep.get() > 0; i++) {
                Thread.onSpinWait();
            }
        }

        /// Waits for all threads to terminate, and fails the test if one of them has thrown an exception.
        void join() {
            threads.forEach(OtherThreads::join);
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
