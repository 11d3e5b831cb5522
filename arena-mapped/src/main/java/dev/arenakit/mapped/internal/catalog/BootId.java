package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.nativecall.NativeFunctions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Identifies the start of the machine. What a process has stored in files outlives the process, and not the machine.
///
/// To take a kill for a restart of the machine costs rows that were not forced. To take a restart for a kill would trust
/// pages that were lost, and never happens.
public final class BootId {
    /* The first of these that the system has:
     *
     * - A random number for each start of the machine: Linux' boot_id, macOS' kern.bootsessionuuid.
     * - The oldest process that this process sees, on other systems than Linux: its number and start time. If two
     *   processes see the same one, the machine was not restarted between them, because no process outlives it.
     * - The start time of the machine by its clocks: the time of day minus the time since the start. Let a process
     *   compute it at the time t, when the machine has run for u. A later start of the machine is after t, and its start
     *   time exceeds the computed one by u or more. Start times are the same if they differ by at most a quarter of u,
     *   and never by more than 2 seconds. The time of day goes on while the machine is off, unless its clock begins at a
     *   fixed time, which is before this code was written.
     *
     * A clock that is set, and a machine that sleeps, make a kill look like a restart in the last two cases. */

    /// The value that stands for no identification.
    public static final long UNKNOWN = 0;

    /// The beginning of this year. A clock that shows an earlier time is wrong.
    private static final Instant EARLIEST = Instant.parse("2026-01-01T00:00:00Z");

    /// An identification by clocks has this value in bits 56 to 63, the largest difference in units of 10 ms in bits 48 to
    /// 55, and the start time in milliseconds since 1970 in bits 0 to 47.
    private static final long CLOCKS = 0xc1;
    private static final int TAG_BIT = 56;
    private static final int TOLERANCE_BIT = 48;
    private static final long TOLERANCE_UNIT = 10;
    private static final long MOST_TOLERANCE = 2_000;

    private static final int ATTEMPTS = 100;

    private static final long CURRENT = find();

    private BootId() {}

    /// The identification of the current start, or [#UNKNOWN] where the system has none.
    public static long current() {
        return CURRENT;
    }

    /// Whether a recorded identification identifies the current start.
    ///
    /// @param current the identification of the current start
    public static boolean isSame(long recorded, long current) {
        if (recorded >>> TAG_BIT == CLOCKS && current >>> TAG_BIT == CLOCKS) {
            return Math.abs(startOf(recorded) - startOf(current)) <= (recorded >>> TOLERANCE_BIT & 0xff)
                    * TOLERANCE_UNIT;
        }
        return recorded == current && recorded != UNKNOWN;
    }

    private static long startOf(long id) {
        return id & (1L << TOLERANCE_BIT) - 1;
    }

    private static long find() {
        String system = System.getProperty("os.name");
        boolean isLinux = system.equals("Linux");
        boolean isMac = system.startsWith("Mac");
        long id = read(Path.of("/proc/sys/kernel/random/boot_id"));
        if (id == UNKNOWN && isMac) {
            id = ofText(bootSession());
        }
        if (id == UNKNOWN && !isLinux) {
            id = ofProcesses();
        }
        // On these systems, System.nanoTime is the time since the start of the machine.
        return id == UNKNOWN && (isLinux || isMac) ? ofClocks() : id;
    }

    static long read(Path file) {
        try {
            return ofText(Files.readString(file, StandardCharsets.US_ASCII).strip());
        } catch (IOException _) {
            return UNKNOWN;
        }
    }

    private static long ofText(String id) {
        return id.isEmpty() ? UNKNOWN : CatalogFormat.checksum(id.getBytes(StandardCharsets.US_ASCII));
    }

    /// `kern.bootsessionuuid`, or an empty text. This call was never run on macOS.
    private static String bootSession() {
        Optional<MemorySegment> function = NativeAccess.isGranted()
                ? NativeFunctions.libc().find("sysctlbyname")
                : Optional.empty();
        if (function.isEmpty()) {
            return "";
        }
        MethodHandle sysctlbyname = NativeFunctions.downcallHandle(
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(64);
            MemorySegment byteSize = arena.allocateFrom(JAVA_LONG, text.byteSize() - 1);
            int result = (int) sysctlbyname.invokeExact(function.get(), arena.allocateFrom("kern.bootsessionuuid"),
                    text,
                    byteSize, MemorySegment.NULL, 0L);
            return result == 0 ? text.getString(0) : "";
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    /// The oldest process that this process sees.
    static long ofProcesses() {
        try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
            return processes
                    .flatMap(each -> each.info().startInstant().map(start -> new Started(start, each.pid())).stream())
                    .filter(each -> each.at.isAfter(EARLIEST))
                    .min(Comparator.comparing(Started::at).thenComparing(Started::pid))
                    .map(oldest -> ofText(oldest.toString()))
                    .orElse(UNKNOWN);
        } catch (RuntimeException _) {
            // The system has no list of processes, or does not show it.
            return UNKNOWN;
        }
    }

    private record Started(Instant at, long pid) {}

    private static long ofClocks() {
        for (int i = 0; i < ATTEMPTS; i++) {
            long uptime = System.nanoTime();
            long time = System.currentTimeMillis();
            // This thread may have waited for a processor between both.
            if (System.nanoTime() - uptime < TOLERANCE_UNIT * 1_000_000) {
                return ofClocks(time, uptime / 1_000_000);
            }
        }
        return UNKNOWN;
    }

    /// @param time   the time of day, in milliseconds since 1970
    /// @param uptime the time since the start of the machine, in milliseconds
    static long ofClocks(long time, long uptime) {
        long start = time - uptime;
        if (uptime <= 0 || start < EARLIEST.toEpochMilli() || start >>> TOLERANCE_BIT != 0) {
            return UNKNOWN;
        }
        long tolerance = Math.min(uptime / 4, MOST_TOLERANCE) / TOLERANCE_UNIT;
        return CLOCKS << TAG_BIT | tolerance << TOLERANCE_BIT | start;
    }
}
