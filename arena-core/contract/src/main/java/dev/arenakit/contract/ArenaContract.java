package dev.arenakit.contract;

/// The tests that every arena must pass.
///
/// A test class implements this interface with [#open] and [#capabilities], and with [#held] if the memory of the
/// arenas can be measured. The [package description][dev.arenakit.contract] has a complete example.
///
/// The suite allocates at most 64 MiB in one arena, including alignment, and has at most three arenas open at the same
/// time. A pool with a limit must allow that. The suite takes a fraction of a second.
public interface ArenaContract
        extends
            AllocationContract,
            ContentContract,
            RefusalContract,
            LifetimeContract,
            ReuseContract,
            ThreadContract,
            RaceContract {}
