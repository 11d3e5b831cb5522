package dev.arenakit.bench.candidate.message;

import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("full")
class EchoPeerTest {
    static Stream<Arguments> peers() {
        return Stream.of(MessageLinks.values())
                .flatMap(links -> Stream.of(EchoPeer.THREAD, EchoPeer.PROCESS)
                        .map(place -> Arguments.of(links, place)));
    }

    @ParameterizedTest
    @MethodSource("peers")
    void exchange_ofManyMessages_returnsEach_untilCloseEndsThePeer(MessageLinks links, String place)
            throws IOException {
        EchoPeer peer = EchoPeer.start(links, place);
        try (peer) {
            assertThat(peer.isAlive()).isTrue();
            for (long message = -1; message < 1_000; message++) {
                assertThat(peer.exchange(message)).isEqualTo(message);
            }
        }

        assertThat(peer.isAlive()).isFalse();
        assertThat(peer.directory()).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource(MessageLinks.class)
    void exchange_withAProcessThatWasKilled_throws(MessageLinks links) throws IOException {
        try (EchoPeer peer = EchoPeer.start(links, EchoPeer.PROCESS)) {
            ProcessHandle process = ProcessHandle.of(peer.pid()).orElseThrow();

            process.destroyForcibly();
            process.onExit().join();

            assertThatIOException().isThrownBy(() -> peer.exchange(1));
        }
    }

    @Test
    void process_whoseStarterWasKilled_ends() throws IOException {
        Process starter = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), Starter.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = starter.inputReader()) {
            ProcessHandle peer = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
            Path files = Path.of(output.readLine());

            starter.destroyForcibly().onExit().join();

            peer.onExit().join();
            assertThat(peer.isAlive()).isFalse();
            deleteAll(files);
        } finally {
            starter.destroyForcibly();
        }
    }

    /// A process that is killed deletes nothing.
    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    /// Starts a peer, and waits to be killed.
    static final class Starter {
        public static void main(String[] arguments) throws IOException, InterruptedException {
            ChildJvm.endWithParent();
            EchoPeer peer = EchoPeer.start(MessageLinks.RING_SPIN, EchoPeer.PROCESS);
            System.out.println(peer.pid());
            System.out.println(peer.directory());
            Thread.sleep(Long.MAX_VALUE);
        }
    }
}
