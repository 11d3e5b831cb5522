package dev.arenakit.internal.ring;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static dev.arenakit.internal.ring.RingFormat.LONG;
import static dev.arenakit.internal.ring.RingFormat.WAITING;
import static dev.arenakit.internal.ring.RingFormat.WAKES;

/// The sleep of a reader until a producer wakes it: see [RingFormat].
final class RingSleep {
    /// An interrupt does not wake a thread in a `futex` call, and its arena cannot be closed meanwhile.
    private static final long LONGEST_NANOS = 100_000_000;
    /// The pause where there is no `futex` call, or where it would pin a virtual thread.
    private static final long PAUSE_NANOS = 50_000;

    private RingSleep() {}

    /// Sleeps until there is a message, for a time, or for no reason at all.
    static void await(MemorySegment segment, BooleanSupplier hasMessage, long nanos) {
        if (!segment.isNative() || Thread.currentThread().isVirtual() || !Futex.isAvailable()) {
            LockSupport.parkNanos(Math.min(nanos, PAUSE_NANOS));
            return;
        }
        if ((long) LONG.getOpaque(segment, WAKES) == 0) {
            LONG.setOpaque(segment, WAKES, 1L);
        }
        LONG.setOpaque(segment, WAITING, 1L);
        VarHandle.fullFence();
        if (!hasMessage.getAsBoolean()) {
            Futex.await(word(segment), 1, Math.min(nanos, LONGEST_NANOS));
        }
        LONG.setOpaque(segment, WAITING, 0L);
    }

    /// Wakes the reader if it sleeps. What this thread has written comes before.
    static void wake(MemorySegment segment) {
        VarHandle.fullFence();
        if ((long) LONG.getOpaque(segment, WAITING) != 0 && segment.isNative() && Futex.isAvailable()) {
            LONG.setOpaque(segment, WAITING, 0L);
            boolean _ = Futex.wake(word(segment));
        }
    }

    private static MemorySegment word(MemorySegment segment) {
        return segment.asSlice(WAITING, Integer.BYTES);
    }
}
