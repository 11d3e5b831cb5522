package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.UnavailableException;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.SqlResult;
import dev.arenakit.sql.StructSql;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures queries in SQL over 10 million structs of 40 bytes with 500 symbols, in a Java heap of 64 MiB.
///
/// The baseline is the same query over a table of DuckDB with the same rows. The image has 1 TiB, of which 1,000 pages
/// were written. The environment variable `ARENAKIT_DUCKDB` names the library.
@BenchmarkName(value = "queries in SQL", baseline = "group, DuckDB's own table",
        measures = "Executes a query in SQL over 10 million structs of 40 bytes, or over an image of 1 TiB.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, "-Xms64m", "-Xmx64m"})
public class SqlQueries extends MicroBenchmark {
    private static final int COUNT = 10_000_000;
    private static final int SYMBOLS = 500;
    private static final long IMAGE = 1L << 40;
    private static final int PAGES = 1_000;
    private static final int PAGE = 4096;
    private static final StructType TRADE = LayoutText.parse("""
            #pragma layout 2
            struct Trade { int64_t id; int32_t quantity; int32_t venue; double price; char symbol[8]; int64_t time; };
            """);
    private static final long BYTES = TRADE.byteSize();
    private static final String GROUP = "select symbol, sum(quantity)::bigint, avg(price) from %s group by 1";

    /// Groups a table of DuckDB.
    @Benchmark
    @CandidateName("group, DuckDB's own table")
    public long own(Own own, Trades trades) {
        return sum(trades.sql, own.query);
    }

    /// Groups structs.
    @Benchmark
    @CandidateName("group, structs")
    public long structs(Trades trades) {
        return sum(trades.sql, GROUP.formatted("trades"));
    }

    /// Adds up one member of structs.
    @Benchmark
    @CandidateName("sum, structs")
    public long sum(Trades trades) {
        return sum(trades.sql, "select 'all', sum(quantity)::bigint from trades");
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

    private static void fill(MemorySegment trades, long count) {
        byte[][] symbols = new byte[SYMBOLS][];
        for (int i = 0; i < SYMBOLS; i++) {
            symbols[i] = ("ARNA" + i).getBytes(StandardCharsets.US_ASCII);
        }
        for (long i = 0; i < count; i++) {
            long at = i * BYTES;
            byte[] symbol = symbols[(int) (i * 7_919 % SYMBOLS)];
            trades.set(JAVA_LONG, at, i + 1);
            trades.set(JAVA_INT, at + 8, (int) (i % 1_000));
            trades.set(JAVA_INT, at + 12, (int) (i % 16));
            trades.set(JAVA_DOUBLE, at + 16, i % 10_000 / 4.0);
            MemorySegment.copy(symbol, 0, trades, JAVA_BYTE, at + 24, symbol.length);
            trades.set(JAVA_LONG, at + 32, i);
        }
    }

    /// Structs in memory.
    @State(Scope.Benchmark)
    public static class Trades {
        private final StructSql sql = open();
        private final Arena arena = Arena.ofShared();

        /// Fills the structs.
        @Setup
        public void fill() {
            MemorySegment trades = arena.allocate(COUNT * BYTES, Long.BYTES);
            SqlQueries.fill(trades, COUNT);
            sql.table("trades", TRADE, trades);
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
        public void copy(Trades trades) {
            trades.sql.query("create table own as from trades").close();
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
            long count = IMAGE / BYTES;
            try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
                MemorySegment trades = arena.allocate("trades", TRADE, count);
                for (int i = 0; i < PAGES; i++) {
                    long first = count / PAGES * i;
                    SqlQueries.fill(trades.asSlice(first * BYTES), PAGE / BYTES - 1);
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
