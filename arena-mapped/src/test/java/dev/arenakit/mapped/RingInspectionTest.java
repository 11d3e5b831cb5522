package dev.arenakit.mapped;

import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.internal.file.DescriptionLock;
import dev.arenakit.mapped.internal.ring.RingInspection;
import dev.arenakit.mapped.internal.ring.RingInspection.DamagedException;
import dev.arenakit.mapped.internal.ring.RingRecord;
import dev.arenakit.mapped.internal.ring.RingRecord.State;
import dev.arenakit.mapped.internal.ring.RingRecords;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class RingInspectionTest extends InDirectory {
    private static final int CAPACITY = 1 << 10;
    private static final int RECORDS = 32_768;
    private static final int RECORD = 16;

    private final Path path = directory.resolve("ring");

    @BeforeEach
    void checkSystem() {
        assumeTrue(DescriptionLock.isAvailableFor(base), "needs locks of open file descriptions");
    }

    /// More than a window of records.
    @Test
    void records_ofAFullRing_areThoseThatTheReaderGets() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        try (RingFile file = RingFile.create(path, 1 << 20)) {
            RingBuffer producer = file.newProducer();
            RingBuffer reader = file.newReader();
            for (int round = 0; round < 3; round++) {
                List<Long> sent = new ArrayList<>();
                for (long at = 0; at != RingBuffer.FULL; at = producer.claim(random.nextInt(8, 20_000))) {
                    if (at != 0) {
                        long number = random.nextLong();
                        producer.segment().set(JAVA_LONG, at, number);
                        producer.commit(at, round);
                        sent.add(number);
                    }
                }
                assertThat(numbers()).isEqualTo(sent).hasSizeGreaterThan(20);
                List<Long> received = new ArrayList<>();
                reader.poll((_, segment, offset, _) -> received.add(segment.get(JAVA_LONG, offset)), 10_000);
                assertThat(received).isEqualTo(sent);
                assertThat(numbers()).isEmpty();
            }
        }
    }

    private List<Long> numbers() throws IOException {
        List<Long> numbers = new ArrayList<>();
        try (RingInspection ring = RingInspection.open(path)) {
            RingRecords records = ring.records(100);
            for (Optional<RingRecord> next = records.next(); next.isPresent(); next = records.next()) {
                RingRecord found = next.get();
                if (found.state() == State.COMMITTED) {
                    assertThat(found.bytes().byteSize()).isEqualTo(Math.min(100, found.byteSize()));
                    numbers.add(found.bytes().get(JAVA_LONG, 0));
                }
            }
        }
        return numbers;
    }

    @Test
    void records_thatAreReadMeanwhile_areLeftOut() throws IOException {
        try (RingFile file = RingFile.create(path, 1 << 18); RingInspection ring = RingInspection.open(path)) {
            RingBuffer producer = file.newProducer();
            MemorySegment message = MemorySegment.ofArray(new byte[100]);
            while (producer.write(1, message, 0, 100)) {
                // Until the ring is full.
            }
            RingRecords records = ring.records(0);
            assertThat(records.next()).isPresent();
            file.newReader().poll((_, _, _, _) -> {}, Integer.MAX_VALUE);
            while (producer.write(2, message, 0, 100)) {
                // In place of the first messages.
            }
            for (Optional<RingRecord> next = records.next(); next.isPresent(); next = records.next()) {
                // Those of the part that was read before.
                assertThat(next.get().type()).isEqualTo(1);
                assertThat(next.get().position()).isLessThan(1 << 16);
            }
        }
    }

    @Test
    @Tag("full")
    void records_whileAThreadSendsAndReads_areWhole() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        try (RingFile file = RingFile.create(path, 1 << 16)) {
            RingBuffer producer = file.newProducer();
            RingBuffer reader = file.newReader();
            Thread sender = Thread.ofPlatform().start(() -> {
                for (long number = 0; !done.get(); number++) {
                    long[] message = new long[(int) (1 + number * 7 % 40)];
                    Arrays.fill(message, number);
                    while (!producer.write(5, MemorySegment.ofArray(message), 0, 8L * message.length)) {
                        reader.poll((_, _, _, _) -> {}, 100);
                    }
                }
            });
            int messages = 0;
            for (int round = 0; round < 300; round++) {
                messages += checkWhole();
            }
            done.set(true);
            sender.join();
            assertThat(messages).isPositive();
        }
    }

    private int checkWhole() throws IOException {
        int messages = 0;
        try (RingInspection ring = RingInspection.open(path)) {
            RingRecords records = ring.records(1000);
            for (Optional<RingRecord> next = records.next(); next.isPresent(); next = records.next()) {
                if (next.get().state() == State.COMMITTED) {
                    long[] message = next.get().bytes().toArray(JAVA_LONG);
                    assertThat(message).hasSize((int) (1 + message[0] * 7 % 40)).containsOnly(message[0]);
                    messages++;
                }
            }
        }
        return messages;
    }

    @Test
    void records_randomBytes_endOrAreDamaged() throws IOException {
        RingFile.create(path, CAPACITY).close();
        int damaged = 0;
        int found = 0;
        byte[] original = Files.readAllBytes(path);
        for (int seed = 0; seed < 500; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ByteBuffer bytes = ByteBuffer.wrap(original.clone()).order(ByteOrder.LITTLE_ENDIAN);
            fill(bytes, random);
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.write(bytes.rewind(), 0);
            }
            try (RingInspection ring = RingInspection.open(path)) {
                if (seed % 20 == 0) {
                    ring.users();
                }
                RingRecords records = ring.records(random.nextInt(100));
                int count = 0;
                for (Optional<RingRecord> next = records.next(); next.isPresent(); next = records.next()) {
                    assertThat(++count).isLessThanOrEqualTo(CAPACITY / RECORD);
                    next.get().bytes().asByteBuffer().hasRemaining();
                }
                found += count;
            } catch (DamagedException _) {
                damaged++;
            }
        }
        assertThat(found).isPositive();
        assertThat(damaged).isPositive();
    }

    /// Records with right stamps and random descriptions, and random words in the header.
    private static void fill(ByteBuffer bytes, SplittableRandom random) {
        long key = bytes.getLong(32);
        long head = RECORD * random.nextLong(1, 10_000);
        bytes.putLong(384, head).putLong(128, head + RECORD * random.nextLong(CAPACITY / RECORD + 1));
        for (int at = 0; at < CAPACITY; at += RECORD) {
            long position = head + ((at - head) & (CAPACITY - 1));
            bytes.putLong(RECORDS + at, random.nextInt(8) == 0 ? random.nextLong() : position ^ key);
            bytes.putLong(RECORDS + at + 8, random.nextInt(20) == 0
                    ? random.nextLong()
                    : (random.nextLong(1, 4) << 30) | random.nextInt(60) | (random.nextLong(3) << 32));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            bytes.putLong(8 * random.nextInt(RECORDS / 8), random.nextBoolean() ? random.nextLong() : -1);
        }
    }
}
