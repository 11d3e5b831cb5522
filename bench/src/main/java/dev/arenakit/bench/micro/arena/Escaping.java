package dev.arenakit.bench.micro.arena;

import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.WorkloadResult;
import dev.arenakit.bench.candidate.WorkloadState;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of opening an arena, allocating from it and closing it if the arena escapes, as in many real
/// programs: code that is not compiled together with the opening and closing sees the arena.
///
/// The arena, its segments, or both are then objects on the Java heap.
@BenchmarkName(value = "escaping",
        measures = "Opens, uses and closes an arena that escapes to code that is not compiled together with it.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK})
public class Escaping extends MicroBenchmark {
    private static final int MAX_BLOCKS = 100;
    // About one session in a thousand passes its arena on.
    private static final int RARELY = 1024;

    /// The value of [#escape] that needs a workload of this project, since the segments of the workload are stored.
    public static final String STORED = "stored";

    /// How the arena escapes: `passed` to a method that is not inlined, `stored` if the segments are stored in fields
    /// as well, or `rare` if it is passed in rare cases only.
    @Param({"passed", STORED, "rare"})
    public String escape = "";

    private final @Nullable MemorySegment[] stored = new MemorySegment[MAX_BLOCKS];
    private int sessions;

    /// An arena of the provider.
    @Benchmark
    public long arena(Candidate candidate, WorkloadState work, WorkloadResult result) {
        try (Arena arena = candidate.open()) {
            return switch (escape) {
                case "passed" -> passed(arena, work);
                case STORED -> stored(arena, work.blocks());
                default -> sessions++ % RARELY == 0 ? passed(arena, work) : work.run(arena);
            };
        }
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private static long passed(Arena arena, WorkloadState work) {
        return work.run(arena);
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private long stored(Arena arena, BlockWorkload.Blocks workload) {
        for (int i = 0; i < workload.blocks(); i++) {
            MemorySegment block = arena.allocate(workload.byteSize(i), Long.BYTES);
            block.set(JAVA_LONG, 0, i);
            stored[i] = block;
        }
        long sum = 0;
        for (int i = 0; i < workload.blocks(); i++) {
            MemorySegment block = stored[i];
            sum += block == null ? 0 : block.get(JAVA_LONG, 0);
        }
        return sum;
    }
}
