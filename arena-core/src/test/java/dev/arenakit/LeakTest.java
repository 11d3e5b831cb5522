package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Allocates and frees many times the machine's memory, and checks the resident size of the process. Each session runs
/// in a JVM of its own, whose heap is too small to hide a leak.
@Tag("slow")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class LeakTest {
    private static final Path MACHINE = Path.of("/proc/meminfo");
    private static final long TIMES = 4;

    /// The allocator may cache free blocks: a large session uses some 20 MiB.
    private static final long TOLERANCE = 64L << 20;

    @ParameterizedTest
    @EnumSource
    void residentSize_overManyTimesTheMachinesMemory_staysTheSame(LeakSession session) throws IOException {
        assumeTrue(Files.exists(MACHINE), "resident sizes are read from /proc");
        long volume = TIMES * LeakSession.kilobytes(MACHINE, "MemTotal:") * 1024;
        ChildJvm.Result result = ChildJvm
                .onClassPath(ChildJvm.OPTIMIZING, "-Xmx64m", "--enable-native-access=ALL-UNNAMED")
                .run(LeakSession.class, session.name(), Long.toString(volume));
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(Long.parseLong(result.output().strip())).as("growth in bytes").isLessThan(TOLERANCE);
    }
}
