package dev.arenakit.bench.contestant;

import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// The state of a benchmark that does some work with an arena: the workload that this JVM measures.
@State(Scope.Benchmark)
public class Work {
    private static final Constant<Workload> WORKLOAD = Constant.unset();

    /// Name of the workload.
    @Param({Plan.ONE, Plan.TEN, Plan.HUNDRED, Plan.ONE_MIXED, Plan.TEN_MIXED, Plan.HUNDRED_MIXED})
    public String workload = "";

    /// Creates the workload.
    @Setup
    public void create() {
        WORKLOAD.set(Workloads.create(workload));
    }

    /// Does the work once.
    ///
    /// @param arena open
    /// @return what the workload returns
    @CompilerControl(CompilerControl.Mode.INLINE)
    public long run(Arena arena) {
        return WORKLOAD.get().run(arena);
    }

    /// {@return the workload, for those that have no arena to do it with: one of the harness's own}
    public Plan plan() {
        return (Plan) WORKLOAD.get();
    }
}
