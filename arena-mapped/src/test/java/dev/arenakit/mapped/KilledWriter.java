package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// A process that makes numbered changes until it is killed. A file has the number of changes that it has acknowledged,
/// so that it makes them without waiting for its parent.
public final class KilledWriter {
    private static final VarHandle PROGRESS = JAVA_LONG.varHandle().withInvokeExactBehavior();

    private KilledWriter() {}

    /// Makes changes until this process is killed.
    ///
    /// @param from the number of the first change
    public static void change(Path progressFile, long from, LongConsumer change) throws IOException {
        MemorySegment progress = map(progressFile, Arena.global());
        System.out.println("ready");
        for (long n = from;; n++) {
            change.accept(n);
            PROGRESS.setRelease(progress, 0L, n + 1);
        }
    }

    /// Starts a process that calls [#change], and kills it.
    ///
    /// @param enough the number of acknowledged changes that are waited for
    /// @return the number of acknowledged changes
    public static long kill(Class<?> main, Path progressFile, long enough, RandomGenerator random, String... arguments)
            throws IOException, InterruptedException {
        Process writer = ChildJvm.granted("-XX:TieredStopAtLevel=" + (random.nextBoolean() ? 4 : 1))
                .command(main, arguments)
                .start();
        try (BufferedReader output = writer.inputReader(); Arena arena = Arena.ofConfined()) {
            assertThat(output.readLine()).isEqualTo("ready");
            MemorySegment progress = map(progressFile, arena);
            while ((long) PROGRESS.getAcquire(progress, 0L) < enough && writer.isAlive()) {
                TimeUnit.MICROSECONDS.sleep(random.nextInt(1_000));
            }
            assertThat(writer.isAlive()).as("the writer has ended").isTrue();
            writer.destroyForcibly();
            assertThat(writer.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return (long) PROGRESS.getAcquire(progress, 0L);
        } finally {
            writer.destroyForcibly();
        }
    }

    private static MemorySegment map(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES, arena);
        }
    }

    /// Starts a process, and kills it some time after its output has a size.
    ///
    /// @return the output, whose last line may be cut
    static String kill(ProcessBuilder command, Path output, long least, int pauseMicros)
            throws IOException, InterruptedException {
        Process writer = command.redirectOutput(output.toFile()).start();
        try {
            while (Files.size(output) < least) {
                assertThat(writer.isAlive()).as(Files.readString(output)).isTrue();
                TimeUnit.MILLISECONDS.sleep(1);
            }
            TimeUnit.MICROSECONDS.sleep(pauseMicros);
        } finally {
            writer.destroyForcibly();
        }
        assertThat(writer.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Files.readString(output);
    }
}
