package dev.arenakit.bench.candidate;

import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Compares the result of a workload with its result in an arena of the JDK, so that no candidate is fast because its
/// memory loses written values.
///
/// The comparison follows the measurement, since the compiler would otherwise see two kinds of arenas in the workload.
@State(Scope.Benchmark)
public class WorkloadResult {
    /// Created by JMH.
    public WorkloadResult() {}

    /// Runs the workload once more in an arena of the candidate, and once in an arena of the JDK.
    ///
    /// @throws IllegalStateException if the results differ
    @TearDown
    public void compare(Candidate candidate, WorkloadState work) {
        long result;
        ArenaProvider provider = Candidates.find(candidate.provider);
        // The candidate's own factory is closed by now.
        try (ArenaFactory factory = provider.create(); Arena arena = factory.open()) {
            result = work.run(arena);
        }
        long expected;
        try (Arena arena = Arena.ofConfined()) {
            expected = work.run(arena);
        }
        if (result != expected) {
            throw new IllegalStateException("The workload has another result than in an arena of the JDK: workload="
                    + work.workload + ", provider=" + candidate.provider + ", result=" + result + ", expected="
                    + expected
                    + (provider.isZeroed() ? "" : "; the arena is not zeroed: write memory before reading it"));
        }
    }
}
