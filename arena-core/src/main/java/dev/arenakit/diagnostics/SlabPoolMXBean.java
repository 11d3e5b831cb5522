package dev.arenakit.diagnostics;

import dev.arenakit.SlabPoolStatistics;

/// The statistics of a [pool with a name][dev.arenakit.SlabPool.Builder#name] as the attribute of a management bean.
///
/// [MemoryStatistics#registerMXBeans()] registers the beans. A pool has its bean until it is closed or shut down.
public interface SlabPoolMXBean {
    /// {@return the statistics of the pool}
    ///
    /// @throws IllegalStateException if the program has lost the pool without closing it
    SlabPoolStatistics getStatistics();
}
