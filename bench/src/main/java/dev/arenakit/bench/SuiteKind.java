package dev.arenakit.bench;

import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.profile.Profiler;

/// The kind of a suite: the values that it measures besides the time of an operation.
enum SuiteKind {
    /// No further values.
    TIME,
    /// How much memory the process has, and how often it gets pages from the system.
    FOOTPRINT,
    /// How long the slowest operations take.
    TAILS;

    /// Returns arguments of the measuring JVMs, such as a special heap.
    List<String> jvmArgs() {
        return this == FOOTPRINT ? MemoryProfiler.TOUCHED_HEAP : List.of();
    }

    /// Returns the profilers in the order in which they are started; they are stopped in the reverse order.
    List<Class<? extends Profiler>> profilers() {
        return switch (this) {
            case TIME -> List.of(GCProfiler.class, CpuTimeProfiler.class);
            case FOOTPRINT -> List.of(GCProfiler.class, CpuTimeProfiler.class, MemoryProfiler.class);
            case TAILS -> List.of(GCProfiler.class, CpuTimeProfiler.class, LatencyProfiler.class);
        };
    }
}
