package dev.arenakit.examples.zip;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ZipReadTest {
    private static final byte[] TEXT = "All work and no play makes Jack a dull boy. ".repeat(100).getBytes(UTF_8);
    private static final byte[] SHORT = {1, 2, 3};

    @TempDir
    private Path directory;

    @Test
    void read_ofAStoredEntry_isASliceOfTheMappedFile() throws IOException {
        SegmentAllocator none = (_, _) -> {
            throw new AssertionError("allocates");
        };
        ZipIndex index = open(RawZip.empty().stored("a", TEXT));
        MemorySegment read = index.read(index.find("a"), none);
        assertThat(read.toArray(JAVA_BYTE)).isEqualTo(TEXT);
        assertThat(read.isMapped()).isTrue();
        assertThat(read.isReadOnly()).isTrue();
        index.close();
        assertThat(read.scope().isAlive()).isFalse();
    }

    @Test
    void read_ofADeflatedEntryThatIsLargerThanTheBuffer_givesItsContent() throws IOException {
        byte[] content = new byte[1_000_000];
        new Random(25).nextBytes(content);
        try (ZipIndex index = open(RawZip.empty().deflated("random", content).stored("stored", content));
                Arena arena = Arena.ofConfined()) {
            for (String name : new String[]{"random", "stored"}) {
                assertThat(index.read(index.find(name), arena).toArray(JAVA_BYTE)).isEqualTo(content);
                try (InputStream in = index.open(index.find(name))) {
                    assertThat(in.read()).isEqualTo(content[0] & 0xff);
                    assertThat(in.skip(10)).isEqualTo(10);
                    assertThat(in.readNBytes(content.length)).hasSize(content.length - 11).endsWith(content[999_999]);
                    assertThat(in.read()).isEqualTo(-1);
                }
            }
        }
    }

    @Test
    void read_ofAnEncryptedEntry_isRefused() throws IOException {
        try (ZipIndex index = open(
                RawZip.empty().entry("secret".getBytes(UTF_8), SHORT, false, RawZip.ENCRYPTED_FLAG, ""))) {
            long position = index.find("secret");
            assertThat(index.entry(position).encrypted()).isTrue();
            assertThatExceptionOfType(ZipException.class).isThrownBy(() -> index.read(position, Arena.ofAuto()))
                    .withMessageStartingWith("Entry is encrypted: offset=");
            assertThatExceptionOfType(ZipException.class).isThrownBy(() -> index.open(position));
        }
    }

    @Test
    void read_ofAnEntryOfAnotherMethod_isRefusedAndTheOthersAreRead() throws IOException {
        try (ZipIndex index = open(RawZip.empty().stored("stored", SHORT).withMethod(93).stored("zstd", SHORT));
                Arena arena = Arena.ofConfined()) {
            long position = index.find("zstd");
            assertThat(index.entry(position).method()).isEqualTo(93);
            assertThat(index.size(position)).isEqualTo(SHORT.length);
            assertThatExceptionOfType(ZipException.class).isThrownBy(() -> index.read(position, arena))
                    .withMessageStartingWith("Entry is neither stored nor deflated: method=93");
            assertThatExceptionOfType(ZipException.class).isThrownBy(() -> index.open(position));
            assertThat(index.read(index.find("stored"), arena).toArray(JAVA_BYTE)).isEqualTo(SHORT);
        }
    }

    @Test
    void read_ofAnEntryWithAnotherCrc_isRefused() throws IOException {
        byte[] zip = RawZip.empty().stored("a", TEXT).end("");
        zip[40]++;
        Path path = Files.write(directory.resolve("crc.zip"), zip);
        try (ZipIndex index = ZipIndex.open(path)) {
            long position = index.find("a");
            assertThatExceptionOfType(ZipException.class).isThrownBy(() -> index.read(position, Arena.ofAuto()))
                    .withMessageStartingWith("Entry has another CRC: ");
            try (InputStream in = index.open(position)) {
                assertThatExceptionOfType(ZipException.class).isThrownBy(in::readAllBytes);
            }
        }
    }

    @Test
    void read_ofAnEntryThatClaimsToBeHuge_isRefusedBeforeItIsAllocated() throws IOException {
        byte[] zip = RawZip.empty().zip64().deflated("a", TEXT).end("");
        int field = indexOf(zip, new byte[]{1, 0, 24, 0});
        zip[field + 4 + 6] = 1;
        try (ZipIndex index = ZipIndex.open(Files.write(directory.resolve("huge.zip"), zip))) {
            long position = index.find("a");
            assertThat(index.size(position)).isGreaterThan(1L << 48);
            SegmentAllocator none = (_, _) -> {
                throw new AssertionError("allocates");
            };
            assertThatExceptionOfType(ZipException.class).isThrownBy(() -> index.read(position, none))
                    .withMessageStartingWith("Entry cannot have this size: ");
        }
    }

    @Test
    void read_afterTheFileWasTruncated_throws() throws IOException {
        byte[] content = new byte[300_000];
        new Random(25).nextBytes(content);
        Path path = Files.write(directory.resolve("truncated.zip"),
                RawZip.empty().stored("stored", content).deflated("deflated", content).end(""));
        try (ZipIndex index = ZipIndex.open(path); Arena arena = Arena.ofConfined()) {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(100_000);
            }
            for (String name : new String[]{"stored", "deflated"}) {
                assertThatThrownBy(() -> index.read(index.find(name), arena)).isInstanceOf(EOFException.class)
                        .hasMessageStartingWith("File has been truncated: ");
            }
        }
    }

    @Test
    void read_byAnInterruptedThread_leavesTheIndexUsable() throws IOException {
        try (ZipIndex index = open(RawZip.empty().deflated("a", TEXT)); Arena arena = Arena.ofConfined()) {
            long position = index.find("a");
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> index.read(position, arena)).isInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(index.read(position, arena).toArray(JAVA_BYTE)).isEqualTo(TEXT);
        }
    }

    @Test
    void read_afterAnInterruptAndAReplacedFile_throws() throws IOException {
        Path path = directory.resolve("replaced.zip");
        Files.write(path, RawZip.empty().deflated("a", TEXT).end(""));
        try (ZipIndex index = ZipIndex.open(path); Arena arena = Arena.ofConfined()) {
            long position = index.find("a");
            Path other = Files.write(directory.resolve("other"), RawZip.empty().deflated("b", TEXT).end(""));
            Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
            assertThat(index.read(position, arena).toArray(JAVA_BYTE)).isEqualTo(TEXT);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> index.read(position, arena)).isInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThatThrownBy(() -> index.read(position, arena))
                    .hasMessage("File has been replaced: path=" + path);
        }
    }

    @Test
    void read_byManyThreads_givesEachItsContent() throws Exception {
        RawZip zip = RawZip.empty();
        byte[][] contents = new byte[50][];
        Random random = new Random(25);
        for (int i = 0; i < contents.length; i++) {
            contents[i] = new byte[random.nextInt(200_000)];
            random.nextBytes(contents[i]);
            if (i % 2 == 0) {
                zip.stored("entry" + i, contents[i]);
            } else {
                zip.deflated("entry" + i, contents[i]);
            }
        }
        try (ZipIndex index = open(zip); ExecutorService threads = Executors.newFixedThreadPool(4)) {
            Future<?>[] results = new Future<?>[8];
            for (int t = 0; t < results.length; t++) {
                results[t] = threads.submit(() -> {
                    for (int i = 0; i < contents.length; i++) {
                        try (Arena arena = Arena.ofConfined()) {
                            MemorySegment read = index.read(index.find("entry" + i), arena);
                            assertThat(read.mismatch(MemorySegment.ofArray(contents[i]))).isEqualTo(-1);
                        }
                    }
                    return null;
                });
            }
            for (Future<?> result : results) {
                result.get();
            }
        }
    }

    @Test
    void openConfined_calledByAnotherThread_throws() throws Exception {
        Path path = Files.write(directory.resolve("confined.zip"), RawZip.empty().stored("a", SHORT).end(""));
        try (ZipIndex index = ZipIndex.openConfined(path);
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            assertThat(index.find("a")).isNotNegative();
            assertThatThrownBy(() -> thread.submit(() -> index.find("a")).get()).hasCauseInstanceOf(
                    WrongThreadException.class);
        }
    }

    @Test
    void close_endsAllAccess() throws IOException {
        ZipIndex index = open(RawZip.empty().deflated("a", TEXT));
        long position = index.find("a");
        InputStream in = index.open(position);
        index.close();
        assertThatIllegalStateException().isThrownBy(() -> index.find("a"));
        assertThatIllegalStateException().isThrownBy(() -> index.size(position));
        assertThatIllegalStateException().isThrownBy(() -> index.read(position, Arena.ofAuto()));
        assertThatIllegalStateException().isThrownBy(in::readAllBytes);
        in.close();
        assertThatIllegalStateException().isThrownBy(index::close);
    }

    private ZipIndex open(RawZip zip) throws IOException {
        return ZipIndex.open(Files.write(Files.createTempFile(directory, "raw", ".zip"), zip.end("")));
    }

    private static int indexOf(byte[] bytes, byte[] sought) {
        return IntStream.range(0, bytes.length - sought.length)
                .filter(i -> Arrays.equals(bytes, i, i + sought.length, sought, 0, sought.length))
                .findFirst()
                .orElseThrow();
    }
}
