package dev.arenakit.collection.concurrent;

import dev.arenakit.internal.ring.SegmentRing;
import java.util.concurrent.locks.LockSupport;

/// What the reader of a [RingBuffer] does while there is no message. The reader chooses; producers do not know it.
///
/// | strategy | a message is seen after | costs |
/// |---|---|---|
/// | [#spin()] | less than a microsecond | a processor, as long as the reader waits |
/// | [#park] | up to the time given, and what the system adds, about 50 µs on Linux | little |
/// | [#futex()] | what the system takes to wake a thread | nothing while it sleeps; the producer makes a system call |
///
/// A strategy has no state, so that any number of threads can use it.
@FunctionalInterface
public interface WaitStrategy {
    /// Pauses between two polls. A strategy may return at any time.
    ///
    /// @param ring           the ring that had no message
    /// @param remainingNanos the time until the reader gives up, in nanoseconds
    void pause(RingBuffer ring, long remainingNanos);

    /// {@return a strategy that polls without a pause} It tells the processor that it spins.
    static WaitStrategy spin() {
        return (_, _) -> Thread.onSpinWait();
    }

    /// Returns a strategy that parks the thread between two polls. It suits virtual threads, too.
    ///
    /// @param nanos the longest pause in nanoseconds
    /// @return the strategy
    /// @throws IllegalArgumentException if the pause is not positive
    static WaitStrategy park(long nanos) {
        if (nanos <= 0) {
            throw new IllegalArgumentException("Pause is not positive: nanos=" + nanos);
        }
        return (_, remainingNanos) -> LockSupport.parkNanos(Math.min(nanos, remainingNanos));
    }

    /// Returns a strategy that lets the thread sleep until a producer wakes it, also one of another process: `futex(2)`.
    ///
    /// A thread sleeps 100 milliseconds at a time at most, because interrupts do not wake it, and the arena of the ring
    /// cannot be closed meanwhile. Once a reader has slept, each message costs its producer a full fence, and a system
    /// call if the reader sleeps.
    ///
    /// Virtual threads are parked for 50 microseconds at a time instead, and so are all threads if the memory is on the
    /// heap, on other systems than Linux on x86-64 and aarch64, and if native access is denied.
    ///
    /// @return the strategy
    static WaitStrategy futex() {
        return (ring, remainingNanos) -> ((SegmentRing) ring).sleep(remainingNanos);
    }
}
