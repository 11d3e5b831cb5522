package dev.arenakit.collection;

import java.util.concurrent.locks.LockSupport;

/// What the reader of a [RingBuffer] does while there is no message. The reader chooses; producers do not know it.
///
/// | strategy | a message is seen after | costs |
/// |---|---|---|
/// | [#spin()] | less than a microsecond | a processor, as long as the reader waits |
/// | [#park] | up to the time given, and what the system adds, about 50 µs on Linux | little |
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
}
