package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.SetupTime;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of the first store to a page of a sparse file, against a page of the JDK's arena: open, allocate 4
/// KiB, store, close.
///
/// The pages are consecutive. The file is deleted and started again after 128 MiB, outside of the measurement, so the
/// disk never has more than 128 MiB of it. The JDK's page has usually been touched before, but is zeroed each time.
@BenchmarkName(value = "first touch",
        measures = "Stores to a page of a file for the first time, against a whole arena of the JDK: open, allocate 4 "
                + "KiB, store, close.")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = JvmArgs.NATIVE_ACCESS)
public class FirstTouch {
    private static final long PAGE = 4096;
    private static final long MOST_BYTES = 128L << 20;

    private long value;

    /// The JDK's arena.
    @Benchmark
    @CandidateName("Arena.ofConfined")
    public long ofConfined() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(PAGE);
            page.set(JAVA_LONG, 0, ++value);
            return page.get(JAVA_LONG, 0);
        }
    }

    /// The next page of a file.
    @Benchmark
    @CandidateName("InfiniteArena")
    public long mapped(Pages pages) {
        long offset = pages.next;
        pages.next = offset + PAGE;
        pages.block.set(JAVA_LONG, offset, ++value);
        return pages.block.get(JAVA_LONG, offset);
    }

    /// A block of pages that have not been touched.
    @State(Scope.Thread)
    public static class Pages {
        private final Scratch scratch = new Scratch();
        private InfiniteArena arena = InfiniteArena.builder(scratch.base()).deleteOnClose().build();
        MemorySegment block = arena.allocate(MOST_BYTES, PAGE);
        long next;

        /// Replaces the file when all pages have been touched.
        @Setup(Level.Invocation)
        public void exchange() {
            if (next == MOST_BYTES) {
                SetupTime.run(this::replace);
            }
        }

        private void replace() {
            arena.close();
            arena = InfiniteArena.builder(scratch.base()).deleteOnClose().build();
            block = arena.allocate(MOST_BYTES, PAGE);
            next = 0;
        }

        /// Deletes the file and its directory.
        @TearDown
        public void delete() throws IOException {
            arena.close();
            scratch.delete();
        }
    }
}
