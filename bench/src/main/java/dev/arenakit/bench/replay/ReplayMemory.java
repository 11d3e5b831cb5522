package dev.arenakit.bench.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Measures what an additional run of the replay needs: the peak of the process's memory, the times of single steps,
/// and the refused calls.
public final class ReplayMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path CLEAR = Path.of("/proc/self/clear_refs");
    // Resets the peak of the resident memory.
    private static final String RESET_PEAK = "5";
    private static final long LONGEST = 60_000_000_000L;

    private static @Nullable Replayer replayer;
    private static OptionalLong before = OptionalLong.empty();

    private ReplayMemory() {}

    /// What a run needed.
    ///
    /// @param peakByteSize the growth of the resident memory since the JVM had read the trace; empty if the system does not
    ///                     report it
    /// @param latencies    the times of the steps in nanoseconds
    /// @param refused      the number of refused calls
    public record Run(OptionalLong peakByteSize, Histogram latencies, long refused) {}

    /// Remembers the memory of this process before the first arena is opened.
    public static void begin() {
        System.gc();
        before = status("VmRSS:");
    }

    /// Sets the replayer of this process.
    public static void replay(Replayer current) {
        replayer = current;
    }

    /// Runs the replay once; null if this process replays nothing.
    public static @Nullable Run measure() {
        Replayer current = replayer;
        if (current == null) {
            return null;
        }
        current.takeRefused();
        Histogram latencies = new ConcurrentHistogram(1, LONGEST, 3);
        try {
            Files.writeString(CLEAR, RESET_PEAK);
        } catch (IOException _) {
            before = OptionalLong.empty();
        }
        current.run();
        OptionalLong peak = status("VmHWM:");
        long refused = current.takeRefused();
        current.run(nanos -> latencies.recordValue(Math.clamp(nanos, 1, LONGEST)));
        return new Run(peak.isPresent() && before.isPresent()
                ? OptionalLong.of(Math.max(0, peak.getAsLong() - before.getAsLong()))
                : OptionalLong.empty(), latencies, refused);
    }

    private static OptionalLong status(String name) {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(name))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst();
        } catch (IOException _) {
            return OptionalLong.empty();
        }
    }
}
