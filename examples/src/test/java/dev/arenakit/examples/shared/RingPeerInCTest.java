package dev.arenakit.examples.shared;

import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.collection.concurrent.WaitStrategy;
import dev.arenakit.examples.CCompiler;
import dev.arenakit.mapped.RingFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Exchanges messages with the program in C that docs/rings.md names.
@EnabledOnOs(OS.LINUX)
@Tag("full")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RingPeerInCTest {
    private static final Path SOURCE = Path.of("src/main/resources/dev/arenakit/examples/shared/ring_peer.c")
            .toAbsolutePath();
    private static final int COUNT = 50_000;
    /// Some hundred messages, so that the ring is full and begins again many times.
    private static final int CAPACITY = 1 << 12;
    private static final int TYPE = 7;
    private static final int TYPE_OF_JAVA = 8;
    private static final VarHandle WORD = JAVA_LONG.varHandle();
    private static final long CHECKSUM = 40;
    private static final long WAKES = 48;
    private static final long TAIL = 128;
    private static final long HEAD_COPY = 256;
    private static final long HEAD = 384;
    private static final long WAITING = 512;

    @TempDir
    Path directory;

    private @Nullable Process peer;
    /// The number of the next message to read.
    private long next;

    @BeforeEach
    void compile() throws IOException {
        assertThat(CCompiler.run(directory, "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", "ring_peer",
                SOURCE.toString())).isEmpty();
    }

    @AfterEach
    void endPeer() throws InterruptedException {
        if (peer != null) {
            peer.destroyForcibly().waitFor();
        }
    }

    @Test
    void messages_ofAProducerInC_arrive() throws Exception {
        try (RingFile file = create()) {
            RingBuffer ring = file.newReader();
            Process process = start("write");
            sendLine(process);
            readUntil(ring, COUNT);
            assertEndsWell(process);
            assertThat(ring.isEmpty()).isTrue();
            assertThat(file.skippedClaims()).isZero();
        }
    }

    @Test
    void commit_ofAProducerInC_wakesAReaderThatSleeps() throws Exception {
        try (RingFile file = create()) {
            RingBuffer ring = file.newReader();
            Process process = start("write");
            readUntil(ring, COUNT - 1);
            awaitOpenClaim(ring);
            // As a reader does that is about to sleep.
            ring.segment().set(JAVA_LONG, WAKES, 1);
            ring.segment().set(JAVA_LONG, WAITING, 1);
            VarHandle.fullFence();
            sendLine(process);
            assertEndsWell(process);
            assertThat(ring.segment().get(JAVA_LONG, WAITING)).isZero();
            assertThat(ring.poll(this::check, 10)).isEqualTo(1);
        }
    }

    @Test
    void messages_ofProducersInCAndJava_arrive() throws Exception {
        try (RingFile file = create()) {
            RingBuffer ring = file.newReader();
            RingBuffer own = file.newProducer();
            Process process = start("write");
            sendLine(process);
            long sent = 0;
            long[] received = new long[1];
            while (next < COUNT || received[0] < sent) {
                long at = next < COUNT ? own.claim(Long.BYTES) : RingBuffer.FULL;
                if (at != RingBuffer.FULL) {
                    ring.segment().set(JAVA_LONG, at, sent++);
                    own.commit(at, TYPE_OF_JAVA);
                }
                ring.poll((type, segment, offset, byteSize) -> {
                    if (type == TYPE) {
                        check(type, segment, offset, byteSize);
                    } else {
                        assertThat(segment.get(JAVA_LONG, offset)).isEqualTo(received[0]++);
                    }
                }, 10);
            }
            assertEndsWell(process);
            assertThat(sent).isPositive();
            assertThat(file.skippedClaims()).isZero();
        }
    }

    @Test
    void claim_ofAProducerInC_isSkippedOnlyWhenItsProcessHasEnded() throws Exception {
        try (RingFile file = create()) {
            RingBuffer ring = file.newReader();
            Process process = start("write");
            readUntil(ring, COUNT - 1);
            awaitOpenClaim(ring);
            for (int i = 0; i < 20; i++) {
                assertThat(ring.poll(this::check, 10)).isZero();
                TimeUnit.MILLISECONDS.sleep(1);
            }
            assertThat(file.skippedClaims()).isZero();
            process.getOutputStream().close();
            assertEndsWell(process);
            while (!ring.isEmpty()) {
                assertThat(ring.poll(this::check, 10)).isZero();
            }
            assertThat(file.skippedClaims()).isEqualTo(1);
        }
    }

    @Test
    void messages_toAReaderInC_arrive() throws Exception {
        try (RingFile file = create()) {
            Process process = start("read");
            RingBuffer ring = file.newProducer();
            for (long number = 0; number < COUNT;) {
                // The reader in C skips this claim.
                long aborted = number % 10 == 0 ? ring.claim(24) : RingBuffer.FULL;
                if (aborted != RingBuffer.FULL) {
                    ring.abort(aborted);
                }
                long byteSize = byteSize(number);
                long at = ring.claim(byteSize);
                if (at != RingBuffer.FULL) {
                    for (long i = 0; i < byteSize; i += Long.BYTES) {
                        ring.segment().set(JAVA_LONG, at + i, number);
                    }
                    ring.commit(at, TYPE);
                    number++;
                }
                assertThat(process.isAlive() || number == COUNT).as(() -> text("peer.txt")).isTrue();
            }
            assertEndsWell(process);
            assertThat(file.unreadByteSize()).isZero();
        }
    }

    @Test
    void claim_ofAProducerInC_waitsForSpace_whenHeadCopyHasMovedBackwards() throws Exception {
        try (RingFile file = create()) {
            RingBuffer ring = file.newReader();
            RingBuffer own = file.newProducer();
            MemorySegment message = MemorySegment.ofArray(new long[1]);
            for (int i = 0; i < CAPACITY / Long.BYTES; i++) {
                assertThat(own.write(TYPE_OF_JAVA, message, 0, Long.BYTES)).isTrue();
                assertThat(ring.poll((_, _, _, _) -> {}, 1)).isEqualTo(1);
            }
            int unread = 0;
            while (own.write(TYPE_OF_JAVA, message, 0, Long.BYTES)) {
                unread++;
            }
            long tail = word(ring, TAIL);
            // As a producer does that read head in the first round, and has stalled since then.
            WORD.setRelease(ring.segment(), HEAD_COPY, 0L);
            Process process = start("write");
            while (word(ring, HEAD_COPY) != word(ring, HEAD)) {
                assertThat(word(ring, TAIL)).isEqualTo(tail);
            }
            int polled = ring.poll((type, _, _, _) -> assertThat(type).isEqualTo(TYPE_OF_JAVA), unread);
            assertThat(polled).isEqualTo(unread);
            sendLine(process);
            readUntil(ring, COUNT);
            assertEndsWell(process);
        }
    }

    @Test
    void message_largerThanHalfOfTheCapacity_isRefusedByAProducerInC() throws Exception {
        try (RingFile file = RingFile.create(directory.resolve("ring"), 64)) {
            RingBuffer ring = file.newReader();
            assertRefuses("write", "message is too large: size=24");
            assertThat(ring.poll(this::check, 10)).isEqualTo(2);
            assertThat(ring.isEmpty()).isTrue();
        }
    }

    @Test
    void record_withoutState_isDamageForAReaderInC() throws Exception {
        try (RingFile file = create()) {
            RingBuffer ring = file.newProducer();
            long at = ring.claim(Long.BYTES);
            ring.segment().set(JAVA_LONG, at - Long.BYTES, Long.BYTES);
            assertRefuses("read", "damaged record");
        }
    }

    @Test
    void header_thatIsDamaged_isRefusedByAPeerInC() throws Exception {
        try (RingFile file = create()) {
            MemorySegment segment = file.newProducer().segment();
            for (long at = 0; at <= CHECKSUM; at += Long.BYTES) {
                long word = segment.get(JAVA_LONG, at);
                segment.set(JAVA_LONG, at, word ^ 0x30);
                assertRefuses("read", at < 16 ? "not a ring file" : "damaged header");
                segment.set(JAVA_LONG, at, word);
            }
        }
    }

    @Test
    void file_thatIsSmallerThanItsRing_isRefusedByAPeerInC() throws Exception {
        create().close();
        try (FileChannel channel = FileChannel.open(directory.resolve("ring"), StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 1);
            assertRefuses("read", "file is smaller than its ring");
            channel.truncate(100);
            assertRefuses("read", "file is smaller than a ring");
        }
    }

    private RingFile create() throws IOException {
        return RingFile.create(directory.resolve("ring"), CAPACITY);
    }

    private Process start(String role) throws IOException {
        peer = new ProcessBuilder(directory.resolve("ring_peer").toString(), role,
                directory.resolve("ring").toString(), Integer.toString(COUNT))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("peer.txt").toFile())
                .start();
        return peer;
    }

    /// Lets the peer write its last message.
    private static void sendLine(Process process) throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    private void readUntil(RingBuffer ring, long count) {
        while (next < count) {
            ring.poll(this::check, 10, WaitStrategy.futex(), TimeUnit.SECONDS.toNanos(1));
        }
    }

    /// Waits until the producer has claimed space for its last message.
    private static void awaitOpenClaim(RingBuffer ring) {
        while (ring.isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private void check(int type, MemorySegment segment, long offset, long byteSize) {
        if (type != TYPE || byteSize != byteSize(next)) {
            throw new AssertionError("type=" + type + ", byteSize=" + byteSize + ", number=" + next);
        }
        for (long i = 0; i < byteSize; i += Long.BYTES) {
            if (segment.get(JAVA_LONG, offset + i) != next) {
                throw new AssertionError("number=" + next + ", found=" + segment.get(JAVA_LONG, offset + i));
            }
        }
        next++;
    }

    private static long byteSize(long number) {
        return Long.BYTES * (1 + number % 5);
    }

    private void assertEndsWell(Process process) throws InterruptedException {
        assertThat(awaitEnd(process)).as(() -> text("peer.txt")).isZero();
    }

    private void assertRefuses(String role, String message) throws IOException, InterruptedException {
        assertThat(awaitEnd(start(role))).as(() -> text("peer.txt")).isEqualTo(1);
        assertThat(text("peer.txt")).contains(message);
    }

    /// Returns the exit status. A process that does not end is ended by [#endPeer].
    private int awaitEnd(Process process) throws InterruptedException {
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).as(() -> "does not end: " + text("peer.txt")).isTrue();
        return process.exitValue();
    }

    private static long word(RingBuffer ring, long offset) {
        return (long) WORD.getAcquire(ring.segment(), offset);
    }

    private String text(String name) {
        try {
            return Files.readString(directory.resolve(name));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
