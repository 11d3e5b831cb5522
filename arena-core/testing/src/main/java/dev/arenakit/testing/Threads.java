package dev.arenakit.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Runs code in other threads.
public final class Threads {
    /// The work of one of several threads.
    public interface Work {
        void run(int index) throws Exception;
    }

    private Threads() {}

    /// Runs the action in another thread.
    ///
    /// @return the exception that it throws, or null
    public static @Nullable Throwable thrownBy(Runnable action) {
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

    /// Runs the work in several threads, which start at the same time. If one of them throws, the test fails after all
    /// have terminated.
    public static void race(int count, Work work) {
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

    /// Runs the action in a virtual thread. If it throws, so does this method.
    public static void inVirtualThread(Runnable action) {
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        join(Thread.ofVirtual().uncaughtExceptionHandler((_, t) -> thrown.add(t)).start(action));
        if (!thrown.isEmpty()) {
            throw new AssertionError("A virtual thread failed", thrown.getFirst());
        }
    }

    /// Waits until another thread has counted to zero. If it is stuck, the test fails.
    public static void await(CountDownLatch latch) {
        try {
            if (!latch.await(5, TimeUnit.MINUTES)) {
                throw new AssertionError("Another thread of the test is stuck");
            }
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted while a thread of the test was running", e);
        }
    }

    /// Waits until a thread has ended.
    public static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted while a thread of the test was running", e);
        }
    }
}
