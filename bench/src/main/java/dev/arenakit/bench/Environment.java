package dev.arenakit.bench;

import dev.arenakit.bench.candidate.AllocatorLibraries;
import dev.arenakit.bench.report.RunDescription;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The facts, besides machine and JDK, that figures depend on: heap, garbage collector, C library, versions of the
/// peers, commit, huge pages, and the processor time that other virtual machines took.
///
/// Facts that the system does not report are left out.
final class Environment {
    private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    private static final Path PROCESSOR_TIMES = Path.of("/proc/stat");
    // The position, in the first line, of the time that the hypervisor gave to other machines.
    private static final int STEAL = 7;
    // The later times are already included in earlier ones.
    private static final int TIMES = 8;

    private static final long SECONDS = 10;
    private static final Pattern HEAP = Pattern.compile("\\bMaxHeapSize\\s*=\\s*(\\d+)");
    private static final Pattern COLLECTOR = Pattern
            .compile("\\bUse(Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC\\s*=\\s*true");

    private final long[] timesBefore = processorTimes();
    // The commit is read at the start, since a later commit is not the code that the run measures.
    private final Optional<String> commit;

    Environment() {
        this(classes());
    }

    /// @param classes directory or jar of the classes that measure
    Environment(Optional<Path> classes) {
        commit = classes.flatMap(Environment::commit);
    }

    /// Returns facts by their names. Callers construct this object at the start of a run, and call this method at its
    /// end.
    ///
    /// @param command the arguments of the harness
    /// @param suite   the suite that ran
    /// @param jvms    the JVMs that measured
    /// @param flags   arguments of all these JVMs
    Map<String, String> facts(List<String> command, Suite suite, MeasuringJvms jvms, List<String> flags) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Command", String.join(" ", command));
        facts.put(RunDescription.ITERATIONS, "warm-up " + suite.warmupRange() + ", measurement " + suite.measurement());
        put(facts, "Commit", commit);
        Map<String, Path> executables = jvms.executables();
        if (executables.isEmpty()) {
            put(facts, RunDescription.HEAP, heap(Path.of(System.getProperty("java.home"), "bin", "java"), flags));
        }
        executables.forEach((name, java) -> put(facts, RunDescription.HEAP + " of " + name, heap(java, flags)));
        put(facts, "C library", output("getconf", "GNU_LIBC_VERSION").map(String::strip));
        put(facts, "Huge pages", hugePages());
        facts.put("Peers", PeerVersions.describe());
        put(facts, "Allocators", Optional.of(String.join(", ", AllocatorLibraries.fileNames())));
        put(facts, "Steal", steal(timesBefore, processorTimes()));
        return facts;
    }

    private static void put(Map<String, String> facts, String name, Optional<String> value) {
        value.filter(text -> !text.isBlank()).ifPresent(text -> facts.put(name, text));
    }

    /// Returns maximum heap and garbage collector of a JVM with these arguments.
    private static Optional<String> heap(Path java, List<String> flags) {
        List<String> command = new ArrayList<>(List.of(java.toString()));
        flags.stream().filter(flag -> flag.startsWith("-X")).forEach(command::add);
        command.addAll(List.of("-XX:+PrintFlagsFinal", "-version"));
        return output(command.toArray(String[]::new)).flatMap(Environment::heap);
    }

    /// Returns maximum heap and garbage collector from the JVM's table of flags.
    static Optional<String> heap(String flags) {
        Matcher heap = HEAP.matcher(flags);
        Matcher collector = COLLECTOR.matcher(flags);
        return heap.find() && collector.find()
                ? Optional.of((Long.parseLong(heap.group(1)) >> 20) + " MiB at most, " + collector.group(1) + " GC")
                : Optional.empty();
    }

    private static Optional<Path> classes() {
        try {
            return Optional
                    .of(Path.of(Environment.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /// Returns the commit of the Git working tree that contains the classes, if there is one.
    private static Optional<String> commit(Path classes) {
        String directory = (Files.isDirectory(classes) ? classes : classes.resolveSibling(".")).toString();
        return output("git", "-C", directory, "rev-parse", "--short=12", "HEAD").map(commit -> commit.strip()
                + output("git", "-C", directory, "status", "--porcelain", "--untracked-files=no")
                        .filter(String::isBlank)
                        .map(_ -> "")
                        .orElse(", with changes"));
    }

    private static Optional<String> hugePages() {
        try {
            return Optional.of("transparent: " + Files.readString(HUGE_PAGES).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// Returns the share of the processors' time that other machines took meanwhile.
    static Optional<String> steal(long[] before, long[] after) {
        if (before.length != TIMES || after.length != TIMES) {
            return Optional.empty();
        }
        long total = 0;
        for (int i = 0; i < TIMES; i++) {
            total += after[i] - before[i];
        }
        return total <= 0
                ? Optional.empty()
                : Optional.of(String.format(Locale.ROOT, "%.1f %% of the processors' time",
                        100.0 * (after[STEAL] - before[STEAL]) / total));
    }

    /// Returns the times of all processors, in clock ticks; empty if the system does not report them.
    private static long[] processorTimes() {
        try (BufferedReader reader = Files.newBufferedReader(PROCESSOR_TIMES)) {
            String line = reader.readLine();
            return line == null
                    ? new long[0]
                    : Stream.of(line.split(" +")).skip(1).limit(TIMES).mapToLong(Long::parseLong).toArray();
        } catch (IOException | NumberFormatException e) {
            return new long[0];
        }
    }

    /// Runs a program and returns its output; empty if the program does not exist or fails.
    private static Optional<String> output(String... command) {
        try {
            Path file = Files.createTempFile("bench", ".txt");
            try {
                Process process = new ProcessBuilder(command).redirectOutput(file.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    return Optional.empty();
                }
                return process.exitValue() == 0
                        ? Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1))
                        : Optional.empty();
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
