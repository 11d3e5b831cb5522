package dev.arenakit.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The machine that measured, and the date.
///
/// @param processor   model and number of processors
/// @param system      operating system and architecture
/// @param jdk         the Java runtime that measured
/// @param date        date of the run
/// @param loadAverage load average over the minute before the run; negative if the system does not report it
public record Machine(String processor, String system, String jdk, LocalDate date, double loadAverage) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    /// {@return this machine, with the present date and load}
    public static Machine here() {
        int processors = Runtime.getRuntime().availableProcessors();
        return new Machine(model() + ", " + processors + (processors == 1 ? " CPU" : " CPUs"),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                System.getProperty("java.vendor.version", System.getProperty("java.vendor") + " "
                        + System.getProperty("java.version")),
                LocalDate.now(ZoneId.systemDefault()),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    /// {@return the same machine with another JDK that measures}
    ///
    /// @param measuring names of the JDK, or of several
    public Machine with(String measuring) {
        return new Machine(processor, system, measuring, date, loadAverage);
    }

    /// {@return everything except the load, in one line}
    public String describe() {
        return String.join(", ", processor, system, jdk, date.toString());
    }

    /// {@return the load, to be appended to that line; empty if the system does not report it}
    public String describeLoad() {
        return loadAverage < 0 ? "" : String.format(Locale.ROOT, ", load %.1f before the run", loadAverage);
    }

    /// {@return the reasons why figures of another machine cannot be compared with figures of this machine; empty if
    /// there are none}
    ///
    /// @param other the other machine
    public List<String> differencesFrom(Machine other) {
        List<String> differences = new ArrayList<>();
        if (!processor.equals(other.processor)) {
            differences.add("processor=" + processor + " instead of " + other.processor);
        }
        if (!jdk.equals(other.jdk)) {
            differences.add("jdk=" + jdk + " instead of " + other.jdk);
        }
        return differences;
    }

    /// Returns the name of the processor, which Linux reports on x86-64 but not on aarch64.
    private static String model() {
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException | UncheckedIOException e) {
            return System.getProperty("os.arch");
        }
    }
}
