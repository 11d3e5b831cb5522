package dev.arenakit.bench.micro;

import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.bench.candidate.StoreDirectory;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.mapped.io.SegmentWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the time to write a million structs of 40 bytes as Apache Arrow.
///
/// The baseline writes the same structs as they are. A file is overwritten, and keeps its pages.
@BenchmarkName(value = "Arrow files", baseline = "structs as they are",
        measures = "Writes a million structs of 40 bytes to a file.")
public class ArrowFiles extends MicroBenchmark {
    private static final int COUNT = 1_000_000;

    /// Where the file is.
    @Param({StoreDirectory.TMPFS, StoreDirectory.DISK})
    public String files = "";

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment trades = arena.allocate(COUNT * Trades.BYTE_SIZE, Long.BYTES);
    private final ArrowIpc columns = ArrowIpc.file(Trades.TYPE);
    private final ArrowIpc symbols = columns.withTextDictionaries("symbol");
    private @Nullable StoreDirectory directory;
    private Path path = Path.of("");

    /// Fills the structs.
    @Setup
    public void fill() {
        Trades.fill(trades, COUNT);
        StoreDirectory created = StoreDirectory.create(files);
        directory = created;
        path = created.path().resolve("trades");
    }

    /// Deletes the file.
    @TearDown
    public void delete() {
        if (directory != null) {
            directory.close();
        }
        arena.close();
    }

    /// The bytes of the structs.
    @Benchmark
    @CandidateName("structs as they are")
    public long structs() throws IOException {
        try (SegmentWriter file = SegmentWriter.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            return file.write(trades);
        }
    }

    /// All columns.
    @Benchmark
    @CandidateName("ArrowIpc")
    public long columns() throws IOException {
        return write(columns);
    }

    /// The symbols have a dictionary, for which the structs are read twice.
    @Benchmark
    @CandidateName("ArrowIpc, dictionary of symbols")
    public long dictionary() throws IOException {
        return write(symbols);
    }

    private long write(ArrowIpc format) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            format.write(file, trades);
            return file.position();
        }
    }
}
