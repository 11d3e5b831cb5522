package dev.arenakit.examples.zip;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Opens files that the JDK, Info-ZIP and Python write.
class ZipWritersTest {
    @TempDir
    private Path directory;

    @Test
    void open_ofAFileOfTheJdk_agreesWithZipFile() throws IOException {
        Path path = directory.resolve("jdk.zip");
        Random random = new Random(25);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(path))) {
            out.setComment("Größe");
            for (int i = 0; i < 1_000; i++) {
                byte[] content = new byte[random.nextInt(3_000)];
                random.nextBytes(content);
                ZipEntry entry = new ZipEntry("dir" + i % 10 + "/ünï" + i);
                entry.setComment("comment " + i);
                if (random.nextBoolean()) {
                    CRC32 crc = new CRC32();
                    crc.update(content);
                    entry.setMethod(ZipEntry.STORED);
                    entry.setSize(content.length);
                    entry.setCrc(crc.getValue());
                }
                out.putNextEntry(entry);
                out.write(content);
            }
        }
        compare(path);
    }

    @Test
    void open_ofMoreEntriesThan16BitsCount_agreesWithZipFile() throws IOException {
        Path path = directory.resolve("many.zip");
        try (ZipOutputStream out = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(path)))) {
            for (int i = 0; i < 70_000; i++) {
                out.putNextEntry(new ZipEntry("entry-" + i));
            }
        }
        try (ZipFile expected = new ZipFile(path.toFile()); ZipIndex index = ZipIndex.open(path)) {
            assertThat(index.size()).isEqualTo(expected.size()).isEqualTo(70_000);
            for (int i = 0; i < 70_000; i += 7) {
                assertThat(index.name(index.find("entry-" + i))).isEqualTo("entry-" + i);
            }
        }
    }

    @Test
    void open_ofAFileOfInfoZip_agreesWithZipFile() throws Exception {
        Path files = files();
        for (List<String> options : List.of(List.of("-r"), List.of("-r", "-0"), List.of("-r", "-fz"),
                List.of("-r", "-UN=UTF8"), List.of("-r", "-D", "-X"))) {
            Path path = directory.resolve("info" + String.join("", options).replace("=", "") + ".zip");
            List<String> command = new ArrayList<>(List.of("zip", "-q"));
            command.addAll(options);
            command.addAll(List.of(path.toString(), "."));
            run(files, "Info-ZIP", command);
            compare(path);
        }
    }

    @Test
    void open_ofAStreamOfInfoZip_agreesWithZipFile() throws Exception {
        Path path = directory.resolve("stream.zip");
        run(directory, "Info-ZIP",
                List.of("sh", "-c", "command -v zip > found && echo hello | zip -q \"$1\" - || test ! -s found",
                        "sh", path.toString()));
        assumeTrue(Files.exists(path), "Info-ZIP is not installed");
        compare(path);
    }

    @Test
    void open_ofAFileOfPython_agreesWithZipFile() throws Exception {
        Path path = directory.resolve("python.zip");
        python(path, """
                with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as z:
                    for i in range(100):
                        z.writestr('dir/entry%d' % i, 'content %d' % i * i)
                    z.writestr('Zürich', b'abc', zipfile.ZIP_STORED)
                    z.mkdir('empty')
                    with z.open('zip64', 'w', force_zip64=True) as out:
                        out.write(b'x' * 100000)
                    z.comment = b'A comment'
                """);
        compare(path);
    }

    /// The file is sparse: it has a hole of 5 GiB.
    @Test
    @Tag("slow")
    void open_ofAnEntryAbove4GiB_readsIt() throws Exception {
        Path path = directory.resolve("large.zip");
        python(path, """
                size = 5 << 30
                crc = 0
                zeros = bytes(1 << 20)
                for i in range(size >> 20):
                    crc = zlib.crc32(zeros, crc)
                with open(path, 'wb') as f:
                    def local(name, crc, n):
                        f.write(struct.pack('<IHHHIIIIHH', 0x04034b50, 45, 0, 0, 0x21, crc, 0xffffffff, 0xffffffff,
                                len(name), 20) + name + struct.pack('<HHQQ', 1, 16, n, n))
                    local(b'large', crc, size)
                    f.seek(size, 1)
                    later = f.tell()
                    local(b'later', zlib.crc32(b'abc'), 3)
                    f.write(b'abc')
                    start = f.tell()
                    for name, c, n, offset in (b'large', crc, size, 0), (b'later', zlib.crc32(b'abc'), 3, later):
                        f.write(struct.pack('<IHHHHIIIIHHHHHII', 0x02014b50, 45, 45, 0, 0, 0x21, c, 0xffffffff,
                                0xffffffff, len(name), 28, 0, 0, 0, 0, 0xffffffff) + name
                                + struct.pack('<HHQQQ', 1, 24, n, n, offset))
                    end = f.tell()
                    f.write(struct.pack('<IQHHIIQQQQ', 0x06064b50, 44, 45, 45, 0, 0, 2, 2, end - start, start))
                    f.write(struct.pack('<IIQI', 0x07064b50, 0, end, 1))
                    f.write(struct.pack('<IHHHHIIH', 0x06054b50, 0, 0, 2, 2, end - start, 0xffffffff, 0))
                with zipfile.ZipFile(path) as z:
                    assert z.read('later') == b'abc'
                """);
        try (ZipFile expected = new ZipFile(path.toFile()); ZipIndex index = ZipIndex.open(path)) {
            ZipComparison.compare(expected, index, name -> name.equals("later"));
            long position = index.find("large");
            assertThat(index.size(position)).isEqualTo(5L << 30);
            var large = index.read(position, (_, _) -> {
                throw new AssertionError("allocates");
            });
            assertThat(large.byteSize()).isEqualTo(5L << 30);
            assertThat(large.get(JAVA_BYTE, (5L << 30) - 1)).isZero();
        }
    }

    private Path files() throws IOException {
        Path files = Files.createDirectory(directory.resolve("files"));
        Files.writeString(files.resolve("text"), "0123456789".repeat(5_000));
        Files.write(files.resolve("empty"), new byte[0]);
        Files.createDirectories(files.resolve("dir/nested"));
        Files.createDirectories(files.resolve("other"));
        byte[] random = new byte[100_000];
        new Random(25).nextBytes(random);
        Files.write(files.resolve("dir/nested/random"), random);
        Files.writeString(files.resolve("Zürich"), "ü");
        return files;
    }

    private static void compare(Path path) throws IOException {
        try (ZipFile expected = new ZipFile(path.toFile()); ZipIndex index = ZipIndex.open(path)) {
            assertThat(index.size()).isPositive();
            ZipComparison.compare(expected, index, _ -> true);
        }
    }

    private void python(Path path, String script) throws Exception {
        Path file = Files.writeString(directory.resolve("script.py"),
                "import struct, sys, zipfile, zlib\npath = sys.argv[1]\n" + script);
        run(directory, "Python 3.11 or later", List.of("python3", file.toString(), path.toString()));
    }

    private static void run(Path workingDirectory, String program, List<String> command) throws Exception {
        Process process;
        try {
            ProcessBuilder builder = new ProcessBuilder(command).directory(workingDirectory.toFile())
                    .redirectErrorStream(true);
            builder.environment().put("LC_ALL", "C.UTF-8");
            process = builder.start();
        } catch (IOException e) {
            assumeTrue(false, program + " is not installed: " + e.getMessage());
            throw new AssertionError(e);
        }
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
    }
}
