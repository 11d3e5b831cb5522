package dev.arenakit.bench.micro.stored;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.peer.UnavailableException;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.SqlResult;
import dev.arenakit.sql.StructSql;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Measures queries in SQL over 10 million structs of 40 bytes with 500 symbols, in a Java heap of 64 MiB.
///
/// The baseline is the same query over a table of DuckDB with the same rows. The image has 1 TiB, of which 1,000 pages
/// were written. The environment variable `ARENAKIT_DUCKDB` names the library.
@BenchmarkName(value = "queries in SQL", baseline = "group, DuckDB's own table",
        measures = "Executes a query in SQL over 10 million structs of 40 bytes, or over an image of 1 TiB.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, "-Xms64m", "-Xmx64m"})
public class SqlQueries extends MicroBenchmark {
    private static final int COUNT = 10_000_000;
    private static final long IMAGE = 1L << 40;
    private static final int PAGES = 1_000;
    private static final int PAGE = 4096;
    private static final String GROUP = "select symbol, sum(quantity)::bigint, avg(price) from %s group by 1";

    /// Groups a table of DuckDB.
    @Benchmark
    @CandidateName("group, DuckDB's own table")
    public long own(Own own, Rows rows) {
        return sum(rows.sql, own.query);
    }

    /// Groups structs.
    @Benchmark
    @CandidateName("group, structs")
    public long structs(Rows rows) {
        return sum(rows.sql, GROUP.formatted("trades"));
    }

    /// Adds up one member of structs.
    @Benchmark
    @CandidateName("sum, structs")
    public long sum(Rows rows) {
        return sum(rows.sql, "select 'all', sum(quantity)::bigint from trades");
    }

    /// Groups the structs of an image.
    @Benchmark
    @CandidateName("group, an image of 1 TiB with 1,000 pages")
    public long image(Image image) {
        return sum(image.sql, GROUP.formatted("desk.trades"));
    }

    private static long sum(StructSql sql, String query) {
        try (SqlResult result = sql.query(query)) {
            long sum = 0;
            while (result.next()) {
                sum += result.longValue(1);
            }
            return sum;
        }
    }

    private static StructSql open() {
        if (System.getenv().getOrDefault("ARENAKIT_DUCKDB", "").isEmpty()) {
            throw new UnavailableException("DuckDB is not found: set ARENAKIT_DUCKDB to the path of its library, or of"
                    + " the jar org.duckdb:duckdb_jdbc");
        }
        try {
            return StructSql.open();
        } catch (SqlException e) {
            throw new UnavailableException(String.valueOf(e.getMessage()));
        }
    }

    /// Structs in memory.
    @State(Scope.Benchmark)
    public static class Rows {
        private final StructSql sql = open();
        private final Arena arena = Arena.ofShared();

        /// Fills the structs.
        @Setup
        public void fill() {
            MemorySegment trades = arena.allocate(COUNT * Trades.BYTE_SIZE, Long.BYTES);
            Trades.fill(trades, COUNT);
            sql.table("trades", Trades.TYPE, trades);
        }

        /// Frees the structs.
        @TearDown
        public void close() {
            sql.close();
            arena.close();
        }
    }

    /// A table of DuckDB.
    @State(Scope.Benchmark)
    public static class Own {
        private final String query = GROUP.formatted("own");

        /// Copies the structs.
        @Setup
        public void copy(Rows rows) {
            rows.sql.query("create table own as from trades").close();
        }
    }

    /// An image in sparse files.
    @State(Scope.Benchmark)
    public static class Image {
        private final StructSql sql = open();
        private Path directory = Path.of("");

        /// Writes some pages.
        @Setup
        public void write() throws IOException {
            directory = Files.createTempDirectory("arenakit-bench-");
            Path base = directory.resolve("desk");
            long count = IMAGE / Trades.BYTE_SIZE;
            try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
                MemorySegment trades = arena.names().allocate("trades", Trades.TYPE, count);
                for (int i = 0; i < PAGES; i++) {
                    long first = count / PAGES * i;
                    Trades.fill(trades.asSlice(first * Trades.BYTE_SIZE), PAGE / Trades.BYTE_SIZE - 1);
                }
            }
            try (ArenaImage image = ArenaImage.open(base)) {
                sql.image("desk", image);
            }
        }

        /// Deletes the files.
        @TearDown
        public void delete() throws IOException {
            sql.close();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }
}
