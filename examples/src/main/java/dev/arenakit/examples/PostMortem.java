package dev.arenakit.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Kills a process that writes to terabytes of memory, then reads what that memory held.
///
/// The process is a [DoomedWriter] in a JVM of its own. What it leaves is listed and dumped with the `arena` command, as
/// anybody would who comes to look.
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
        if (!Files.isRegularFile(arenaJar)) {
            throw new CannotShowException(
                    "The arena command is not built: path=" + arenaJar + "; run mvn package -DskipTests first");
        }
        try (Workplace workplace = workplace()) {
            Path directory = workplace.path();
            out.printf("%nTHE POST-MORTEM%n%n");
            out.printf("A process writes to memory in files: InfiniteArena.ofShared(\"%s\")%n", BASE);
            out.printf("in the directory %s%n%n", directory);
            long told = letWrite(directory);
            out.printf("%nWhat it leaves is a file for each allocation:%n%n");
            arena(directory, "ls", BASE);
            long begin = System.nanoTime();
            arena(directory, "hexdump", BASE + "-0");
            arena(directory, "hexdump", BASE + "-1");
            double seconds = (System.nanoTime() - begin) / 1e9;
            arena(directory, "hexdump", BASE + "-2");
            out.printf(Locale.ROOT, "Both terabytes were dumped in %.2f s, starting the command twice included.%n",
                    seconds);
            tellCounter(directory.resolve(BASE + "-3"), told);
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
        Process process = new ProcessBuilder(java("-cp", System.getProperty("java.class.path"),
                DoomedWriter.class.getName(), directory.resolve(BASE).toString())).redirectErrorStream(true).start();
        try (BufferedReader told = process.inputReader(UTF_8)) {
            awaitReady(process, told);
            out.println("  It allocates 1 TiB and leaves it alone,");
            out.printf("  1 TiB whose bytes %d to %d it fills with %d,%n", DoomedWriter.FILL_BEGIN,
                    DoomedWriter.FILL_END - 1, DoomedWriter.FILL);
            out.printf("  16 bytes where it writes \"%s\",%n", DoomedWriter.TEXT);
            out.printf("  and 8 bytes where it counts until it is killed.%n%n");
            long deadline = System.nanoTime() + lifetime.toNanos();
            String last = told.readLine();
            while (last != null && System.nanoTime() < deadline) {
                last = told.readLine();
            }
            // By its handle: the process itself would also close the pipe, in which there are lines left to read.
            process.toHandle().destroyForcibly();
            for (String line = last; line != null; line = told.readLine()) {
                last = line;
            }
            int exitCode = process.waitFor();
            if (last == null || !last.startsWith(DoomedWriter.REACHED)) {
                throw new CannotShowException(
                        "The process ended before it was killed: exitCode=" + exitCode + ", told=" + last);
            }
            long reached = Long.parseLong(last.substring(DoomedWriter.REACHED.length()));
            out.printf(Locale.ROOT, "  The last that it says is \"%s%,d\". Then kill -9, exit code %d.%n",
                    DoomedWriter.REACHED, reached, exitCode);
            return reached;
        } finally {
            process.destroyForcibly();
        }
    }

    private static void awaitReady(Process process, BufferedReader told)
            throws CannotShowException, IOException, InterruptedException {
        List<String> before = new ArrayList<>();
        for (String line = told.readLine(); !DoomedWriter.READY.equals(line); line = told.readLine()) {
            if (line == null) {
                throw new CannotShowException("The process ended before it was ready: exitCode=" + process.waitFor()
                        + ", told=" + String.join(System.lineSeparator(), before));
            }
            if (line.startsWith(DoomedWriter.REFUSED)) {
                throw new CannotShowException(
                        line.substring(DoomedWriter.REFUSED.length()) + OTHER_DIRECTORY);
            }
            before.add(line);
        }
    }

    /// Runs the `arena` command and shows it as it would be typed.
    private void arena(Path directory, String... arguments)
            throws CannotShowException, IOException, InterruptedException {
        List<String> command = java("-jar", arenaJar.toAbsolutePath().toString());
        command.addAll(List.of(arguments));
        String typed = "arena " + String.join(" ", arguments);
        Process process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        int exitCode = process.waitFor();
        if (exitCode != 0) {
            throw new CannotShowException(typed + " failed: exitCode=" + exitCode + ", printed=" + printed);
        }
        out.println("  $ " + typed);
        printed.lines().forEach(line -> out.println("  " + line));
        out.println();
    }

    private void tellCounter(Path file, long told) throws CannotShowException, IOException {
        long counter = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder()).getLong();
        if (counter < told) {
            throw new CannotShowException("Stores were lost: counter=" + counter + ", told=" + told);
        }
        out.printf(Locale.ROOT, "The counter, %s, stands at %,d: nothing that was stored is lost.%n",
                file.getFileName(), counter);
    }

    private static List<String> java(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /// Says what is missing for the demonstration.
    static final class CannotShowException extends Exception {
        private static final long serialVersionUID = 1L;

        CannotShowException(String message) {
            super(message);
        }
    }
}
