package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the cost of the whole lifetime of an arena in files, against an arena of the JDK: open, allocate 100 bytes,
/// close.
///
/// A file is created, mapped, unmapped and deleted each time. Its memory is not touched, and its address is returned.
/// An arena in files is not meant for this use.
@BenchmarkName(value = "mapped scope",
        measures = "Opens an arena in files, allocates 100 bytes, and closes it, which unmaps and deletes the "
                + "file.")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = JvmArgs.NATIVE_ACCESS)
public class MappedScope {
    private static final long BYTE_SIZE = 100;

    private final Scratch scratch = new Scratch();

    /// Deletes the directory.
    @TearDown
    public void delete() throws IOException {
        scratch.delete();
    }

    /// The JDK's arena.
    @Benchmark
    @CandidateName("Arena.ofConfined")
    public long ofConfined() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(BYTE_SIZE).address();
        }
    }

    /// A file per allocation.
    @Benchmark
    @CandidateName("InfiniteArena file each")
    public long fileEach() {
        try (Arena arena = InfiniteArena.builder(scratch.base()).confined().deleteOnClose().build()) {
            return arena.allocate(BYTE_SIZE).address();
        }
    }

    /// A slice of a file of 1 TiB.
    @Benchmark
    @CandidateName("InfiniteArena chunked")
    public long chunked() {
        try (Arena arena = InfiniteArena.builder(scratch.base()).chunked().confined().deleteOnClose().build()) {
            return arena.allocate(BYTE_SIZE).address();
        }
    }
}
