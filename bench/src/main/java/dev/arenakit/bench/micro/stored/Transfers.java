package dev.arenakit.bench.micro.stored;

import dev.arenakit.MallocArena;
import dev.arenakit.NativeAllocator;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.mapped.io.SegmentReader;
import dev.arenakit.mapped.io.SegmentWriter;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the cost of reading or writing a whole file in the page cache: open, transfer, close.
///
/// The array and the segment are reused, except where a candidate says otherwise. A written file already has its final
/// size.
@BenchmarkName(value = "transfers", baseline = "stream and array",
        measures = "Opens a file that is in the page cache, reads or writes all of it, and closes it.")
// The largest file is read into an array as well.
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, "-Xmx3g"})
public class Transfers extends MicroBenchmark {
    /// Size of the file. The build runs the first value and the last one.
    @Param({"8192", "1048576", "16777216", "268435456", "1073741824", "65536"})
    public int byteSize;

    /// Whether the file is read or written.
    @Param({"read", "write"})
    public String direction = "";

    private final Arena arena = Arena.ofConfined();
    private boolean write;
    private Path path = Path.of("");
    private byte[] array = new byte[0];
    private MemorySegment segment = MemorySegment.NULL;

    /// Creates the file.
    @Setup
    public void create() throws IOException {
        write = direction.equals("write");
        path = Files.createTempFile("arenakit-bench-", null);
        array = new byte[byteSize];
        segment = arena.allocate(byteSize);
        segment.fill((byte) 1);
        Files.write(path, array);
    }

    /// Deletes the file.
    @TearDown
    public void delete() throws IOException {
        Files.delete(path);
        arena.close();
    }

    /// `FileInputStream.read` or `RandomAccessFile.write`, with an array as large as the file.
    @Benchmark
    @CandidateName("stream and array")
    public long stream() throws IOException {
        if (write) {
            // A FileOutputStream would truncate the file first. It writes an array by the same code.
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                file.write(array);
            }
            return byteSize;
        }
        try (FileInputStream file = new FileInputStream(path.toFile())) {
            return all(file.read(array));
        }
    }

    /// One call of `FileChannel`, with the array.
    @Benchmark
    @CandidateName("FileChannel and array")
    public long channel() throws IOException {
        return once(ByteBuffer.wrap(array));
    }

    /// One call of `FileChannel`, with the segment.
    @Benchmark
    @CandidateName("FileChannel and segment")
    public long channelAndSegment() throws IOException {
        return once(segment.asByteBuffer());
    }

    /// The segment, in pieces of 8 KiB.
    @Benchmark
    @CandidateName("SegmentReader, 8 KiB")
    public long pieces8K() throws IOException {
        return pieces(1 << 13, segment);
    }

    /// The segment, in pieces of 64 KiB.
    @Benchmark
    @CandidateName("SegmentReader, 64 KiB")
    public long pieces64K() throws IOException {
        return pieces(1 << 16, segment);
    }

    /// The segment, in pieces of 256 KiB.
    @Benchmark
    @CandidateName("SegmentReader, 256 KiB")
    public long pieces256K() throws IOException {
        return pieces(1 << 18, segment);
    }

    /// The segment, in pieces of 1 MiB.
    @Benchmark
    @CandidateName("SegmentReader, 1 MiB")
    public long pieces1M() throws IOException {
        return pieces(1 << 20, segment);
    }

    /// The array, in pieces of the default size.
    @Benchmark
    @CandidateName("SegmentReader, array")
    public long array() throws IOException {
        return pieces(0, MemorySegment.ofArray(array));
    }

    /// A segment that is allocated for each transfer, in pieces of the default size.
    @Benchmark
    @CandidateName("SegmentReader, fresh MallocArena")
    public long freshSegment() throws IOException {
        try (MallocArena fresh = MallocArena.ofConfined()) {
            return pieces(0, fresh.allocate(byteSize));
        }
    }

    /// A fresh segment of [NativeAllocator#pages()]. It consists of huge pages if the system allows them, and only the
    /// system zeroes it.
    @Benchmark
    @CandidateName("SegmentReader, fresh pages()")
    public long freshPages() throws IOException {
        try (MallocArena fresh = MallocArena.builder().allocator(NativeAllocator.pages()).build()) {
            return pieces(0, fresh.allocate(byteSize));
        }
    }

    /// A fresh segment of the JDK's arena.
    @Benchmark
    @CandidateName("SegmentReader, fresh Arena.ofConfined")
    public long freshConfined() throws IOException {
        try (Arena fresh = Arena.ofConfined()) {
            return pieces(0, fresh.allocate(byteSize));
        }
    }

    /// The file is mapped, and copied from or to the segment.
    @Benchmark
    @CandidateName("mmap and copy")
    public long mapped() throws IOException {
        try (FileChannel file = open(); Arena mapping = Arena.ofConfined()) {
            MemorySegment map = file.map(write ? MapMode.READ_WRITE : MapMode.READ_ONLY, 0, byteSize, mapping);
            if (write) {
                map.copyFrom(segment);
            } else {
                segment.copyFrom(map);
            }
            return byteSize;
        }
    }

    private FileChannel open() throws IOException {
        return write
                ? FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)
                : FileChannel.open(path, StandardOpenOption.READ);
    }

    private long once(ByteBuffer buffer) throws IOException {
        try (FileChannel file = open()) {
            return all(write ? file.write(buffer) : file.read(buffer));
        }
    }

    /// @param pieceByteSize the size of a piece, or 0 for the default
    private long pieces(int pieceByteSize, MemorySegment memory) throws IOException {
        if (write) {
            try (SegmentWriter file = SegmentWriter.open(path, StandardOpenOption.WRITE)) {
                return all((pieceByteSize == 0 ? file : file.withPieceByteSize(pieceByteSize)).write(memory));
            }
        }
        try (SegmentReader file = SegmentReader.open(path)) {
            return all((pieceByteSize == 0 ? file : file.withPieceByteSize(pieceByteSize)).read(memory));
        }
    }

    private long all(long count) throws EOFException {
        if (count != byteSize) {
            throw new EOFException("Not all bytes: count=" + count + ", byteSize=" + byteSize);
        }
        return count;
    }
}
