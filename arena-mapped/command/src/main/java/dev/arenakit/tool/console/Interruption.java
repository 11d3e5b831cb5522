package dev.arenakit.tool.console;

import java.io.Closeable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Ends a task when the user interrupts the command. The process waits until the task has removed its files.
public final class Interruption implements Closeable {
    private static final int LONGEST_WAIT_SECONDS = 10;
    private static final int REPEAT_MILLIS = 100;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupt, "interruption");
    private volatile boolean isInterrupted;
    private volatile Runnable action = () -> {};

    /// @throws CancellationException if the user has interrupted the command already
    public Interruption() {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            CancellationException interrupted = new CancellationException();
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    /// Sets the action that another thread runs when the user interrupts the command. It runs again until the task has
    /// ended, since an engine forgets an interrupt that arrives just before its work begins.
    public void onInterrupt(Runnable ending) {
        action = ending;
        if (isInterrupted) {
            ending.run();
        }
    }

    /// Throws an exception if the user has interrupted the command.
    public void check() {
        if (isInterrupted) {
            throw new CancellationException();
        }
    }

    private void interrupt() {
        isInterrupted = true;
        long start = System.nanoTime();
        try {
            do {
                action.run();
            } while (!ended.await(REPEAT_MILLIS, TimeUnit.MILLISECONDS)
                    && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(LONGEST_WAIT_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and the hook is running.
        }
    }
}
