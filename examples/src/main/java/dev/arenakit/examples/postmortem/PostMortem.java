package dev.arenakit.examples.postmortem;

import dev.arenakit.examples.process.ArenaCommand;
import dev.arenakit.examples.process.CannotShowException;
import dev.arenakit.examples.process.DoomedProcess;
import dev.arenakit.examples.process.TemporaryDirectory;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Kills a process that writes to terabytes of memory, then reads the contents of that memory.
///
/// The process is a [DoomedWriter] in a JVM of its own. The `arena` command lists, dumps, decodes and verifies the
/// files that it leaves.
public final class PostMortem {
    private static final String BASE = "my-mapped-memory";
    private static final String OTHER_DIRECTORY = System.lineSeparator()
            + "Name another directory for the demo: mvn -q -Pdemo -Ddemo.directory=DIR";

    private final PrintStream out;
    private final Path arenaJar;
    private final Path temporary;
    private final Duration lifetime;

    /// @param arenaJar  the `arena` command
    /// @param temporary directory in which a directory for the files is created
    /// @param lifetime  time for which the process counts before it is killed
    PostMortem(PrintStream out, Path arenaJar, Path temporary, Duration lifetime) {
        this.out = out;
        this.arenaJar = arenaJar;
        this.temporary = temporary;
        this.lifetime = lifetime;
    }

    /// Runs the example.
    ///
    /// @param args path of arena.jar, and the directory in which a directory for the files is created
    /// @throws Exception if the example fails
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
        try (TemporaryDirectory created = createDirectory()) {
            Path directory = created.path();
            out.printf("%nPOST-MORTEM%n%n");
            out.printf("A process writes to memory that is stored in files: InfiniteArena.ofShared(\"%s\")%n", BASE);
            out.printf("in the directory %s%n%n", directory);
            long reached = letWrite(directory);
            out.printf("%nIt leaves an image: a file for each allocation, and a catalog that lists them.%n%n");
            arena.run(directory, "ls", BASE);
            out.printf("These are the bytes of the image; the holes in the files are not read:%n%n");
            long begin = System.nanoTime();
            arena.run(directory, "hexdump", "--in", BASE, "untouched", "filled", "greeting");
            double seconds = (System.nanoTime() - begin) / 1e9;
            out.printf(Locale.ROOT, "The dump of both terabytes took %.2f s, including the start of the command.%n%n",
                    seconds);
            out.printf("These are the values; the classes that wrote them are not needed:%n%n");
            arena.run(directory, "show", BASE);
            arena.run(directory, "verify", BASE);
            checkCounter(directory.resolve(BASE), reached);
        }
        out.printf("The files are removed. The command `arena` is java -jar %s.%n%n", arenaJar);
    }

    private TemporaryDirectory createDirectory() throws CannotShowException {
        try {
            return TemporaryDirectory.in(temporary, "arenakit-demo-");
        } catch (IOException e) {
            throw new CannotShowException(
                    "No directory can be created for the files: parent=" + temporary + ", reason=" + e
                            + OTHER_DIRECTORY);
        }
    }

    /// Starts the process and kills it.
    ///
    /// @return the last number that it printed
    private long letWrite(Path directory) throws CannotShowException, IOException, InterruptedException {
        try (DoomedProcess writer = start(directory)) {
            out.println("  It makes four allocations:");
            out.println("    untouched  1 TiB, to which it does not write");
            out.printf("    filled     1 TiB, of which it fills bytes %d to %d with the value %d%n",
                    DoomedWriter.FILL_BEGIN, DoomedWriter.FILL_END - 1, DoomedWriter.FILL);
            out.printf("    greeting   16 bytes, to which it writes \"%s\"%n", DoomedWriter.TEXT);
            out.printf("    counter    8 bytes, in which it counts until it is killed%n%n");
            DoomedProcess.Death death = writer.killAfter(lifetime);
            out.printf(Locale.ROOT, "  Its last line of output is \"%s%,d\". It is killed by kill -9: exit code %d.%n",
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

    /// Reads the counter with [ArenaImage], as a program does.
    private void checkCounter(Path base, long reached) throws CannotShowException, IOException {
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            Allocation counter = image.find("counter").orElseThrow();
            long count = image.segment(counter, arena).get(JAVA_LONG, 0);
            if (count < reached) {
                throw new CannotShowException("Stores were lost: counter=" + count + ", reached=" + reached);
            }
            out.printf(Locale.ROOT, "The value of the counter is %,d: no store was lost.%n", count);
        }
    }
}
