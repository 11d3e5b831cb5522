package dev.arenakit.diagnostics;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.function.Consumer;

/// How arenas are watched for leaks: an argument of [LeakDetector#wrap] and of the builders of our pools and arenas.
///
/// Start with [#SAMPLED] or [#ALL], and change the other options with methods that return a copy.
///
/// @param level         how many arenas are watched, and how closely
/// @param longestOpen   an arena that is open for longer is reported; by default there is no limit
/// @param reclaimLeaked whether the memory of a leaked arena is released, see [#reclaimLeaked(boolean)]
/// @param listener      is called once for each leak, see [#listener(Consumer)]
public record LeakDetection(Level level, Duration longestOpen, boolean reclaimLeaked, Consumer<Leak> listener) {
    /// Watches one arena of 128, at little cost: for production.
    ///
    /// A sampled arena is reported if the thread to which it is confined has terminated, if it is open for longer than
    /// [#longestOpen()], or if its pool cannot be closed because the arena is open. **An arena of a pool that is never
    /// closed is not reported while its thread lives, unless there is a longest time:** only [#ALL] watches whether
    /// such an arena is reachable. If it was
    /// [detached][dev.arenakit.SlabArena#detach()], its parcel is also reported after it has become unreachable.
    ///
    /// A thread spends at most a hundredth of its time on stacks: if its arenas are open for nanoseconds, fewer than one
    /// of 128 is sampled.
    public static final LeakDetection SAMPLED = new LeakDetection(Level.SAMPLED, ChronoUnit.FOREVER.getDuration(),
            false, _ -> {});

    /// Watches every arena: for tests, and for the search for a leak that is known.
    ///
    /// In addition to [#SAMPLED], an arena is reported after the garbage collector has found that it is unreachable and
    /// open. Each arena takes a stack and several objects on the heap, which cost microseconds;
    /// [LeakDetector#summary()] says how many.
    public static final LeakDetection ALL = new LeakDetection(Level.ALL, ChronoUnit.FOREVER.getDuration(), false,
            _ -> {});

    /// Creates the options.
    ///
    /// @throws IllegalArgumentException if the longest time is negative
    public LeakDetection {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(listener, "listener");
        if (longestOpen.isNegative()) {
            throw new IllegalArgumentException("Longest time is negative: longestOpen=" + longestOpen);
        }
    }

    /// How many arenas are watched.
    public enum Level {
        /// One of 128.
        SAMPLED,
        /// Every one.
        ALL
    }

    /// Reports an arena that is open for longer, once. A report does not mean that the arena is never closed.
    ///
    /// @param longestOpen the longest time
    /// @return the options with this limit
    /// @throws IllegalArgumentException if the time is negative
    public LeakDetection longestOpen(Duration longestOpen) {
        return new LeakDetection(level, longestOpen, reclaimLeaked, listener);
    }

    /// Calls a listener for each leak, besides the lines in the log and the event of JFR.
    ///
    /// The listener is called by the thread that has found the leak: the detector's own thread, or a thread that calls
    /// [LeakDetector#check()] or closes the pool. It should return soon. An exception of the listener is logged, and an
    /// exception of the logger is ignored.
    ///
    /// @param listener the listener
    /// @return the options with this listener
    public LeakDetection listener(Consumer<Leak> listener) {
        return new LeakDetection(level, longestOpen, reclaimLeaked, listener);
    }

    /// Releases the memory of a wrapped arena that is unreachable, under the rules of [java.lang.foreign.Arena#ofAuto].
    ///
    /// **C code may still hold an address in the memory, and would then read or write the memory of somebody else.**
    /// So may off-heap memory that stores addresses. Use this option only if a segment keeps every such address
    /// reachable in Java. By default, a leak is reported and its memory stays allocated.
    ///
    /// The memory is released after the arena and all of its segments have become unreachable, and only then is the
    /// leak reported. For this purpose the segments have a scope of the wrapper: **do not close the wrapped arena
    /// itself, and do not allocate from it.** The segments are not mapped (`isMapped()`), even if those of the wrapped
    /// arena are. Cleanups that were attached to the scope do not run, and files that were mapped with it stay mapped.
    ///
    /// Only [LeakDetector#wrap] accepts this option, and only with [#ALL], for an arena that any thread may close, such
    /// as `Arena.ofShared()` or [dev.arenakit.SlabPool#openShared()]. It needs native access. If the close of that arena
    /// throws, the exception is logged.
    ///
    /// @param reclaimLeaked whether the memory is released
    /// @return the options with this choice
    public LeakDetection reclaimLeaked(boolean reclaimLeaked) {
        return new LeakDetection(level, longestOpen, reclaimLeaked, listener);
    }
}
