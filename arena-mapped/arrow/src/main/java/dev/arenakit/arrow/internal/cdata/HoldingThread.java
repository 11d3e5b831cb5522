package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.internal.nativecall.NativeCalls;
import dev.arenakit.internal.nativecall.NativeFunctions;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.ADDRESS;

/// A thread that holds a scope: its arena cannot be closed, and an attempt changes nothing.
///
/// A call of a native function holds the scopes of its segments until it returns. There is no other way to hold a
/// scope. This thread makes such a call; the function is a callback, in which the thread sleeps.
final class HoldingThread extends Thread {
    /// The virtual memory for a call and a callback, with a large margin.
    private static final long STACK_BYTE_SIZE = 256 * 1024;
    /// The longest sleep of a caller that no thread wakes, because an Error has prevented it.
    private static final long MOST_NANOS = 1_000_000;

    /// The address of [#holdScope].
    private static final MemorySegment HOLD_SCOPE = MemorySegment
            .ofAddress(Callbacks.stub(MethodHandles.lookup(), "holdScope", Callbacks.RUN));
    private static final MethodHandle CALL = NativeFunctions.downcallHandle(FunctionDescriptor.ofVoid(ADDRESS));

    static {
        call(MemorySegment.NULL);
    }

    private final MemorySegment segment;
    private volatile @Nullable Thread caller;
    private volatile boolean holds;
    private volatile boolean isReleased;
    private volatile boolean hasEnded;
    private volatile @Nullable Throwable failure;

    HoldingThread(MemorySegment segment) {
        super(null, null, "arenakit-arrow-lease", STACK_BYTE_SIZE, false);
        this.segment = segment;
        setDaemon(true);
        // The thread must not keep the class loader of its creator alive.
        setContextClassLoader(null);
    }

    /// Starts the thread, and waits until it holds the scope.
    ///
    /// @throws IllegalStateException if the scope has ended
    void hold() {
        caller = Thread.currentThread();
        try {
            start();
            await(false);
        } catch (Throwable t) {
            // The stack or the heap is exhausted. The thread must not hold the scope for ever.
            isReleased = true;
            LockSupport.unpark(this);
            throw t;
        }
        switch (failure) {
            case null -> {
            }
            case IllegalStateException e -> throw new IllegalStateException("Already closed", e);
            case Throwable t -> throw NativeCalls.unexpected(t);
        }
    }

    /// Ends the thread, and waits until the scope is not held any more.
    void letGo() {
        caller = Thread.currentThread();
        isReleased = true;
        await(true);
    }

    /// Waits. Neither an interrupt nor an Error ends the wait.
    private void await(boolean forEnd) {
        boolean interrupted = false;
        while (!hasEnded && (forEnd || !holds)) {
            try {
                if (forEnd) {
                    LockSupport.unpark(this);
                }
                LockSupport.parkNanos(this, MOST_NANOS);
                interrupted |= Thread.interrupted();
            } catch (Throwable _) {
                // The stack or the heap of the caller is exhausted. The caller waits nevertheless.
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        try {
            call(segment);
        } catch (Throwable t) {
            failure = t;
        }
        hasEnded = true;
        LockSupport.unpark(caller);
    }

    private static void call(MemorySegment segment) {
        try {
            CALL.invokeExact(HOLD_SCOPE, segment);
        } catch (IllegalStateException e) {
            throw e;
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    @SuppressWarnings("UnusedMethod") // Called through native code.
    private static void holdScope(@SuppressWarnings("unused") long address) {
        if (Thread.currentThread() instanceof HoldingThread thread) {
            thread.sleepUntilReleased();
        }
    }

    private void sleepUntilReleased() {
        holds = true;
        while (!isReleased) {
            try {
                // Only the first time, the caller waits.
                LockSupport.unpark(caller);
                LockSupport.park(this);
                boolean _ = Thread.interrupted();
            } catch (Throwable _) {
                // An exception that left this method would terminate the JVM.
            }
        }
    }
}
