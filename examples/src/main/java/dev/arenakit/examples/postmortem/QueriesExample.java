package dev.arenakit.examples.postmortem;

import dev.arenakit.examples.process.ArenaCommand;
import dev.arenakit.examples.process.CannotShowException;
import dev.arenakit.examples.process.DoomedProcess;
import dev.arenakit.examples.process.TemporaryDirectory;
import dev.arenakit.mapped.ArenaImage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/// Queries in SQL the image of a process that had to be killed, the process of [WrongFieldExample]. `docs/sql.md`
/// describes the queries, with the output of this example.
public final class QueriesExample {
    private static final String BASE = "desk";
    private static final String COPY = "desk-at-noon";
    private static final String FILE = "positions.parquet";

    private final PrintStream out;
    private final Path arenaJar;
    private final Path duckDb;
    private final Path directory;

    /// @param arenaJar  the `arena` command
    /// @param duckDb    the library of DuckDB, or the jar that contains it
    /// @param directory directory of the image
    QueriesExample(PrintStream out, Path arenaJar, Path duckDb, Path directory) {
        this.out = out;
        this.arenaJar = arenaJar;
        this.duckDb = duckDb;
        this.directory = directory;
    }

    /// Runs the example.
    ///
    /// @param args path of arena.jar, path of DuckDB, and the directory in which a directory for the image is created
    /// @throws Exception if the example fails
    public static void main(String[] args) throws Exception {
        try (TemporaryDirectory created = TemporaryDirectory.in(Path.of(args[2]), "arenakit-desk-")) {
            new QueriesExample(System.out, Path.of(args[0]), Path.of(args[1]), created.path()).run();
        } catch (CannotShowException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    void run() throws CannotShowException, IOException, InterruptedException {
        Path base = directory.resolve(BASE);
        try (DoomedProcess desk = DoomedProcess.start(PositionWriter.class, base.toString())) {
            try (ArenaImage image = ArenaImage.open(base)) {
                image.copyTo(directory.resolve(COPY));
            }
            desk.write(PositionWriter.GO_ON);
            DoomedProcess.Death _ = desk.killAfter(Duration.ZERO);
        }
        ArenaCommand arena = new ArenaCommand(arenaJar, out,
                Map.of("ARENAKIT_DUCKDB", duckDb.toAbsolutePath().toString()));
        arena.run(directory, "sql", BASE,
                "select symbol, sum(quantity) from positions group by 1 having sum(quantity) < 0");
        arena.run(directory, "sql", BASE, "--as", "noon=" + COPY, """

                  select rowid, n.quantity as noon, p.quantity as now
                  from positions p join noon.positions n using (rowid)
                  where noon <> now""");
        arena.run(directory, "sql", BASE, "select column_name, column_type from (describe positions)");
        arena.run(directory, "sql", BASE, "copy (from positions where quantity > 0) to '" + FILE + "'");
        arena.run(directory, "sql", BASE, "select count(*), avg(price) from '" + FILE + "'");
    }
}
