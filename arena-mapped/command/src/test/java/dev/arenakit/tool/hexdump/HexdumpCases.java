package dev.arenakit.tool.hexdump;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/// Random command lines of hexdump over random files, the same in every run.
final class HexdumpCases {
    /// A command line, which the command and the real program share, and the output of the real program for it.
    record Case(List<String> commandLine, String expected) {}

    private record TestFile(Path path, long byteSize) {}

    private static final int FILES = 30;
    /// The largest distance of a dump from the ends of a large file: the real program reads holes byte by byte.
    private static final int NEAR = 100_000;

    private final Random random = new Random(20_260_101);
    private final Path directory;
    private final List<TestFile> small = new ArrayList<>();
    private final List<TestFile> sparse = new ArrayList<>();

    private HexdumpCases(Path directory) throws IOException {
        this.directory = directory;
        for (int i = 0; i < FILES; i++) {
            small.add(file("small" + i, random.nextInt(i % 4 == 0 ? 50_000 : 700), 0));
            // The command looks for holes in files of 16 MiB or more. Two thirds of the files are larger than 4 GiB.
            long byteSize = (i % 3 == 0 ? 17L << 20 : 1L << 32) + random.nextInt(1 << 20);
            sparse.add(file("sparse" + i, byteSize, byteSize / NEAR * NEAR - NEAR));
        }
    }

    /// Writes a file that is a hole from 100,000 bytes up to its end or an offset.
    private TestFile file(String name, long byteSize, long offset) throws IOException {
        Path path = directory.resolve(name);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(byteSize);
            file.write(repetitive((int) Math.min(byteSize, NEAR)));
            if (offset > 0 && random.nextBoolean()) {
                file.seek(offset);
                file.write(repetitive(NEAR));
            }
        }
        return new TestFile(path, byteSize);
    }

    /// Zeros, a pattern of 16 bytes and noise, in ranges of random length.
    private byte[] repetitive(int byteSize) {
        byte[] bytes = new byte[byteSize];
        for (int at = 0; at < byteSize;) {
            int end = Math.min(byteSize, at + 1 + random.nextInt(random.nextBoolean() ? 80 : 6_000));
            int kind = random.nextInt(3);
            for (; at < end; at++) {
                bytes[at] = (byte) (kind == 0 ? 0 : kind == 1 ? at % 16 + 'a' : random.nextInt());
            }
        }
        return bytes;
    }

    /// Generates cases, and runs the real program for the expected output of each.
    ///
    /// @param directory for the files
    static List<Case> generate(Path directory, int count) throws IOException, InterruptedException {
        HexdumpCases generator = new HexdumpCases(directory);
        List<List<String>> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(generator.next());
        }
        return generator.runReal(lines);
    }

    /// Whether the hexdump of util-linux is installed. Other programs of that name have similar output, but parse
    /// numbers differently.
    static boolean isRealInstalled() throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder("hexdump", "--version").redirectErrorStream(true).start();
            String version = new String(process.getInputStream().readAllBytes(), US_ASCII);
            return process.waitFor() == 0 && version.contains("util-linux");
        } catch (IOException e) {
            return false;
        }
    }

    /// Runs all cases in one shell, which takes a fraction of the time of a process for each case.
    private List<Case> runReal(List<List<String>> lines) throws IOException, InterruptedException {
        StringBuilder script = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            script.append("'" + String.join("' '", lines.get(i)) + "' -C >expected" + i + " || exit\n");
        }
        Path file = Files.writeString(directory.resolve("script"), script);
        Process shell = new ProcessBuilder("sh", file.toString()).directory(directory.toFile()).inheritIO().start();
        assertThat(shell.waitFor()).isZero();
        List<Case> complete = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            complete.add(new Case(lines.get(i), Files.readString(directory.resolve("expected" + i), US_ASCII)));
        }
        return complete;
    }

    /// Dumps small files anywhere, and a large file, perhaps behind a small one, near its ends or past the end.
    private List<String> next() {
        List<TestFile> files = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            files.add(any(small));
        }
        boolean isLarge = random.nextBoolean();
        if (isLarge) {
            files = random.nextInt(3) == 0 ? List.of(any(small), any(sparse)) : List.of(any(sparse));
        }
        long total = files.stream().mapToLong(TestFile::byteSize).sum();
        long skip = switch (random.nextInt(5)) {
            case 0 -> total + random.nextInt(2) * random.nextLong(1L << 40);
            case 1 -> random.nextInt(NEAR);
            default -> Math.max(0, total - 1 - random.nextInt(isLarge ? NEAR : (int) total + 1));
        };
        boolean toTheEnd = random.nextBoolean() && skip > total - NEAR;
        List<String> line = new ArrayList<>(List.of("hexdump"));
        if (skip > 0) {
            line.addAll(List.of("-s", number(skip)));
        }
        if (!toTheEnd) {
            line.addAll(List.of("-n", number(random.nextInt(NEAR))));
        }
        if (random.nextInt(4) == 0) {
            line.add("-v");
        }
        files.forEach(file -> line.add(file.path().toString()));
        return line;
    }

    private String number(long value) {
        return switch (random.nextInt(3)) {
            case 0 -> "0x" + Long.toHexString(value);
            case 1 -> value % 1024 == 0 ? value / 1024 + "K" : Long.toString(value);
            default -> Long.toString(value);
        };
    }

    private TestFile any(List<TestFile> files) {
        return files.get(random.nextInt(files.size()));
    }
}
