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
import java.util.Locale;

/// Finds the wrong field in the memory of a process that had to be killed. `docs/post-mortem.md` describes the search,
/// with the output of this example.
public final class WrongFieldExample {
    private static final String BASE = "desk";
    private static final String COPY = "desk-at-noon";

    private final PrintStream out;
    private final Path arenaJar;
    private final Path directory;

    /// @param arenaJar  the `arena` command
    /// @param directory directory of the image
    WrongFieldExample(PrintStream out, Path arenaJar, Path directory) {
        this.out = out;
        this.arenaJar = arenaJar;
        this.directory = directory;
    }

    /// Runs the example.
    ///
    /// @param args path of arena.jar, and the directory in which a directory for the image is created
    /// @throws Exception if the example fails
    public static void main(String[] args) throws Exception {
        try (TemporaryDirectory created = TemporaryDirectory.in(Path.of(args[1]), "arenakit-desk-")) {
            new WrongFieldExample(System.out, Path.of(args[0]), created.path()).run();
        } catch (CannotShowException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    void run() throws CannotShowException, IOException, InterruptedException {
        ArenaCommand arena = new ArenaCommand(arenaJar, out);
        Path base = directory.resolve(BASE);
        try (DoomedProcess desk = DoomedProcess.start(PositionWriter.class, base.toString())) {
            try (ArenaImage image = ArenaImage.open(base)) {
                image.copyTo(directory.resolve(COPY));
            }
            desk.write(PositionWriter.GO_ON);
            DoomedProcess.Death death = desk.killAfter(Duration.ZERO);
            out.printf(Locale.ROOT, "  $ kill -9 PID%n  exit code %d%n%n", death.exitCode());
        }
        arena.run(directory, "ls");
        arena.run(directory, "verify", BASE);
        arena.run(directory, "ls", BASE);
        arena.runWithDifference(directory, "diff", COPY, BASE);
        arena.run(directory, "find", BASE, "positions", "--where", "quantity < 0");
        arena.run(directory, "show", BASE, "positions[7072]");
        arena.run(directory, "hexdump", "--in", BASE, "positions", "--annotate", "-s", "221K", "-n", "64");
        arena.run(directory, "purge", "--dry-run");
    }
}
