package dev.arenakit.examples.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A Java process that is started in order to be killed. It prints a line when it is ready, and from time to time a
/// line with the number that it has reached.
public final class DoomedProcess implements AutoCloseable {
    public static final String READY = "ready";
    public static final String REACHED = "reached ";
    public static final String REFUSED = "refused ";

    private final Process process;
    private final BufferedReader output;

    private DoomedProcess(Process process) {
        this.process = process;
        output = process.inputReader(UTF_8);
    }

    /// Starts the main class and waits until it is ready.
    ///
    /// @throws CannotShowException if the process ends before it is ready; the message has its output
    public static DoomedProcess start(Class<?> main, String... arguments)
            throws CannotShowException, IOException, InterruptedException {
        // The process is killed soon, so the optimizing compiler only costs time.
        List<String> command = JavaCommand.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
                System.getProperty("java.class.path"), main.getName());
        command.addAll(List.of(arguments));
        DoomedProcess started = new DoomedProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
        try {
            started.awaitReady();
            return started;
        } catch (Throwable t) {
            started.close();
            throw t;
        }
    }

    private void awaitReady() throws CannotShowException, IOException, InterruptedException {
        List<String> before = new ArrayList<>();
        for (String line = output.readLine(); !READY.equals(line); line = output.readLine()) {
            if (line == null) {
                throw new CannotShowException("The process ended before it was ready: exitCode=" + process.waitFor()
                        + ", output=" + String.join(System.lineSeparator(), before));
            }
            if (line.startsWith(REFUSED)) {
                throw new CannotShowException(line.substring(REFUSED.length()));
            }
            before.add(line);
        }
    }

    /// Writes a byte to the standard input of the process.
    public void write(int value) throws IOException {
        process.getOutputStream().write(value);
        process.getOutputStream().flush();
    }

    /// Waits for some time, then kills the process.
    ///
    /// @throws CannotShowException if the process ends by itself
    public Death killAfter(Duration lifetime) throws CannotShowException, IOException, InterruptedException {
        long deadline = System.nanoTime() + lifetime.toNanos();
        String last = output.readLine();
        while (last != null && System.nanoTime() < deadline) {
            last = output.readLine();
        }
        return kill(last);
    }

    /// Waits until the process has printed a number, then kills it.
    ///
    /// @throws CannotShowException if the process ends by itself
    public Death killAt(long reached) throws CannotShowException, IOException, InterruptedException {
        String line = output.readLine();
        while (line != null && !line.equals(REACHED + reached)) {
            line = output.readLine();
        }
        return kill(line);
    }

    private Death kill(@Nullable String lastLine) throws CannotShowException, IOException, InterruptedException {
        String last = lastLine;
        // Process.destroyForcibly would also close the pipe, which still has lines to read.
        process.toHandle().destroyForcibly();
        for (String line = last; line != null; line = output.readLine()) {
            last = line;
        }
        int exitCode = process.waitFor();
        if (last == null || !last.startsWith(REACHED)) {
            throw new CannotShowException(
                    "The process ended before it was killed: exitCode=" + exitCode + ", output=" + last);
        }
        return new Death(Long.parseLong(last.substring(REACHED.length())), exitCode);
    }

    /// Kills the process if it is alive.
    @Override
    public void close() {
        process.destroyForcibly();
    }

    /// Ends the current process when its parent has ended. The child process calls this method; its parent holds the
    /// other end of standard input and writes nothing more to it.
    public static void endWithParent() {
        Thread watch = new Thread(() -> {
            try {
                System.in.read();
            } catch (IOException e) {
                System.err.println("Standard input cannot be read: " + e);
            }
            Runtime.getRuntime().halt(1);
        });
        watch.setDaemon(true);
        watch.start();
    }

    /// The end of the process.
    ///
    /// @param reached the last number that the process printed
    public record Death(long reached, int exitCode) {}
}
