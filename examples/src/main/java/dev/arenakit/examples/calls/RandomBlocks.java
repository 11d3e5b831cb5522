package dev.arenakit.examples.calls;

import dev.arenakit.examples.PairedTimes;
import dev.arenakit.examples.TemporaryDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

/// Reads random blocks of 4 KiB of a large file in several ways, compares the results, and prints how long each way
/// takes, as a table in Markdown.
public final class RandomBlocks {
    private static final int BLOCK_BYTE_SIZE = 4096;
    private static final int MIB = 1 << 20;

    private final PrintStream out;
    private final PairedTimes times;
    private final int count;
    private final MemorySegment positions;
    private final MemorySegment blocks;

    private RandomBlocks(PrintStream out, Arena arena, long fileByteSize, int count, long roundNanos) {
        this.out = out;
        this.count = count;
        times = new PairedTimes(out, roundNanos);
        positions = arena.allocate(JAVA_LONG, count);
        blocks = arena.allocate((long) count * BLOCK_BYTE_SIZE, BLOCK_BYTE_SIZE);
        Random random = new Random(25);
        for (int i = 0; i < count; i++) {
            long block = random.nextLong(fileByteSize / BLOCK_BYTE_SIZE);
            positions.setAtIndex(JAVA_LONG, i, block * BLOCK_BYTE_SIZE);
        }
    }

    /// Runs the example with 10,000 blocks of a file of 1 GiB.
    ///
    /// @param args the directory in which a directory for the file is created, on a file system of a disk
    /// @throws Exception if the file cannot be written or read
    public static void main(String[] args) throws Exception {
        run(System.out, Path.of(args[0]), 1L << 30, 10_000, 100_000_000);
    }

    static void run(PrintStream out, Path temporary, long fileByteSize, int count, long roundNanos)
            throws IOException, InterruptedException {
        try (TemporaryDirectory created = TemporaryDirectory.in(temporary, "arenakit-blocks-");
                Arena arena = Arena.ofConfined()) {
            Path file = created.path().resolve("blocks");
            write(file, fileByteSize);
            new RandomBlocks(out, arena, fileByteSize, count, roundNanos).compare(created.path(), file);
        }
    }

    /// Writes a file of random bytes. It has no holes, since holes would be read without the disk.
    private static void write(Path file, long byteSize) throws IOException {
        byte[] bytes = new byte[MIB];
        Random random = new Random(26);
        try (FileChannel channel = FileChannel.open(file, CREATE_NEW, WRITE)) {
            for (long done = 0; done < byteSize; done += MIB) {
                random.nextBytes(bytes);
                ByteBuffer buffer = ByteBuffer.wrap(bytes);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
            channel.force(true); // Pages that are not yet on the disk cannot be dropped from the cache.
        }
    }

    private void compare(Path directory, Path file) throws IOException, InterruptedException {
        times.printHead("FileChannel", "the other");
        try (NativeFile cached = NativeFile.open(file)) {
            // The cache is first: after a run from the disk, the same blocks took twice as long from the cache.
            compare(directory, file, "in the page cache", () -> 0);
            compare(directory, file, "from the disk", () -> {
                cached.dropPages();
                return 0;
            });
        }
    }

    /// Compares all readers with the channel. The condition is prepared before each reading.
    private void compare(Path directory, Path file, String condition, PairedTimes.Work preparation)
            throws IOException, InterruptedException {
        try (BlockReader channel = new ChannelReader(file)) {
            try (BlockReader reader = new PreadvReader(file)) {
                compare(channel, reader, condition, preparation);
            }
            try (CompiledBatch batch = CompiledBatch.compile(directory);
                    BlockReader reader = new CompiledReader(batch, file)) {
                compare(channel, reader, condition, preparation);
            } catch (UnsupportedOperationException e) {
                out.println("| pread in C | skipped | " + e.getMessage() + " | |");
            }
            try (BlockReader reader = new UringReader(file)) {
                compare(channel, reader, condition, preparation);
            } catch (UnsupportedOperationException e) {
                out.println("| io_uring | skipped | " + e.getMessage() + " | |");
            }
        }
    }

    private void compare(BlockReader first, BlockReader second, String condition, PairedTimes.Work preparation)
            throws IOException {
        first.read(positions, blocks);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment expected = arena.allocate(blocks.byteSize()).copyFrom(blocks);
            second.read(positions, blocks.fill((byte) 0));
            if (blocks.mismatch(expected) >= 0) {
                throw new IllegalStateException("Blocks differ: first=" + first + ", second=" + second);
            }
        }
        times.compare(second + ", " + condition, count, () -> preparation.run() + read(first),
                () -> preparation.run() + read(second));
    }

    private long read(BlockReader reader) throws IOException {
        reader.read(positions, blocks);
        return blocks.get(JAVA_LONG, 0);
    }
}
