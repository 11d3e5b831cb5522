package dev.arenakit.tool.hexdump;

import dev.arenakit.tool.TestFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/// Random command lines of hexdump over random files, the same in every run.
public final class HexdumpCases {
    /// A command line, which the command and the real program share, and the output of the real program for it.
    public record Case(List<String> commandLine, String expected) {}

    private static final int DENSE_FILES = 40;
    private static final int SPARSE_FILES = 12;
    /// The largest distance of a dump from the ends of a sparse file: the real program reads holes byte by byte.
    private static final int NEAR = 100_000;

    private final Random random = new Random(20_260_101);
    private final Path directory;
    private final List<TestFile> dense = new ArrayList<>();
    private final List<TestFile> sparse = new ArrayList<>();

    private HexdumpCases(Path directory) throws IOException {
        this.directory = directory;
        for (int i = 0; i < DENSE_FILES; i++) {
            int byteSize = random.nextInt(i % 4 == 0 ? 50_000 : 700);
            dense.add(TestFile.dense(directory.resolve("dense" + i), random, byteSize));
        }
        for (int i = 0; i < SPARSE_FILES; i++) {
            // The command looks for holes in files of 16 MiB or more. Two thirds of the files are larger than 4 GiB.
            long byteSize = (i % 3 == 0 ? 17L << 20 : 1L << 32) + random.nextInt(1 << 20);
            sparse.add(TestFile.sparse(directory.resolve("sparse" + i), random, byteSize));
        }
    }

    /// Generates cases, and runs the real program for the expected output of each.
    ///
    /// @param directory for the files
    public static List<Case> generate(Path directory, int count) throws IOException, InterruptedException {
        HexdumpCases generator = new HexdumpCases(directory);
        List<String[]> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(generator.next());
        }
        return generator.runReal(lines);
    }

    /// Whether the hexdump of util-linux is installed. Other programs of that name have similar output, but parse
    /// numbers differently.
    public static boolean isRealInstalled() throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder("hexdump", "--version").redirectErrorStream(true).start();
            String version = new String(process.getInputStream().readAllBytes(), US_ASCII);
            return process.waitFor() == 0 && version.contains("util-linux");
        } catch (IOException e) {
            return false;
        }
    }

    /// Runs all cases in one shell, which takes a fraction of the time of a process for each case.
    private List<Case> runReal(List<String[]> lines) throws IOException, InterruptedException {
        StringBuilder script = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            script.append("'")
                    .append(String.join("' '", lines.get(i)))
                    .append("' -C >expected")
                    .append(i)
                    .append(" || exit\n");
        }
        Path file = Files.writeString(directory.resolve("script"), script);
        Process shell = new ProcessBuilder("sh", file.toString()).directory(directory.toFile()).inheritIO().start();
        assertThat(shell.waitFor()).isZero();
        List<Case> complete = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            complete.add(
                    new Case(List.of(lines.get(i)), Files.readString(directory.resolve("expected" + i), US_ASCII)));
        }
        return complete;
    }

    private String[] next() {
        return switch (random.nextInt(8)) {
            case 0, 1 -> anywhere(List.of(any(dense)));
            case 2 -> anywhere(someDense());
            case 3, 4, 5 ->
                nearTheEnd(random.nextInt(3) == 0 ? List.of(any(dense), any(sparse)) : List.of(any(sparse)));
            case 6 -> nearTheBeginning(any(sparse));
            default -> pastTheEnd(random.nextBoolean() ? someDense() : List.of(any(sparse)));
        };
    }

    private String[] anywhere(List<TestFile> files) {
        int total = (int) byteSize(files);
        long skip = random.nextBoolean() ? 0 : random.nextInt(total + 1);
        long length = random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(total + 20);
        return dump(files, skip, length);
    }

    private String[] nearTheEnd(List<TestFile> files) {
        long skip = byteSize(files) - 1 - random.nextInt(NEAR);
        return dump(files, skip, random.nextInt(3) > 0 ? Long.MAX_VALUE : random.nextInt(NEAR));
    }

    private String[] nearTheBeginning(TestFile file) {
        return dump(List.of(file), random.nextInt(NEAR), random.nextInt(NEAR));
    }

    private String[] pastTheEnd(List<TestFile> files) {
        return dump(files, byteSize(files) + random.nextInt(2) * random.nextLong(1L << 40), Long.MAX_VALUE);
    }

    private String[] dump(List<TestFile> files, long skip, long length) {
        List<String> line = new ArrayList<>(List.of("hexdump"));
        if (skip > 0) {
            line.addAll(List.of("-s", number(skip)));
        }
        if (length < Long.MAX_VALUE) {
            line.addAll(List.of("-n", number(length)));
        }
        if (random.nextInt(4) == 0) {
            line.add("-v");
        }
        files.forEach(file -> line.add(file.path().toString()));
        return line.toArray(String[]::new);
    }

    private String number(long value) {
        return switch (random.nextInt(3)) {
            case 0 -> "0x" + Long.toHexString(value);
            case 1 -> value % 1024 == 0 ? value / 1024 + "K" : Long.toString(value);
            default -> Long.toString(value);
        };
    }

    private List<TestFile> someDense() {
        List<TestFile> files = new ArrayList<>();
        int count = 2 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            files.add(any(dense));
        }
        return files;
    }

    private TestFile any(List<TestFile> files) {
        return files.get(random.nextInt(files.size()));
    }

    private static long byteSize(List<TestFile> files) {
        return files.stream().mapToLong(TestFile::byteSize).sum();
    }
}
