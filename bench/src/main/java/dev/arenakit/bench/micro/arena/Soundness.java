package dev.arenakit.bench.micro.arena;

import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.Candidates;
import dev.arenakit.bench.candidate.ContractException;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.LeakException;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import dev.arenakit.bench.contract.JUnitContractSuite;
import dev.arenakit.bench.report.BenchmarkName;
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

/// Checks the arenas of a provider that is plugged in, before they are measured: whether they give their memory
/// back, and whether they pass the contract of every arena.
///
/// The check runs once for each provider, in a JVM of its own. The time of the check means nothing.
@BenchmarkName(value = "soundness",
        measures = "Checks whether a plugged-in arena fulfils the contract of arenas; its time means nothing.")
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
// The heap is touched at the start, so that it does not grow during the check.
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK, "-Xms128m", "-Xmx128m",
        "-XX:+AlwaysPreTouch"})
public class Soundness {
    // The amount is far more than the JVM itself allocates meanwhile, and harmless if all of it leaks.
    private static final long CHECKED_BYTES = 64 << 20;
    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final Path STATUS = Path.of("/proc/self/status");

    /// Checks the arenas of a provider. The memory is checked before the contract's tests run, since they use memory
    /// themselves.
    ///
    /// @return the number of allocated bytes
    /// @throws LeakException     if memory is not given back
    /// @throws ContractException if a test of the contract fails
    @Benchmark
    public long arena(Candidate candidate) throws IOException {
        long allocated = sessions(candidate, 64, 1024) + sessions(candidate, 1, 64);
        JUnitContractSuite.run(Candidates.find(candidate.provider));
        return allocated;
    }

    private static long sessions(Candidate candidate, int blocks, long byteSize) throws IOException {
        allocate(candidate, blocks, byteSize, CHECKED_BYTES / 4);
        long before = residentBytes();
        long allocated = allocate(candidate, blocks, byteSize, CHECKED_BYTES);
        long grown = residentBytes() - before;
        if (allocated >= CHECKED_BYTES / 4 && grown > allocated / 2) {
            throw new LeakException("Memory is not given back: provider=" + candidate.provider + ", allocated="
                    + allocated + ", stillResident=" + grown);
        }
        return allocated;
    }

    /// Allocates at least a number of bytes, but stops after [#MAX_NANOS].
    private static long allocate(Candidate candidate, int blocks, long byteSize, long bytes) {
        long begun = System.nanoTime();
        long allocated = 0;
        while (allocated < bytes && System.nanoTime() - begun < MAX_NANOS) {
            MemorySegment.Scope scope = session(candidate, blocks, byteSize);
            if (scope.isAlive()) {
                throw new IllegalStateException("Scope is alive after close: provider=" + candidate.provider);
            }
            allocated += blocks * byteSize;
        }
        return allocated;
    }

    private static MemorySegment.Scope session(Candidate candidate, int blocks, long byteSize) {
        try (Arena arena = candidate.open()) {
            for (int i = 0; i < blocks; i++) {
                MemorySegment block = arena.allocate(byteSize, Long.BYTES);
                if (block.byteSize() != byteSize) {
                    throw new IllegalStateException("A segment has another size than was requested: byteSize="
                            + block.byteSize() + ", requested=" + byteSize + ", provider=" + candidate.provider);
                }
                if (block.address() % Long.BYTES != 0) {
                    throw new IllegalStateException("A segment is not aligned to 8: address=0x"
                            + Long.toHexString(block.address()) + ", provider=" + candidate.provider);
                }
                block.fill((byte) i);
                block.set(JAVA_LONG, 0, i);
            }
            return arena.scope();
        }
    }

    /// Returns the resident memory of this process; 0 if the system does not report it.
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
