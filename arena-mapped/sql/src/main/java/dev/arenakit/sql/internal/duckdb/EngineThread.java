package dev.arenakit.sql.internal.duckdb;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The thread that calls the engine. Other threads wait while it executes their calls.
public final class EngineThread {
    /*
     * The engine calls itself for each level of an expression or of a query, and ends the process if the stack is
     * exhausted. Its limits assume a larger stack than a Java thread has, and the caller may have used most of its
     * stack. The callbacks of this library need enough stack, too: they must not throw.
     *
     * A call does not end before its body, even if an error is thrown in the caller: the body reads memory that the
     * caller's frames keep alive.
     */
    private static final long STACK_BYTE_SIZE = 64L << 20;

    private final Thread thread = new Thread(null, this::run, "arenakit-sql", STACK_BYTE_SIZE, false);
    private volatile @Nullable Call<?> next;
    private volatile boolean ended;

    /// @throws OutOfMemoryError if there is no memory for the thread
    public EngineThread() {
        thread.setDaemon(true);
        // The thread must not keep the class loader of its creator alive.
        thread.setContextClassLoader(null);
        thread.start();
    }

    /// Whether the thread can access a segment. If so, the segment is not confined.
    public boolean canAccess(MemorySegment segment) {
        return segment.isAccessibleBy(thread);
    }

    /// Runs a body in the thread, and waits until it has ended. An interrupt of the caller does not end the wait. Calls
    /// of several threads run one after the other.
    ///
    /// @param body must not call this method
    /// @return what the body returns
    /// @throws RuntimeException what the body throws
    public synchronized <R> R call(Supplier<R> body) {
        Call<R> call = new Call<>(body, Thread.currentThread());
        // If the stack is exhausted here, the body has not begun.
        LockSupport.unpark(call.caller);
        LockSupport.park(this);
        boolean interrupted = false;
        next = call;
        while (!call.ended) {
            try {
                LockSupport.unpark(thread);
                while (!call.ended) {
                    LockSupport.park(this);
                    interrupted |= Thread.interrupted();
                }
            } catch (Throwable _) {
                // The stack or the heap of the caller is exhausted. The caller waits nevertheless.
            }
        }
        if (interrupted) {
            call.caller.interrupt();
        }
        return call.result();
    }

    /// Ends the thread. The caller makes no further calls.
    public void end() {
        ended = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!ended) {
            try {
                Call<?> call = next;
                if (call == null) {
                    LockSupport.park(this);
                } else {
                    next = null;
                    // An interrupt would close the files that callbacks read.
                    boolean _ = Thread.interrupted();
                    call.run();
                }
            } catch (Throwable _) {
                // The next call needs this thread.
            }
        }
    }

    private static final class Call<R> {
        final Thread caller;
        private final Supplier<R> body;
        private @Nullable R returned;
        private @Nullable Throwable thrown;
        volatile boolean ended;

        Call(Supplier<R> body, Thread caller) {
            this.body = body;
            this.caller = caller;
        }

        void run() {
            try {
                returned = body.get();
            } catch (Throwable t) {
                thrown = t;
            } finally {
                ended = true;
                LockSupport.unpark(caller);
            }
        }

        @SuppressWarnings("NullAway") // The body has returned a value.
        R result() {
            switch (thrown) {
                case null -> {
                    return returned;
                }
                case RuntimeException e -> {
                    addCaller(e);
                    throw e;
                }
                case Error e -> throw e;
                case Throwable t -> throw new AssertionError(t);
            }
        }

        /// Adds the frames of the caller to the frames of the thread.
        private static void addCaller(Throwable t) {
            try {
                t.setStackTrace(Stream.of(t.getStackTrace(), new Throwable().getStackTrace())
                        .flatMap(Arrays::stream)
                        .toArray(StackTraceElement[]::new));
            } catch (OutOfMemoryError | StackOverflowError | LinkageError _) {
                // The exception is thrown without these frames.
            }
        }
    }
}
