package dev.arenakit.bench.candidate;

import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// The state of a benchmark that runs a workload: the workload that this JVM measures.
@State(Scope.Benchmark)
public class WorkloadState {
    private static final SettableConstant<Workload> WORKLOAD = SettableConstant.unset();

    /// Name of the workload.
    @Param({BlockWorkload.ONE, BlockWorkload.TEN, BlockWorkload.HUNDRED, BlockWorkload.ONE_MIXED,
            BlockWorkload.TEN_MIXED, BlockWorkload.HUNDRED_MIXED})
    public String workload = "";

    /// Creates the workload.
    @Setup
    public void create() {
        WORKLOAD.set(Workloads.create(workload));
    }

    /// Runs the workload once.
    ///
    /// @param arena an open arena
    /// @return the value that the workload returns
    @CompilerControl(CompilerControl.Mode.INLINE)
    public long run(Arena arena) {
        return WORKLOAD.get().run(arena);
    }

    /// {@return the workload, which must be a built-in one, for candidates without an arena}
    public BlockWorkload.Blocks blocks() {
        return (BlockWorkload.Blocks) WORKLOAD.get();
    }
}
