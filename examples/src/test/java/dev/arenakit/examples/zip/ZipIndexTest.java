package dev.arenakit.examples.zip;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ZipIndexTest {
    private static final byte[] TEXT = "All work and no play makes Jack a dull boy. ".repeat(100).getBytes(UTF_8);
    private static final byte[] SHORT = {1, 2, 3};

    @TempDir
    private Path directory;

    @Test
    void find_ofNamesWithEqualHashes_tellsThemApart() throws IOException {
        try (ZipIndex index = open(RawZip.empty().stored("AaAa", SHORT).stored("BBBB", SHORT).stored("AaBB", SHORT))) {
            for (String name : new String[]{"AaAa", "BBBB", "AaBB"}) {
                assertThat(index.name(index.find(name))).isEqualTo(name);
            }
            assertThat(index.find("BBAa")).isEqualTo(ZipIndex.NOT_FOUND);
        }
    }

    @Test
    void find_ofNamesInAllLengthsOfUtf8_findsThem() throws IOException {
        String[] names = {"é", "abcdefgé", "abcdefghé", "日本語/ファイル", "a\ud83d\ude00b", "\ud83d\ude00/"};
        RawZip zip = RawZip.empty();
        for (String name : names) {
            zip.stored(name, SHORT);
        }
        try (ZipIndex index = open(zip)) {
            for (String name : names) {
                assertThat(index.name(index.find(name))).isEqualTo(name);
                assertThat(index.find(name + "x")).isEqualTo(ZipIndex.NOT_FOUND);
                assertThat(index.find(name.substring(1))).isEqualTo(ZipIndex.NOT_FOUND);
            }
            assertThat(index.name(index.find("\ud83d\ude00"))).isEqualTo("\ud83d\ude00/");
            assertThat(index.find("\ud83d")).isEqualTo(ZipIndex.NOT_FOUND);
        }
    }

    @Test
    void open_ofANameThatIsNotUtf8_isRefused() throws IOException {
        byte[] name = "Z\u0081rich".getBytes(ISO_8859_1);
        for (int flags : new int[]{0, RawZip.UTF_8_FLAG}) {
            RawZip zip = RawZip.empty().entry(name, SHORT, false, flags, "");
            assertThatExceptionOfType(ZipException.class).isThrownBy(() -> open(zip))
                    .withMessageStartingWith("Entry name is not UTF-8: offset=");
        }
    }

    @Test
    void position_thatIsNone_isRefused() throws IOException {
        try (ZipIndex index = open(RawZip.empty().stored("a", SHORT))) {
            for (long position : new long[]{-1, 1, Long.MAX_VALUE, Long.MIN_VALUE, 47}) {
                assertThatIllegalArgumentException().isThrownBy(() -> index.size(position))
                        .withMessage("Position is not that of an entry: position=" + position);
            }
        }
    }

    @Test
    void open_ofAFileWithoutEntries_hasNone() throws IOException {
        try (ZipIndex index = open(RawZip.empty())) {
            assertThat(index.size()).isZero();
            assertThat(index.first()).isEqualTo(ZipIndex.NOT_FOUND);
            assertThat(index.find("a")).isEqualTo(ZipIndex.NOT_FOUND);
            assertThat(index.find("")).isEqualTo(ZipIndex.NOT_FOUND);
        }
    }

    @Test
    void open_ofAFileThatIsNoZipFile_saysWhere() throws IOException {
        Path path = Files.write(directory.resolve("text"), TEXT);
        assertThatExceptionOfType(ZipException.class).isThrownBy(() -> ZipIndex.open(path))
                .withMessage("File has no end record, as zip files have: offset=0, path=" + path);
        Path empty = Files.createFile(directory.resolve("empty"));
        assertThatExceptionOfType(ZipException.class).isThrownBy(() -> ZipIndex.open(empty));
    }

    @Test
    void open_ofManyNamesWithOneHash_findsThem() throws IOException {
        RawZip zip = RawZip.empty();
        int bits = 14;
        for (int i = 0; i < 1 << bits; i++) {
            StringBuilder name = new StringBuilder();
            for (int bit = 0; bit < bits; bit++) {
                name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            zip.stored(name.toString(), new byte[0]);
        }
        Path path = Files.write(directory.resolve("hashes.zip"), zip.end(""));
        try (ZipIndex index = ZipIndex.open(path); ZipFile file = new ZipFile(path.toFile())) {
            assertThat(index.size()).isEqualTo(file.size()).isEqualTo(1 << bits);
            assertThat(index.name(index.find("Aa".repeat(bits)))).isEqualTo("Aa".repeat(bits));
        }
    }

    @Test
    void find_makesNoGarbage() throws IOException {
        Path path = Files.write(directory.resolve("some.zip"),
                RawZip.empty().stored("dir/", new byte[0]).stored("name-of-an-entry", "abc".getBytes(UTF_8)).end(""));
        var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (ZipIndex index = ZipIndex.open(path)) {
            long before = 0;
            long found = 0;
            for (int i = 0; i < 20_000; i++) {
                if (i == 10_000) {
                    before = thread.getCurrentThreadAllocatedBytes();
                }
                long position = index.find("name-of-an-entry");
                found += index.size(position) + index.find("dir") + index.find("no such entry")
                        + (index.isDirectory(position) ? 1 : 0);
            }
            assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
            assertThat(found).isPositive();
        }
    }

    private ZipIndex open(RawZip zip) throws IOException {
        return ZipIndex.open(Files.write(Files.createTempFile(directory, "raw", ".zip"), zip.end("")));
    }
}
