package dev.arenakit.diagnostics;

import dev.arenakit.internal.diagnostics.leak.LeakProperty;
import dev.arenakit.internal.diagnostics.leak.LeakRegistry;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.diagnostics.leak.ReclaimedArena;
import dev.arenakit.internal.diagnostics.leak.WatchedArena;
import dev.arenakit.internal.scope.ScopeKinds;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;

/// Finds arenas that nobody closes.
///
/// [#wrap(Arena)] watches any arena. The arenas of a [dev.arenakit.SlabPool], a [dev.arenakit.MallocArena] and a
/// [dev.arenakit.FreeListArena] are watched from the inside, at less cost, if they are built with `leakDetection`. If the system property
/// `dev.arenakit.leakDetection` is `SAMPLED` or `ALL` when the first of them is built or opened, this is the default of
/// all their builders and factories. `dev.arenakit.leakDetection.longestOpen`, a duration such as `PT10M`, adds the
/// limit [LeakDetection#longestOpen()] to this default.
///
/// Each leak is reported once, with the stack of the opening, the thread, the age and the size: to the
/// [listener][LeakDetection#listener(java.util.function.Consumer)], as a warning of the [System.Logger]
/// `dev.arenakit.leaks`, and, if the module `jdk.jfr` is present, as the JFR event `dev.arenakit.ArenaLeak`. Of the leaks
/// with one stack, the log has the first, the tenth, the hundredth, and so on. The memory is not released, because C
/// code may hold an address in it; see [LeakDetection#reclaimLeaked(boolean)].
///
/// **When.** A daemon thread looks for leaks once a second, as long as a watched arena is open that is not lost yet.
/// [#check()] looks for them at once. An unreachable arena is found after a garbage collection.
///
/// **Cost.** A watched arena takes a stack, some objects on the heap and an entry in a table. [#summary()] says what
/// this has cost on average.
///
/// {@snippet file="dev/arenakit/diagnostics/LeakSnippets.java" region="wrap"}
public final class LeakDetector {
    private LeakDetector() {}

    /// Watches an arena at the level [LeakDetection#ALL].
    ///
    /// @param arena the arena
    /// @return an arena with the same memory, scope and threads
    public static Arena wrap(Arena arena) {
        return wrap(arena, LeakDetection.ALL);
    }

    /// Watches an arena. It is reported when nobody can close it any more: neither the result of this method nor the
    /// arena itself is reachable, and the scope is alive. Segments may be in use even then.
    ///
    /// The result allocates from the arena and closes it. An arena that cannot be closed, such as
    /// [Arena#ofAuto()] and [Arena#global()], cannot leak, and is returned as it is. At the level
    /// [LeakDetection#SAMPLED], 127 arenas of 128 are returned as they are.
    ///
    /// An arena to which a cleanup of its own scope refers is not found: it is reachable as long as its scope is.
    ///
    /// @param arena     the arena
    /// @param detection the options
    /// @return an arena with the same memory and threads, and with the same scope unless leaked memory is reclaimed
    /// @throws IllegalArgumentException if memory is to be reclaimed, and the level is not [LeakDetection#ALL] or the
    ///                                  arena is confined to a thread
    /// @throws IllegalStateException    if the arena is closed
    /// @throws IllegalCallerException   if memory is to be reclaimed, and native access is denied
    public static Arena wrap(Arena arena, LeakDetection detection) {
        if (!arena.scope().isAlive()) {
            throw new IllegalStateException("Already closed");
        }
        if (detection.reclaimLeaked()) {
            return ReclaimedArena.wrap(arena, detection);
        }
        if (!ScopeKinds.isCloseable(arena.scope())) {
            return arena;
        }
        LeakWatch open = LeakWatch.sampled(detection, arena.getClass().getName(), "",
                ScopeKinds.isConfined(arena.scope()), 0);
        return open == null ? arena : new WatchedArena(arena, open);
    }

    /// Returns how pools and arenas are watched whose builders do not choose it: as the
    /// [system properties][LeakDetector] say. It does not change while the process runs.
    ///
    /// @return the detection, or empty if these arenas are not watched
    public static Optional<LeakDetection> defaultDetection() {
        return Optional.ofNullable(LeakProperty.DETECTION);
    }

    /// Looks for leaks at once, and reports them before it returns, except the leaks that another thread is reporting.
    public static void check() {
        LeakRegistry.check();
    }

    /// Returns the watched arenas that are open now, whether they leak or not. Of the arenas that were reported as
    /// unreachable, or as left by a thread, the list contains the first thousand.
    ///
    /// @return the arenas in the order in which they were opened, with the reason [Leak.Reason#OPEN]
    public static List<Leak> open() {
        return LeakRegistry.open();
    }

    /// {@return what has been watched and what it has cost, as text, such as `Leak detection: watched arenas open=3,
    /// leaks reported=1, openings watched=1024, nanoseconds for each=1900`}
    public static String summary() {
        return LeakRegistry.summary();
    }
}
