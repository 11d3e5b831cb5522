package dev.arenakit.examples.zip;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
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
    void find_ofAnEntry_givesItsValues() throws IOException {
        try (ZipIndex index = open(RawZip.empty()
                .entry("dir/text".getBytes(UTF_8), TEXT, true, RawZip.UTF_8_FLAG, "A comment"))) {
            Entry entry = index.entry(index.find("dir/text"));
            assertThat(entry.name()).isEqualTo("dir/text");
            assertThat(entry.size()).isEqualTo(TEXT.length);
            assertThat(entry.compressedSize()).isBetween(10L, 200L);
            assertThat(entry.method()).isEqualTo(8);
            assertThat(entry.comment()).isEqualTo("A comment");
            assertThat(entry.directory()).isFalse();
            assertThat(entry.encrypted()).isFalse();
            assertThat(index.find("dir/tex")).isEqualTo(ZipIndex.NOT_FOUND);
            assertThat(index.find("dir/textt")).isEqualTo(ZipIndex.NOT_FOUND);
            assertThat(index.find("")).isEqualTo(ZipIndex.NOT_FOUND);
        }
    }

    @Test
    void find_ofADirectoryWithoutSlash_findsIt() throws IOException {
        try (ZipIndex index = open(RawZip.empty().stored("dir/", new byte[0]).stored("file", SHORT))) {
            assertThat(index.name(index.find("dir"))).isEqualTo("dir/");
            assertThat(index.name(index.find("dir/"))).isEqualTo("dir/");
            assertThat(index.isDirectory(index.find("dir"))).isTrue();
            assertThat(index.find("file/")).isEqualTo(ZipIndex.NOT_FOUND);
            assertThat(index.find("dir//")).isEqualTo(ZipIndex.NOT_FOUND);
        }
    }

    @Test
    void find_ofAFileAndADirectoryOfOneName_prefersTheFile() throws IOException {
        for (boolean fileFirst : new boolean[]{true, false}) {
            RawZip zip = RawZip.empty().stored(fileFirst ? "x" : "x/", SHORT).stored(fileFirst ? "x/" : "x", SHORT);
            try (ZipIndex index = open(zip)) {
                assertThat(index.name(index.find("x"))).isEqualTo("x");
                assertThat(index.name(index.find("x/"))).isEqualTo("x/");
            }
        }
    }

    @Test
    void find_ofACharSequence_findsWhatItsStringFinds() throws IOException {
        try (ZipIndex index = open(RawZip.empty().stored("a/b", SHORT).stored("Größe/", SHORT))) {
            assertThat(index.find(CharBuffer.wrap("a/b"))).isEqualTo(index.find("a/b")).isNotNegative();
            assertThat(index.find(CharBuffer.wrap("Größe"))).isEqualTo(index.find("Größe")).isNotNegative();
        }
    }

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
    void find_ofANameInCodePage437_findsIt() throws IOException {
        byte[] name = "Z\u0081rich".getBytes(ISO_8859_1);
        byte[] all = new byte[128];
        IntStream.range(0, 128).forEach(i -> all[i] = (byte) (i + 128));
        try (ZipIndex index = open(
                RawZip.empty().entry(name, SHORT, false, 0, "").entry(all, SHORT, false, 0, ""))) {
            assertThat(index.name(index.find("Zürich"))).isEqualTo("Zürich");
            String expected = new String(all, Charset.forName("IBM437"));
            assertThat(index.name(index.find(expected))).isEqualTo(expected);
            assertThat(index.find("Zurich")).isEqualTo(ZipIndex.NOT_FOUND);
        }
    }

    @Test
    void find_ofANameInAUnicodeField_findsIt() throws IOException {
        byte[] header = "\u00b1\u00a8\u00b8\u00e6.txt".getBytes(ISO_8859_1);
        String name = "\u62a5\u544a.txt";
        for (boolean isZip64 : new boolean[]{false, true}) {
            RawZip zip = RawZip.empty();
            if (isZip64) {
                zip = zip.zip64();
            }
            try (ZipIndex index = open(zip.withExtra(0x5455, new byte[5])
                    .withExtra(0x7075, RawZip.unicode(header, name))
                    .withExtra(0x6375, RawZip.unicode("old".getBytes(UTF_8), "new \u20ac"))
                    .withExtra(0x7876, new byte[3])
                    .entry(header, SHORT, false, 0, "old")
                    .withoutExtra()
                    .stored("last", TEXT)); Arena arena = Arena.ofConfined()) {
                long position = index.find(name);
                assertThat(index.name(position)).isEqualTo(name);
                assertThat(index.comment(position)).isEqualTo("new \u20ac");
                assertThat(index.read(position, arena).toArray(JAVA_BYTE)).isEqualTo(SHORT);
                assertThat(index.find("\u2592\u00bf\u2555\u00b5.txt")).as("header").isEqualTo(ZipIndex.NOT_FOUND);
                assertThat(index.next(position)).isEqualTo(index.find("last"));
                assertThat(index.size()).isEqualTo(2);
            }
        }
    }

    @Test
    void find_ofADirectoryInAUnicodeField_findsItWithAndWithoutSlash() throws IOException {
        byte[] header = "x/".getBytes(UTF_8);
        try (ZipIndex index = open(RawZip.empty()
                .withExtra(0x7075, RawZip.unicode(header, "a longer name \u20ac/"))
                .entry(header, new byte[0], false, 0, ""))) {
            assertThat(index.find("a longer name \u20ac")).isEqualTo(index.first());
            assertThat(index.find("a longer name \u20ac/")).isEqualTo(index.first());
            assertThat(index.isDirectory(index.first())).isTrue();
        }
    }

    @Test
    void find_ofANameInAUnicodeFieldThatIsNotValid_findsTheHeader() throws IOException {
        byte[] header = "header".getBytes(UTF_8);
        byte[] otherCrc = RawZip.unicode("changed".getBytes(UTF_8), "field");
        byte[] otherVersion = RawZip.unicode(header, "field");
        otherVersion[0] = 2;
        byte[] notUtf8 = RawZip.unicode(header, "field");
        notUtf8[5] = (byte) 0x80;
        for (byte[] field : new byte[][]{otherCrc, otherVersion, notUtf8, new byte[4], RawZip.unicode(header, "")}) {
            try (ZipIndex index = open(RawZip.empty().withExtra(0x7075, field).entry(header, SHORT, false, 0, ""))) {
                assertThat(index.name(index.find("header"))).isEqualTo("header");
            }
        }
        // The flag says that the name of the header is in UTF-8.
        try (ZipIndex index = open(RawZip.empty()
                .withExtra(0x7075, RawZip.unicode(header, "field"))
                .entry(header, SHORT, false, RawZip.UTF_8_FLAG, ""))) {
            assertThat(index.find("header")).isEqualTo(index.first());
        }
    }

    @Test
    void find_ofAnotherNameWithTheHashOfACodePage437Name_findsNothing() throws IOException {
        byte[] name = new byte[Long.BYTES];
        Arrays.fill(name, (byte) 0xff);
        try (ZipIndex index = open(RawZip.empty().entry(name, SHORT, false, 0, ""))) {
            String text = "\u00a0".repeat(name.length);
            String other = "\u00a1\u0081" + text.substring(2);
            assertThat(other).hasSameHashCodeAs(text);
            assertThat(index.name(index.find(text))).isEqualTo(text);
            assertThat(index.find(other)).isEqualTo(ZipIndex.NOT_FOUND);
        }
    }

    @Test
    void find_inAFileOfDirectories_findsAllWithAndWithoutSlash() throws IOException {
        RawZip zip = RawZip.empty();
        for (int i = 0; i < 1_000; i++) {
            zip.stored("Verzeichnis-für-" + i + "/", new byte[0]);
        }
        try (ZipIndex index = open(zip)) {
            assertThat(index.size()).isEqualTo(1_000);
            for (int i = 0; i < 1_000; i++) {
                String name = "Verzeichnis-für-" + i;
                assertThat(index.name(index.find(name))).isEqualTo(name + "/");
                assertThat(index.find(name + "/")).isEqualTo(index.find(name));
                assertThat(index.find(name + "//")).isEqualTo(ZipIndex.NOT_FOUND);
            }
        }
    }

    @Test
    void open_ofAFileWithAZip64RecordThatItDoesNotNeed_findsItsEntries() throws IOException {
        try (ZipIndex index = open(RawZip.empty().withZip64End().stored("a", SHORT).stored("b", SHORT))) {
            assertThat(index.size()).isEqualTo(2);
            assertThat(index.name(index.find("b"))).isEqualTo("b");
        }
    }

    @Test
    void find_ofARelease_findsTheNewestUpToIt() throws IOException {
        RawZip zip = RawZip.empty()
                .deflated("META-INF/MANIFEST.MF",
                        "Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n".getBytes(UTF_8))
                .stored("a/B.class", SHORT)
                .stored("META-INF/versions/9/a/B.class", SHORT)
                .stored("META-INF/versions/17/a/B.class", SHORT)
                .stored("META-INF/versions/17/new/", new byte[0])
                .stored("META-INF/versions/8/a/B.class", SHORT)
                .stored("META-INF/versions/x/a/B.class", SHORT);
        try (ZipIndex index = open(zip)) {
            assertThat(index.isMultiRelease()).isTrue();
            assertThat(index.name(index.find("a/B.class", 8))).isEqualTo("a/B.class");
            assertThat(index.name(index.find("a/B.class", 16))).isEqualTo("META-INF/versions/9/a/B.class");
            assertThat(index.name(index.find("a/B.class", 25))).isEqualTo("META-INF/versions/17/a/B.class");
            assertThat(index.find("new", 25)).isEqualTo(ZipIndex.NOT_FOUND);
            assertThat(index.name(index.find("META-INF/MANIFEST.MF", 25))).isEqualTo("META-INF/MANIFEST.MF");
            assertThat(index.find("missing", 25)).isEqualTo(ZipIndex.NOT_FOUND);
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

    private ZipIndex open(RawZip zip) throws IOException {
        return ZipIndex.open(Files.write(Files.createTempFile(directory, "raw", ".zip"), zip.end("")));
    }
}
