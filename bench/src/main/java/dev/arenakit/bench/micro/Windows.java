package dev.arenakit.bench.micro;

import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.mapped.io.MappedWindow;
import dev.arenakit.mapped.io.MappedWindows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of reading one long in a page of a large file through windows: lease the page, read, close.
///
/// The baseline slices the page from a mapping of the whole file. The file is sparse. The pages that are read are in
/// the page cache.
@BenchmarkName(value = "windows", baseline = "mapping of the file",
        measures = "Reads one long in a page of a large file through windows: lease the page, read, close.")
@State(Scope.Benchmark)
public class Windows extends MicroBenchmark {
    private static final long PAGE = 4096;
    private static final long FILE = 1L << 40;
    private static final long WINDOW = 1 << 20;
    private static final long MAX_WINDOWS = 8;

    /// The number of pages that a scan visits before it starts again. They fit into the page cache.
    private static final long PAGES = 4_096;

    /// The pages that are read: random pages in mapped windows, consecutive pages, or random pages that are each in
    /// another window.
    @Param({"hits", "sequential", "random"})
    public String pages = "";

    private final LargeFile file = new LargeFile();
    private final Arena arena = Arena.ofShared();
    private final FileChannel channel = file.channel();
    private MemorySegment whole = MemorySegment.NULL;
    private final MappedWindows shared = file.open(file.builder());

    /// Maps the file.
    @Setup
    public void map() throws IOException {
        file.read(pages);
        whole = channel.map(MapMode.READ_ONLY, 0, FILE, arena);
    }

    /// Deletes the file.
    @TearDown
    public void delete() throws IOException {
        channel.close();
        shared.close();
        arena.close();
        file.delete();
    }

    /// A slice of a mapping of the whole file.
    @Benchmark
    @CandidateName("mapping of the file")
    public long mapping(Cursor cursor) {
        return whole.asSlice(cursor.next(), PAGE).get(JAVA_LONG, 0);
    }

    /// Windows for one thread.
    @Benchmark
    @CandidateName("confined windows")
    public long confined(Confined confined, Cursor cursor) {
        return read(confined.windows, cursor);
    }

    /// Windows for all threads, used by one.
    @Benchmark
    @CandidateName("shared windows")
    public long shared(Cursor cursor) {
        return read(shared, cursor);
    }

    /// Windows for all threads, used by two.
    @Benchmark
    @Threads(2)
    @CandidateName("shared windows, two threads")
    public long sharedByTwo(Cursor cursor) {
        return read(shared, cursor);
    }

    /// A mapping for each page.
    @Benchmark
    @CandidateName("mapping of each page")
    public long mapEach(Cursor cursor) throws IOException {
        try (Arena confined = Arena.ofConfined()) {
            return channel.map(MapMode.READ_ONLY, cursor.next(), PAGE, confined).get(JAVA_LONG, 0);
        }
    }

    private static long read(MappedWindows windows, Cursor cursor) {
        try (MappedWindow window = windows.lease(cursor.next(), PAGE)) {
            return window.segment().get(JAVA_LONG, 0);
        }
    }

    /// The offset of the next page of a thread.
    @State(Scope.Thread)
    public static class Cursor {
        private long mask;
        private long distance;
        private long step;
        private long position;

        /// Chooses the pages.
        @Setup
        public void choose(Windows benchmark) {
            choose(benchmark.pages);
        }

        void choose(String pages) {
            // An odd step visits all numbers below a power of two.
            switch (pages) {
                case "hits" -> set(MAX_WINDOWS * WINDOW / PAGE, PAGE, 1_103);
                case "sequential" -> set(PAGES, PAGE, 1);
                default -> set(PAGES, FILE / PAGES, 6_361);
            }
        }

        private void set(long count, long distance, long step) {
            mask = count - 1;
            this.distance = distance;
            this.step = step;
        }

        long next() {
            position = (position + step) & mask;
            return position * distance;
        }
    }

    /// Windows of one thread.
    @State(Scope.Thread)
    public static class Confined {
        private final LargeFile file = new LargeFile();
        private final MappedWindows windows = file.open(file.builder().confined());

        /// Reads the pages.
        @Setup
        public void read(Windows benchmark) throws IOException {
            file.read(benchmark.pages);
        }

        /// Deletes the file.
        @TearDown
        public void delete() throws IOException {
            windows.close();
            file.delete();
        }
    }

    /// A sparse file.
    private static final class LargeFile {
        private final Path path;

        LargeFile() {
            try {
                path = Files.createTempFile("arenakit-bench-", null);
            } catch (IOException e) {
                throw new UncheckedIOException("No scratch file", e);
            }
            try (MappedWindows windows = open(builder().writable())) {
                windows.grow(FILE);
            }
        }

        MappedWindows.Builder builder() {
            return MappedWindows.builder(path).windowByteSize(WINDOW).maxByteSize(MAX_WINDOWS * WINDOW);
        }

        MappedWindows open(MappedWindows.Builder builder) {
            try {
                return builder.open();
            } catch (IOException e) {
                throw new UncheckedIOException("No windows", e);
            }
        }

        FileChannel channel() {
            try {
                return FileChannel.open(path);
            } catch (IOException e) {
                throw new UncheckedIOException("No channel", e);
            }
        }

        /// Reads all pages into the page cache. On some systems, a read through a mapping would read megabytes around
        /// each page.
        void read(String pages) throws IOException {
            Cursor cursor = new Cursor();
            cursor.choose(pages);
            ByteBuffer one = ByteBuffer.allocate(1);
            try (FileChannel channel = FileChannel.open(path)) {
                for (long i = 0; i < PAGES; i++) {
                    int _ = channel.read(one.clear(), cursor.next());
                }
            }
        }

        void delete() throws IOException {
            Files.delete(path);
        }
    }
}
