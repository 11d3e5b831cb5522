package dev.arenakit.bench;

import dev.arenakit.bench.candidate.peer.AllocatorLibraries;
import dev.arenakit.bench.report.RunDescription;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The facts that figures depend on, such as the processor, the JDK, its flags and the versions of the peers. It is
/// created at the start of a run, whose commit and load it reads. A fact that the system does not report is left out.
final class Environment {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    private static final Path PROCESSOR_TIMES = Path.of("/proc/stat");
    // The position, in the first line, of the time that the hypervisor gave to other machines.
    private static final int STEAL = 7;
    // The later times are already included in earlier ones.
    private static final int TIMES = 8;

    private final Map<String, String> facts = new LinkedHashMap<>();
    private final long[] timesBefore = processorTimes();

    /// @param command the arguments of the harness
    /// @param suite   the suite that is going to run
    /// @param jvm     the JVM that is going to measure
    Environment(List<String> command, Suite suite, MeasuringJvm jvm) {
        int processors = Runtime.getRuntime().availableProcessors();
        put(RunDescription.MACHINE, model() + ", " + processors + (processors == 1 ? " CPU" : " CPUs"));
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        put("System", System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch")
                + (load < 0 ? "" : String.format(Locale.ROOT, ", load %.1f before the run", load)));
        put(RunDescription.LOAD, busy(load, processors));
        put(RunDescription.JDK, jvm.name());
        put(RunDescription.DATE, Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
        put("Command", String.join(" ", command));
        put(RunDescription.ITERATIONS, "warm-up " + suite.warmupRange() + ", measurement " + suite.measurement());
        put("Commit", commit(code()));
        List<String> flags = jvm.args(List.of());
        put(RunDescription.FLAGS, String.join(" ", MeasuringJvm.ofEnvironment(System.getenv())) + " "
                + String.join(" ", flags));
        put("C library", output("getconf", "GNU_LIBC_VERSION"));
        put("Huge pages", read(HUGE_PAGES));
        put("Peers", peers());
        put("Allocators", String.join(", ", AllocatorLibraries.fileNames()));
    }

    /// Returns the facts by their names. The time that other machines took is the time since the start.
    Map<String, String> facts() {
        put("Steal", steal(timesBefore, processorTimes()));
        return facts;
    }

    private void put(String name, String value) {
        if (!value.isBlank()) {
            facts.put(name, value.strip());
        }
    }

    /// Returns the name of the processor, which Linux reports on x86-64 but not on aarch64.
    private static String model() {
        return read(CPU_INFO).lines()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(System.getProperty("os.arch"));
    }

    /// Returns advice if other programs need about half of the processors or more; else an empty text.
    ///
    /// @param load the average number of threads that run or could run, negative if the system does not report it
    static String busy(double load, int processors) {
        return load <= processors / 2.0
                ? ""
                : String.format(Locale.ROOT, "load %.1f on %d %s: compare CPU ns/op", load, processors,
                        processors == 1 ? "processor" : "processors");
    }

    private static Path code() {
        try {
            return Path.of(Environment.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Returns the commit of the Git working tree that contains a file or a directory.
    static String commit(Path file) {
        String directory = (Files.isDirectory(file) ? file : file.resolveSibling(".")).toString();
        String commit = output("git", "-C", directory, "rev-parse", "--short=12", "HEAD").strip();
        boolean isChanged = !output("git", "-C", directory, "status", "--porcelain", "--untracked-files=no").isBlank();
        return commit + (isChanged ? ", with changes" : "");
    }

    /// Returns names and versions of the libraries that the arenas and structures are compared with, as in the pom.
    private static String peers() {
        Properties versions = new Properties();
        try (InputStream stream = Environment.class.getResourceAsStream("peers.properties")) {
            versions.load(Objects.requireNonNull(stream, "peers.properties"));
        } catch (IOException e) {
            return "";
        }
        return new TreeMap<>(versions).entrySet()
                .stream()
                .map(peer -> peer.getKey() + " " + peer.getValue())
                .collect(Collectors.joining(", "));
    }

    /// Returns the share of the processors' time that other machines took meanwhile.
    static String steal(long[] before, long[] after) {
        long total = 0;
        for (int i = 0; i < Math.min(before.length, after.length); i++) {
            total += after[i] - before[i];
        }
        return total <= 0 || after.length < TIMES
                ? ""
                : String.format(Locale.ROOT, "%.1f %% of the processors' time",
                        100.0 * (after[STEAL] - before[STEAL]) / total);
    }

    /// Returns the times of all processors, in clock ticks; empty if the system does not report them.
    private static long[] processorTimes() {
        return read(PROCESSOR_TIMES).lines()
                .limit(1)
                .flatMap(line -> Stream.of(line.split(" +")).skip(1).limit(TIMES))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    /// Runs a program and returns its output; empty if the program does not exist or fails.
    static String output(String... command) {
        try {
            Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            return process.waitFor() == 0 ? printed : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
