package dev.arenakit.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A process of Java that is started to be killed. It tells how far it is, a line each: that it is ready, then from time to time the
/// number it has reached.
final class DoomedProcess implements AutoCloseable {
    static final String READY = "ready";
    static final String REACHED = "reached ";
    static final String REFUSED = "refused ";

    private final Process process;
    private final BufferedReader told;

    private DoomedProcess(Process process) {
        this.process = process;
        told = process.inputReader(UTF_8);
    }

    /// Starts the main class and waits until it is ready.
    ///
    /// @throws CannotShowException when it ends before, with what it told
    static DoomedProcess start(Class<?> main, String... arguments)
            throws CannotShowException, IOException, InterruptedException {
        List<String> command = Java.command("-cp", System.getProperty("java.class.path"), main.getName());
        command.addAll(List.of(arguments));
        DoomedProcess started = new DoomedProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
        boolean ready = false;
        try {
            started.awaitReady();
            ready = true;
            return started;
        } finally {
            if (!ready) {
                started.close();
            }
        }
    }

    private void awaitReady() throws CannotShowException, IOException, InterruptedException {
        List<String> before = new ArrayList<>();
        for (String line = told.readLine(); !READY.equals(line); line = told.readLine()) {
            if (line == null) {
                throw new CannotShowException("The process ended before it was ready: exitCode=" + process.waitFor()
                        + ", told=" + String.join(System.lineSeparator(), before));
            }
            if (line.startsWith(REFUSED)) {
                throw new CannotShowException(line.substring(REFUSED.length()));
            }
            before.add(line);
        }
    }

    /// Tells it something on its standard input.
    void say(int what) throws IOException {
        process.getOutputStream().write(what);
        process.getOutputStream().flush();
    }

    /// Lets it run for some time and kills it.
    ///
    /// @throws CannotShowException when it ends by itself
    Death killAfter(Duration lifetime) throws CannotShowException, IOException, InterruptedException {
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
        if (last == null || !last.startsWith(REACHED)) {
            throw new CannotShowException(
                    "The process ended before it was killed: exitCode=" + exitCode + ", told=" + last);
        }
        return new Death(Long.parseLong(last.substring(REACHED.length())), exitCode);
    }

    /// Kills it, however it is.
    @Override
    public void close() {
        process.destroyForcibly();
    }

    /// What the process itself calls, so that none outlives its parent, which holds the other end of standard input and says nothing
    /// there.
    static void endWithParent() {
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

    /// How it ended.
    ///
    /// @param reached the last number that it told
    record Death(long reached, int exitCode) {}
}
