package dev.arenakit.contract;

/// What is asked of every arena, as tests. Implement [#open] and [#capabilities] in a test class, and [#held] where the
/// arena's memory can be counted; the package's page shows one.
///
/// The suite allocates at most 64 MiB in one arena, alignment included, and has at most three arenas open at a time: a
/// pool behind [#open] has to allow that. It takes a fraction of a second.
public interface ArenaContract
        extends
            AllocationContract,
            ContentContract,
            RefusalContract,
            LifetimeContract,
            ReuseContract,
            ThreadContract,
            RaceContract {}
