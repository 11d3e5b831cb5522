package dev.arenakit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Work of other threads.
final class Threads {
    /// The work of one of several threads.
    interface Work {
        void run(int index) throws Exception;
    }

    private Threads() {}

    /// What the action throws in another thread, or null.
    static @Nullable Throwable thrownBy(Runnable action) {
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        join(Thread.ofPlatform().start(() -> {
            try {
                action.run();
            } catch (Throwable t) {
                thrown.add(t);
            }
        }));
        return thrown.isEmpty() ? null : thrown.getFirst();
    }

    /// Runs the work in so many threads, which wait for each other before they begin. What one of them throws fails the
    /// test when all have ended.
    static void race(int count, Work work) {
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        CountDownLatch start = new CountDownLatch(count);
        List<Thread> threads = IntStream.range(0, count).mapToObj(index -> Thread.ofPlatform().start(() -> {
            try {
                start.countDown();
                start.await();
                work.run(index);
            } catch (Throwable t) {
                thrown.add(t);
            }
        })).toList();
        threads.forEach(Threads::join);
        if (!thrown.isEmpty()) {
            AssertionError failed = new AssertionError("A thread failed", thrown.getFirst());
            thrown.stream().skip(1).forEach(failed::addSuppressed);
            throw failed;
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
