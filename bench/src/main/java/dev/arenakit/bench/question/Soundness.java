package dev.arenakit.bench.question;

import dev.arenakit.bench.contestant.Contestant;
import dev.arenakit.bench.contestant.JdkPeers;
import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.contestant.LeakException;
import dev.arenakit.bench.report.Question;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Does an arena do what is measured at all: hand out memory that can be written, end its scope, and give the memory back?
///
/// It is asked once of every provider that is plugged in, before it is measured, and in a JVM of its own. The time it takes
/// means nothing.
@Question("soundness")
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
// The heap is in memory from the start, so that what grows is not the heap.
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.EXPORT_BUFFER_STACK, "-Xms64m", "-Xmx64m",
        "-XX:+AlwaysPreTouch"})
public class Soundness {
    // Enough to stand out from what the JVM itself takes meanwhile, and no burden where all of it leaks.
    private static final long TELLING = 64 << 20;
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final Path STATUS = Path.of("/proc/self/status");

    /// An arena.
    ///
    /// @return how many bytes were allocated
    @Benchmark
    public long arena(Contestant contestant) throws IOException {
        return sessions(contestant, 64, 1024) + sessions(contestant, 1, 64);
    }

    private static long sessions(Contestant contestant, int blocks, long byteSize) throws IOException {
        allocate(contestant, blocks, byteSize, TELLING / 4);
        long before = residentBytes();
        long allocated = allocate(contestant, blocks, byteSize, TELLING);
        long grown = residentBytes() - before;
        if (allocated >= TELLING / 4 && grown > allocated / 2) {
            throw new LeakException("Memory is not given back: provider=" + contestant.provider + ", allocated="
                    + allocated + ", stillResident=" + grown);
        }
        return allocated;
    }

    /// Allocates at least so many bytes, if that does not take too long.
    private static long allocate(Contestant contestant, int blocks, long byteSize, long bytes) {
        long begun = System.nanoTime();
        long allocated = 0;
        while (allocated < bytes && System.nanoTime() - begun < LONGEST_NANOS) {
            MemorySegment.Scope scope = session(contestant, blocks, byteSize);
            if (scope.isAlive()) {
                throw new LeakException("Scope is alive after close: provider=" + contestant.provider);
            }
            allocated += blocks * byteSize;
        }
        return allocated;
    }

    private static MemorySegment.Scope session(Contestant contestant, int blocks, long byteSize) {
        try (Arena arena = contestant.open()) {
            for (int i = 0; i < blocks; i++) {
                MemorySegment block = arena.allocate(byteSize, Long.BYTES);
                if (block.byteSize() != byteSize || block.address() % Long.BYTES != 0) {
                    throw new IllegalStateException("Not the block that was asked for: provider=" + contestant.provider
                            + ", byteSize=" + byteSize + ", byteAlignment=8, got=" + block);
                }
                block.fill((byte) i);
                block.set(JAVA_LONG, 0, i);
            }
            return arena.scope();
        }
    }

    /// 0 where the system does not tell.
    private static long residentBytes() throws IOException {
        if (!Files.isReadable(STATUS)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(0);
        }
    }
}
