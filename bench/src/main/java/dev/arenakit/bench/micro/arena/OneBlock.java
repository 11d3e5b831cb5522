package dev.arenakit.bench.micro.arena;

import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import dev.arenakit.bench.candidate.peer.LibcAllocator;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Measures the cost of one block: open an arena, allocate, write, read a long (a byte if every byte is written, or if
/// there are fewer than eight bytes), close.
///
/// If the whole block is written, an arena that zeroes writes it twice, and an arena that does not zero writes it once.
/// Large blocks then differ by a factor of about two, even if the arenas are much further apart when only one long is
/// written.
@BenchmarkName(value = "one block",
        measures = "Opens an arena, allocates one block, writes one long or every byte, reads a long, and closes "
                + "it.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE, JdkInternals.EXPORT_BUFFER_STACK})
public class OneBlock extends MicroBenchmark {
    /// A size at which malloc maps new pages for every block. malloc reuses smaller blocks, of up to 32 MiB, once a
    /// block of the same size has been freed.
    public static final String FRESH = "67108864";

    /// Size of the block.
    @Param({"2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096", "8192", "16384", "20480",
            "32768", "65536", "262144", "524288", "1048576", "4194304", "16777216", FRESH})
    public long byteSize;

    /// How much of the block is written: `first`, which is one long, or `all`.
    @Param({"first", "all"})
    public String written = "";

    private boolean all;
    private byte value;

    /// Reads the parameter.
    @Setup
    public void choose() {
        all = written.equals("all");
    }

    /// An arena.
    @Benchmark
    public long arena(Candidate candidate) {
        try (Arena arena = candidate.open()) {
            return write(arena.allocate(byteSize, Long.BYTES), 0);
        }
    }

    /// malloc and free, critical calls.
    @Benchmark
    @CandidateName("malloc critical")
    @MemoryTraits
    public long mallocCritical() {
        long address = LibcAllocator.mallocCritical(byteSize);
        long read = write(LibcAllocator.MEMORY, address);
        LibcAllocator.freeCritical(address);
        return read;
    }

    /// Writes to a block, and reads from its end. Each candidate writes the same bytes.
    @CompilerControl(CompilerControl.Mode.INLINE)
    private long write(MemorySegment memory, long offset) {
        if (all) {
            memory.asSlice(offset, byteSize).fill(++value);
            return memory.get(JAVA_BYTE, offset + byteSize - 1);
        }
        if (byteSize < Long.BYTES) {
            memory.set(JAVA_BYTE, offset, ++value);
            return memory.get(JAVA_BYTE, offset);
        }
        memory.set(JAVA_LONG_UNALIGNED, offset, ++value);
        return memory.get(JAVA_LONG_UNALIGNED, offset);
    }

}
