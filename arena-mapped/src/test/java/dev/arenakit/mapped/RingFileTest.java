package dev.arenakit.mapped;

import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.internal.file.DescriptionLock;
import dev.arenakit.mapped.internal.ring.ProducerSlots;
import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class RingFileTest extends InDirectory {
    private static final int CAPACITY = 1 << 12;
    private static final long TAIL = 128;
    private static final long INTENT_OF_FIRST_SLOT = 640 + 8;

    private final Path path = directory.resolve("ring");

    private RingFile file() throws IOException {
        return RingFile.openOrCreate(path, CAPACITY);
    }

    private static boolean send(RingBuffer ring, long number) {
        long at = ring.claim(Long.BYTES);
        if (at == RingBuffer.FULL) {
            return false;
        }
        ring.segment().set(JAVA_LONG, at, number);
        ring.commit(at, 7);
        return true;
    }

    private static List<Long> receive(RingBuffer ring) {
        List<Long> numbers = new ArrayList<>();
        ring.poll((type, segment, offset, byteSize) -> {
            assertThat(type).isEqualTo(7);
            assertThat(byteSize).isEqualTo(Long.BYTES);
            numbers.add(segment.get(JAVA_LONG, offset));
        }, Integer.MAX_VALUE);
        return numbers;
    }

    /// Polls until a message is there.
    private static List<Long> await(RingBuffer ring) {
        long start = System.nanoTime();
        List<Long> numbers = receive(ring);
        while (numbers.isEmpty()) {
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MINUTES.toNanos(1));
            numbers = receive(ring);
        }
        return numbers;
    }

    @BeforeEach
    void checkSystem() {
        assumeTrue(DescriptionLock.isAvailableFor(base), "needs locks of open file descriptions");
    }

    @Test
    void messages_ofSeveralProducers_outliveTheFileObjects() throws IOException {
        try (RingFile one = file(); RingFile other = file()) {
            RingBuffer first = one.newProducer();
            RingBuffer second = other.newProducer();
            for (long number = 0; number < 10; number++) {
                assertThat(send(number % 2 == 0 ? first : second, number)).isTrue();
            }
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path))).isEqualTo("rw-------");
        try (RingFile file = RingFile.open(path)) {
            assertThat(file.capacity()).isEqualTo(CAPACITY);
            assertThat(file.unreadByteSize()).isEqualTo(10 * 32);
            assertThat(receive(file.newReader())).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
            assertThat(file.skippedClaims()).isZero();
        }
    }

    @Test
    void fullRing_takesMessagesAgainAfterAPoll() throws IOException {
        try (RingFile file = file()) {
            RingBuffer producer = file.newProducer();
            RingBuffer reader = file.newReader();
            long sent = 0;
            long read = 0;
            for (int round = 0; round < 10; round++) {
                while (send(producer, sent)) {
                    sent++;
                }
                for (long number : receive(reader)) {
                    assertThat(number).isEqualTo(read++);
                }
            }
            assertThat(read).isEqualTo(sent).isEqualTo(10 * CAPACITY / 32);
        }
    }

    @Test
    void claim_whoseProducerIsClosed_isSkippedAndCounted() throws IOException {
        try (RingFile file = file()) {
            RingBuffer reader = file.newReader();
            RingBuffer live = file.newProducer();
            RingFile ended = file();
            RingBuffer abandoned = ended.newProducer();
            assertThat(send(abandoned, 1)).isTrue();
            assertThat(abandoned.claim(100)).isNotNegative();
            assertThat(send(live, 2)).isTrue();
            assertThat(receive(reader)).containsExactly(1L);
            assertThat(receive(reader)).isEmpty();
            ended.close();
            assertThat(await(reader)).containsExactly(2L);
            assertThat(file.skippedClaims()).isEqualTo(1);
        }
    }

    @Test
    void claim_whoseProducerIsAlive_isNotSkipped() throws Exception {
        try (RingFile file = file(); RingFile other = file()) {
            RingBuffer reader = file.newReader();
            RingBuffer slow = other.newProducer();
            long at = slow.claim(Long.BYTES);
            assertThat(send(file.newProducer(), 2)).isTrue();
            for (int i = 0; i < 20; i++) {
                assertThat(receive(reader)).isEmpty();
                TimeUnit.MILLISECONDS.sleep(1);
            }
            slow.segment().set(JAVA_LONG, at, 1);
            slow.commit(at, 7);
            assertThat(await(reader)).containsExactly(1L, 2L);
            assertThat(file.skippedClaims()).isZero();
        }
    }

    /// A later producer has the slot of the dead one, and its lock.
    @Test
    void claim_whoseProducerIsDeadAndHasASuccessor_isSkipped() throws IOException {
        try (RingFile file = file()) {
            RingBuffer reader = file.newReader();
            RingFile ended = file();
            assertThat(ended.newProducer().claim(100)).isNotNegative();
            ended.close();
            assertThat(send(file.newProducer(), 2)).isTrue();
            assertThat(await(reader)).containsExactly(2L);
            assertThat(file.skippedClaims()).isEqualTo(1);
        }
    }

    /// Moves the tail as a producer does that is killed before it writes anything.
    private static void leaveGap(MemorySegment segment, long byteSize) {
        long tail = segment.get(JAVA_LONG, TAIL);
        segment.set(JAVA_LONG, INTENT_OF_FIRST_SLOT, tail);
        segment.set(JAVA_LONG, TAIL, tail + byteSize);
    }

    @Test
    void gap_ofADeadProducer_isSkipped() throws IOException {
        try (RingFile file = file()) {
            RingBuffer reader = file.newReader();
            RingFile ended = file();
            leaveGap(ended.newProducer().segment(), 96);
            RingBuffer live = file.newProducer();
            assertThat(send(live, 5)).isTrue();
            for (int i = 0; i < 20; i++) {
                assertThat(receive(reader)).isEmpty();
            }
            ended.close();
            assertThat(await(reader)).containsExactly(5L);
            assertThat(file.skippedClaims()).isEqualTo(1);
        }
    }

    /// The second producer has moved the tail, and has not written the stamp of its claim yet.
    @Test
    void gap_ofADeadProducerBeforeTheClaimOfALivingOne_endsThere() throws Exception {
        try (RingFile file = file()) {
            RingBuffer reader = file.newReader();
            RingFile ended = file();
            MemorySegment segment = ended.newProducer().segment();
            leaveGap(segment, 96);
            file.newProducer();
            RingBuffer third = file.newProducer();
            // The intent of the second slot.
            segment.set(JAVA_LONG, INTENT_OF_FIRST_SLOT + 128, 96);
            segment.set(JAVA_LONG, TAIL, 96 + 32);
            assertThat(send(third, 6)).isTrue();
            ended.close();
            long start = System.nanoTime();
            while (file.skippedClaims() == 0) {
                assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MINUTES.toNanos(1));
                assertThat(receive(reader)).isEmpty();
            }
            for (int i = 0; i < 10; i++) {
                assertThat(receive(reader)).isEmpty();
                TimeUnit.MILLISECONDS.sleep(1);
            }
            assertThat(file.skippedClaims()).isEqualTo(1);
            assertThat(file.unreadByteSize()).isEqualTo(32 + 32);
        }
    }

    /// The padding is written, and the claim behind it is not.
    @Test
    void gap_behindThePaddingOfALivingProducer_isNotSkipped() throws Exception {
        try (RingFile file = file()) {
            RingBuffer reader = file.newReader();
            RingBuffer producer = file.newProducer();
            for (int i = 0; i < CAPACITY / 32 - 1; i++) {
                assertThat(send(producer, i)).isTrue();
            }
            assertThat(receive(reader)).hasSize(CAPACITY / 32 - 1);
            // A claim of 64 bytes does not fit into the last 32 bytes.
            long at = producer.claim(64);
            MemorySegment segment = producer.segment();
            segment.set(JAVA_LONG, INTENT_OF_FIRST_SLOT, CAPACITY - 32);
            long stamp = segment.get(JAVA_LONG, at - 16);
            segment.set(JAVA_LONG, at - 16, 0);
            for (int i = 0; i < 10; i++) {
                assertThat(receive(reader)).isEmpty();
                TimeUnit.MILLISECONDS.sleep(1);
            }
            segment.set(JAVA_LONG, at - 16, stamp);
            segment.set(JAVA_LONG, INTENT_OF_FIRST_SLOT, -1);
            producer.abort(at);
            assertThat(send(producer, 8)).isTrue();
            assertThat(await(reader)).containsExactly(8L);
            assertThat(file.skippedClaims()).isZero();
        }
    }

    @Test
    void claim_ofAnotherProducer_cannotBeCommitted() throws IOException {
        try (RingFile file = file()) {
            RingBuffer first = file.newProducer();
            RingBuffer second = file.newProducer();
            long at = first.claim(8);
            assertThatIllegalStateException().isThrownBy(() -> second.commit(at, 7));
            assertThatIllegalStateException().isThrownBy(() -> second.abort(at));
            first.commit(at, 7);
            assertThat(receive(file.newReader())).hasSize(1);
        }
    }

    /// Such a ring has no slots, and nobody knows whether its producers are alive.
    @Test
    void open_ofARingThatIsNoRingFile_isRefused() throws IOException {
        Path other = directory.resolve("other");
        Files.write(other, new byte[100_000]);
        try (FileChannel channel = FileChannel.open(other, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined()) {
            RingBuffer ring = RingBuffer
                    .mpsc(channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena));
            assertThat(send(ring, 1)).isTrue();
            assertThatIllegalStateException().isThrownBy(() -> RingFile.open(other))
                    .withMessageContaining("kind=mpsc, opened as=file");
            assertThat(receive(ring)).containsExactly(1L);
        }
        try (RingFile file = file();
                Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena);
            assertThatIllegalStateException().isThrownBy(() -> RingBuffer.mpsc(memory))
                    .withMessageContaining("kind=file, opened as=mpsc");
            assertThat(file.newReader()).hasToString("RingBuffer: file, capacity=4096");
            assertThat(file.capacity()).isEqualTo(CAPACITY);
        }
    }

    @Test
    void openOrCreate_byThreadsWithDifferentCapacities_createsOneRing() throws IOException {
        for (int round = 0; round < 30; round++) {
            AtomicInteger opened = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            Threads.race(3, index -> {
                try (RingFile file = RingFile.openOrCreate(path, (long) CAPACITY << index % 2)) {
                    assertThat(file.capacity()).isEqualTo((long) CAPACITY << index % 2);
                    opened.getAndIncrement();
                } catch (IllegalStateException _) {
                    refused.getAndIncrement();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(opened.get()).isIn(1, 2);
            assertThat(opened.get() + refused.get()).isEqualTo(3);
            RingFile.open(path).close();
            Files.delete(path);
        }
    }

    /// The file has zeros and one other byte, at its end or in the header.
    @ParameterizedTest
    @CsvSource({"100, 99", "35000, 34999", "100000, 99999", "100, 8", "100, 16", "100, 24", "100, 32", "100, 40"})
    void openOrCreate_ofAnotherFile_isRefusedAndChangesNothing(int byteSize, int at) throws IOException {
        byte[] other = new byte[byteSize];
        other[at] = 2;
        Files.write(path, other);
        assertThatIllegalStateException().isThrownBy(this::file);
        assertThat(Files.readAllBytes(path)).isEqualTo(other);
    }

    @Test
    void openOrCreate_ofAHeaderOfAnotherCapacity_isRefusedUntilTheCapacityIsRight() throws IOException {
        byte[] begun = new byte[(int) ProducerSlots.RECORDS + CAPACITY];
        begun[17] = CAPACITY >> 8;
        Files.write(path, begun);
        assertThatIllegalStateException().isThrownBy(() -> RingFile.openOrCreate(path, 2 * CAPACITY));
        assertThat(Files.readAllBytes(path)).isEqualTo(begun);
        try (RingFile file = file()) {
            assertThat(send(file.newProducer(), 1)).isTrue();
        }
    }

    @Test
    void open_ofATruncatedFile_isRefused() throws IOException {
        RingFile.create(path, CAPACITY).close();
        byte[] whole = Files.readAllBytes(path);
        for (int byteSize : new int[]{0, 4, 8, 100, (int) ProducerSlots.RECORDS, whole.length - 1}) {
            Files.write(path, Arrays.copyOf(whole, byteSize));
            assertThatIllegalStateException().isThrownBy(() -> RingFile.open(path))
                    .withMessageContaining("path=" + path);
        }
    }

    @Test
    void uses_thatARingOfAFileHasNot_areRefused() throws IOException {
        RingFile file = file();
        try (RingFile other = file()) {
            RingBuffer producer = file.newProducer();
            RingBuffer reader = file.newReader();
            assertThatIllegalStateException().isThrownBy(() -> receive(producer)).withMessageContaining("producer");
            assertThatIllegalStateException().isThrownBy(producer::unblock).withMessageContaining("producer");
            assertThatIllegalStateException().isThrownBy(() -> send(reader, 1)).withMessageContaining("reader");
            assertThatIllegalStateException().isThrownBy(other::newReader).withMessageContaining("has a reader");
            file.close();
            assertThatIllegalStateException().isThrownBy(file::newProducer).withMessageContaining("closed");
            assertThatIllegalStateException().isThrownBy(() -> send(producer, 1));
            assertThat(receive(other.newReader())).isEmpty();
        }
    }

    @Test
    void newProducer_beyondTheLargestNumber_isRefusedUntilOneEnds() throws IOException {
        try (RingFile file = file(); RingFile other = file()) {
            RingFile ended = file();
            ended.newProducer();
            for (int i = 1; i < ProducerSlots.COUNT; i++) {
                other.newProducer();
            }
            assertThatIllegalStateException().isThrownBy(file::newProducer).withMessageContaining("250 producers");
            ended.close();
            assertThat(send(file.newProducer(), 1)).isTrue();
        }
    }

    /// There are more producers than slots, and each producer ends in a claim.
    @Test
    void producers_thatEndWithTheirArenas_giveTheirSlotsBackAndAreSkipped() throws IOException {
        int producers = ProducerSlots.COUNT + 10;
        try (RingFile file = RingFile.openOrCreate(path, 1 << 16)) {
            for (long i = 0; i < producers; i++) {
                try (Arena arena = i % 2 == 0 ? Arena.ofConfined() : Arena.ofShared()) {
                    RingBuffer producer = file.newProducer(arena);
                    assertThat(send(producer, i)).isTrue();
                    assertThat(producer.claim(Long.BYTES)).isNotNegative();
                }
            }
            RingBuffer reader = file.newReader();
            for (long i = 0; i < producers; i++) {
                assertThat(await(reader)).containsExactly(i);
            }
        }
    }

    @Test
    void producer_ofAnArena_outlivesTheFileObjectAndEndsWithTheArena() throws IOException {
        RingFile file = file();
        RingBuffer producer;
        try (Arena arena = Arena.ofConfined(); RingFile other = file()) {
            producer = file.newProducer(arena);
            file.close();
            assertThat(send(producer, 1)).isTrue();
            assertThat(receive(other.newReader())).containsExactly(1L);
            assertThatIllegalStateException().isThrownBy(() -> file.newProducer(arena)).withMessageContaining("closed");
        }
        assertThatIllegalStateException().isThrownBy(() -> send(producer, 2));
    }

    @Test
    void newProducer_ofAClosedArena_takesNoSlot() throws IOException {
        Arena closed = Arena.ofConfined();
        closed.close();
        try (RingFile file = file()) {
            for (int i = 0; i <= ProducerSlots.COUNT; i++) {
                assertThatIllegalStateException().isThrownBy(() -> file.newProducer(closed));
            }
            assertThat(send(file.newProducer(), 1)).isTrue();
        }
    }

    @Test
    void open_ofOtherContents_isRefusedAndChangesNothing() throws IOException {
        byte[] other = new byte[50_000];
        Arrays.fill(other, (byte) 1);
        Files.write(path, other);
        assertThatIllegalStateException().isThrownBy(() -> RingFile.open(path)).withMessageContaining("magic");
        assertThatIllegalStateException().isThrownBy(this::file);
        assertThat(Files.readAllBytes(path)).isEqualTo(other);
        assertThatThrownBy(() -> RingFile.create(path, CAPACITY)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(Files.readAllBytes(path)).isEqualTo(other);
    }

    @Test
    void open_ofWhatACreatorHasNotCompleted_isRefusedUntilItIsCompleted() throws IOException {
        assertThatThrownBy(() -> RingFile.open(path)).isInstanceOf(NoSuchFileException.class);
        for (int byteSize : new int[]{0, 100, (int) ProducerSlots.RECORDS + CAPACITY}) {
            Files.write(path, new byte[byteSize]);
            assertThatIllegalStateException().isThrownBy(() -> RingFile.open(path))
                    .withMessageContaining("no complete ring");
            try (RingFile file = file()) {
                assertThat(file.capacity()).isEqualTo(CAPACITY);
                assertThat(send(file.newProducer(), 3)).isTrue();
            }
            Files.delete(path);
        }
    }

    @Test
    void capacity_thatDiffersOrIsNoPowerOfTwo_isRefused() throws IOException {
        RingFile.create(path, CAPACITY).close();
        assertThatIllegalStateException().isThrownBy(() -> RingFile.openOrCreate(path, 2 * CAPACITY))
                .withMessageContaining("capacity=4096, requested=8192");
        assertThatIllegalArgumentException().isThrownBy(() -> RingFile.openOrCreate(path, 100));
        Path other = directory.resolve("other");
        assertThatIllegalArgumentException().isThrownBy(() -> RingFile.create(other, 100));
        assertThat(other).doesNotExist();
    }

    @Test
    void create_inADirectoryToWhichOthersCanWrite_isRefusedUnlessAllowed() throws IOException {
        Path shared = Files.createDirectory(directory.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path ring = shared.resolve("ring");
        assertThatIOException().isThrownBy(() -> RingFile.create(ring, CAPACITY))
                .withMessageStartingWith("Directory is not safe: path=" + ring + ", reason=other users may replace")
                .withMessageEndingWith("or open the ring with RingFile.builder(path).unsafeDirectory()");
        assertThatIOException().isThrownBy(() -> RingFile.openOrCreate(ring, CAPACITY));
        assertThat(ring).doesNotExist();
        RingFile.builder(ring).unsafeDirectory().create(CAPACITY).close();
        assertThatIOException().isThrownBy(() -> RingFile.open(ring));
        RingFile.builder(ring).unsafeDirectory().openOrCreate(CAPACITY).close();
        try (RingFile file = RingFile.builder(ring).unsafeDirectory().open()) {
            assertThat(send(file.newProducer(), 1)).isTrue();
            assertThat(receive(file.newReader())).containsExactly(1L);
        }
    }

    @Test
    void create_inAPrivateDirectoryOfASharedOne_isAllowed() throws IOException {
        Path shared = Files.createDirectory(directory.resolve("shared"));
        Path own = Files.createDirectory(shared.resolve("own"));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        RingFile.create(own.resolve("ring"), CAPACITY).close();
        RingFile.open(own.resolve("ring")).close();
    }

    @Test
    void open_ofALinkOrADirectory_namesIt() throws IOException {
        RingFile.create(path, CAPACITY).close();
        Path link = Files.createSymbolicLink(directory.resolve("link"), path);
        for (RingOpening opening : List.<RingOpening>of(RingFile::open,
                file -> RingFile.openOrCreate(file, CAPACITY))) {
            assertThatThrownBy(() -> opening.open(link)).isExactlyInstanceOf(IOException.class)
                    .hasMessage(
                            "Ring file is not trusted: path=" + link + ", reason=it is a symbolic link; pass the path "
                                    + "of a regular file of your own, to which nobody else may write");
            assertThatThrownBy(() -> opening.open(directory)).isExactlyInstanceOf(IOException.class)
                    .hasMessageContaining("it is a directory");
        }
    }

    private interface RingOpening {
        RingFile open(Path path) throws IOException;
    }

    @Test
    void claim_afterTheFileWasRemoved_isRefusedAtTheNextLap() throws IOException {
        try (RingFile file = file()) {
            RingBuffer producer = file.newProducer();
            RingBuffer reader = file.newReader();
            assertThat(send(producer, 1)).isTrue();
            Files.delete(path);
            assertThatIllegalStateException().isThrownBy(() -> {
                for (int i = 0; i < CAPACITY; i++) {
                    send(producer, i);
                    receive(reader);
                }
            })
                    .withMessage(
                            "Ring file is gone: path=" + path + ", reason=the file was removed; open it again, so that "
                                    + "reader and producers have the same file");
            assertThatIllegalStateException().isThrownBy(() -> send(producer, 1));
            assertThatIllegalStateException()
                    .isThrownBy(() -> producer.write(1, MemorySegment.ofArray(new byte[1]), 0, 1));
            assertThatIllegalStateException().isThrownBy(file::newProducer).withMessageContaining("is gone");
        }
    }

    @Test
    void claim_inAFullRingThatWasReplaced_isRefused() throws IOException {
        try (RingFile file = file(); Arena arena = Arena.ofConfined()) {
            RingBuffer producer = file.newProducer(arena);
            while (send(producer, 1)) {
                // Until it is full.
            }
            Files.move(path, directory.resolve("moved"));
            try (RingFile other = file()) {
                assertThat(send(other.newProducer(), 1)).isTrue();
                assertThatIllegalStateException().isThrownBy(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        send(producer, 1);
                    }
                }).withMessageContaining("another file has replaced it");
            }
        }
    }

    @Test
    void claim_whileTheFileIsMovedAway_goesOnWhenItIsBack() throws IOException {
        try (RingFile file = file()) {
            RingBuffer producer = file.newProducer();
            Path moved = directory.resolve("moved");
            Files.move(path, moved);
            assertThatIllegalStateException().isThrownBy(() -> send(producer, 1));
            Files.move(moved, path);
            assertThat(send(producer, 2)).isTrue();
            assertThat(receive(file.newReader())).containsExactly(2L);
        }
    }

    @Test
    @Tag("full")
    void poll_afterTheFileWasRemoved_readsTheRestAndIsRefused() throws IOException {
        try (RingFile file = file()) {
            RingBuffer reader = file.newReader();
            assertThat(send(file.newProducer(), 1)).isTrue();
            Files.delete(path);
            assertThat(receive(reader)).containsExactly(1L);
            // The reader looks for the file once a second.
            assertThatIllegalStateException().isThrownBy(() -> await(reader)).withMessageContaining("was removed");
        }
    }

    @Test
    @Tag("full")
    void create_onAFullDisk_leavesNoFile() throws Exception {
        Path disk = directory.resolve("disk");
        assertThat(SmallDisk.run("size=512k", disk,
                ChildJvm.granted().command(RingFileKillTest.Child.class, "full", disk.toString())))
                .containsExactly("full, file=false", "capacity=65536");
    }

    @Test
    void use_withRandomBytes_returnsOrThrows() throws IOException {
        int messages = 0;
        int refused = 0;
        RingFile.create(path, CAPACITY).close();
        byte[] original = Files.readAllBytes(path);
        for (int seed = 0; seed < 150; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] changed = original.clone();
            for (int i = random.nextInt(6); i >= 0; i--) {
                int at = random.nextBoolean() ? random.nextInt(1024) : random.nextInt(changed.length);
                changed[at] = (byte) random.nextInt();
            }
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(changed), 0);
            }
            try (RingFile file = RingFile.open(path)) {
                RingBuffer producer = file.newProducer();
                RingBuffer reader = file.newReader();
                for (int i = 0; i < 3; i++) {
                    send(producer, i);
                    messages += reader.poll((_, segment, offset, byteSize) -> segment.asSlice(offset, byteSize), 100);
                    reader.unblock();
                }
            } catch (IllegalStateException _) {
                refused++;
            }
        }
        assertThat(messages).isPositive();
        assertThat(refused).isPositive();
    }

    @Test
    void write_ofMemoryOfAnotherArena_copiesIt() throws IOException {
        try (RingFile file = file(); Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocateFrom(JAVA_LONG, 42);
            assertThat(file.newProducer().write(7, own, 0, Long.BYTES)).isTrue();
            assertThat(receive(file.newReader())).containsExactly(42L);
        }
    }
}
