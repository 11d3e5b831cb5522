package dev.arenakit.bench.question;

import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.report.Label;
import dev.arenakit.bench.report.Question;
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

/// What does the whole lifetime of an arena in files cost, against one of the JDK's: open, allocate 100 bytes, close?
///
/// A file is made, mapped, unmapped and deleted each time, and its memory is not touched; what is returned is an address. This
/// is what such an arena is not for.
@Question("mapped scope")
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
    @Label("Arena.ofConfined")
    public long ofConfined() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(BYTE_SIZE).address();
        }
    }

    /// A file of its own.
    @Benchmark
    @Label("InfiniteArena file each")
    public long fileEach() {
        try (Arena arena = InfiniteArena.builder(scratch.base()).confined().deleteOnClose().build()) {
            return arena.allocate(BYTE_SIZE).address();
        }
    }

    /// A piece of a file of 1 TiB.
    @Benchmark
    @Label("InfiniteArena chunked")
    public long chunked() {
        try (Arena arena = InfiniteArena.builder(scratch.base()).chunked().confined().deleteOnClose().build()) {
            return arena.allocate(BYTE_SIZE).address();
        }
    }
}
