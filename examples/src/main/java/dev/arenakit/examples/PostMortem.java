package dev.arenakit.examples;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Kills a process that writes to terabytes of memory, then reads what that memory held.
///
/// The process is a [DoomedWriter] in a JVM of its own. What it leaves is listed, dumped, decoded and verified with the `arena`
/// command, as anybody would who comes to look.
public final class PostMortem {
    private static final String BASE = "my-mapped-memory";
    private static final String OTHER_DIRECTORY = System.lineSeparator()
            + "Name another directory for the demo: mvn -q -Pdemo -Ddemo.directory=DIR";

    private final PrintStream out;
    private final Path arenaJar;
    private final Path temporary;
    private final Duration lifetime;

    /// @param arenaJar  the `arena` command
    /// @param temporary where to make a directory for the files
    /// @param lifetime  how long the process counts before it is killed
    PostMortem(PrintStream out, Path arenaJar, Path temporary, Duration lifetime) {
        this.out = out;
        this.arenaJar = arenaJar;
        this.temporary = temporary;
        this.lifetime = lifetime;
    }

    /// Runs the example.
    ///
    /// @param args path of arena.jar, and the directory in which to make a directory for the files
    /// @throws Exception when something unforeseen happens
    public static void main(String[] args) throws Exception {
        try {
            new PostMortem(System.out, Path.of(args[0]), Path.of(args[1]), Duration.ofMillis(600)).run();
        } catch (CannotShowException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    void run() throws CannotShowException, IOException, InterruptedException {
        ArenaCommand arena = new ArenaCommand(arenaJar, out);
        try (Workplace workplace = workplace()) {
            Path directory = workplace.path();
            out.printf("%nTHE POST-MORTEM%n%n");
            out.printf("A process writes to memory in files: InfiniteArena.ofShared(\"%s\")%n", BASE);
            out.printf("in the directory %s%n%n", directory);
            long told = letWrite(directory);
            out.printf("%nWhat it leaves is an image: a file for each allocation, and a catalog of them.%n%n");
            arena.run(directory, "ls", BASE);
            out.printf("Its bytes, without reading the holes between them:%n%n");
            long begin = System.nanoTime();
            arena.run(directory, "hexdump", "--in", BASE, "untouched", "filled", "greeting");
            double seconds = (System.nanoTime() - begin) / 1e9;
            out.printf(Locale.ROOT, "Both terabytes were dumped in %.2f s, starting the command included.%n%n",
                    seconds);
            out.printf("Its values, without the classes that wrote them:%n%n");
            arena.run(directory, "show", BASE);
            arena.run(directory, "verify", BASE);
            tellCounter(directory.resolve(BASE), told);
        }
        out.printf("The files are removed again. `arena` is java -jar %s.%n%n", arenaJar);
    }

    private Workplace workplace() throws CannotShowException {
        try {
            return Workplace.in(temporary, "arenakit-demo-");
        } catch (IOException e) {
            throw new CannotShowException(
                    "No directory can be made for the files: parent=" + temporary + ", reason=" + e
                            + OTHER_DIRECTORY);
        }
    }

    /// Starts the process and kills it.
    ///
    /// @return the last number that it told
    private long letWrite(Path directory) throws CannotShowException, IOException, InterruptedException {
        try (DoomedProcess writer = start(directory)) {
            out.println("  It allocates 1 TiB and leaves it alone,");
            out.printf("  1 TiB whose bytes %d to %d it fills with %d,%n", DoomedWriter.FILL_BEGIN,
                    DoomedWriter.FILL_END - 1, DoomedWriter.FILL);
            out.printf("  16 bytes where it writes \"%s\",%n", DoomedWriter.TEXT);
            out.printf("  and 8 bytes where it counts until it is killed.%n%n");
            DoomedProcess.Death death = writer.killAfter(lifetime);
            out.printf(Locale.ROOT, "  The last that it says is \"%s%,d\". Then kill -9, exit code %d.%n",
                    DoomedProcess.REACHED, death.reached(), death.exitCode());
            return death.reached();
        }
    }

    private static DoomedProcess start(Path directory) throws CannotShowException, IOException, InterruptedException {
        try {
            return DoomedProcess.start(DoomedWriter.class, directory.resolve(BASE).toString());
        } catch (CannotShowException e) {
            throw new CannotShowException(e.getMessage() + OTHER_DIRECTORY);
        }
    }

    /// The same in a program.
    private void tellCounter(Path base, long told) throws CannotShowException, IOException {
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            Allocation counter = image.find("counter").orElseThrow();
            long count = image.segment(counter, arena).get(JAVA_LONG, 0);
            if (count < told) {
                throw new CannotShowException("Stores were lost: counter=" + count + ", told=" + told);
            }
            out.printf(Locale.ROOT, "The counter stands at %,d: nothing that was stored is lost.%n", count);
        }
    }
}
