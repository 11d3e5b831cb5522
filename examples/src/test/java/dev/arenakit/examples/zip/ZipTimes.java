package dev.arenakit.examples.zip;

import dev.arenakit.MallocArena;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

/// Prints how long [ZipFile] and [ZipIndex] take for the same work, as a table in Markdown.
public final class ZipTimes {
    private static final int PAGE = 4096;
    private static final int CONTENTS = 200;
    private static final int CONTENT_BYTE_SIZE = 20_000;

    /// The shortest time that a candidate runs in a round.
    private static final long ROUND_NANOS = 200_000_000;
    private static final int WARM_UP_ROUNDS = 5;
    private static final int ROUNDS = 15;

    private final Path directory;
    private final Random random = new Random(25);
    /// The sum of the results of all work, so that the compiler cannot remove the work.
    private long sum;

    /// Work of a candidate. It contains the loop over its operations, since a loop outside would call many candidates
    /// from one place, and the compiler could not inline them. The result depends on the work.
    private interface Work {
        long run() throws IOException;
    }

    private ZipTimes(Path directory) {
        this.directory = directory;
    }

    /// Runs the comparison.
    ///
    /// @param args a new directory for the files, which remain
    /// @throws IOException if files cannot be written or read
    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectory(Path.of(args[0]));
        ZipTimes example = new ZipTimes(directory);
        System.out.println("| ns/op | ZipFile | ZipIndex | ratio |\n|---|---|---|---|");
        example.lookUp(1_024);
        example.lookUp(65_536);
        example.readAll("stored", example.contents(true));
        example.readAll("deflated", example.contents(false));
        System.out.println("\nSum of all results: " + example.sum);
    }

    /// Measures the same work of both, which take turns, so that other load on the machine affects both. Prints a line:
    /// medians, the fastest and the slowest round.
    private void compare(String what, int operations, Work zipFile, Work zipIndex) throws IOException {
        double[] ofFile = new double[ROUNDS];
        double[] ofIndex = new double[ROUNDS];
        for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
            ofFile[Math.max(round, 0)] = time(zipFile) / operations;
            ofIndex[Math.max(round, 0)] = time(zipIndex) / operations;
        }
        Arrays.sort(ofFile);
        Arrays.sort(ofIndex);
        System.out.printf(Locale.ROOT, "| %s | %s | %s | %.2f |%n", what, text(ofFile), text(ofIndex),
                ofIndex[ROUNDS / 2] / ofFile[ROUNDS / 2]);
    }

    private static String text(double[] sorted) {
        return number(sorted[ROUNDS / 2]) + " (" + number(sorted[0]) + ".." + number(sorted[ROUNDS - 1]) + ")";
    }

    private static String number(double nanos) {
        return String.format(Locale.ROOT, nanos < 100 ? "%,.1f" : "%,.0f", nanos);
    }

    private double time(Work work) throws IOException {
        long begin = System.nanoTime();
        long end;
        int runs = 0;
        do {
            sum += work.run();
            runs++;
            end = System.nanoTime();
        } while (end - begin < ROUND_NANOS);
        return (double) (end - begin) / runs;
    }

    /// One entry in ten is a directory. All names have about 16 characters.
    private void lookUp(int size) throws IOException {
        List<String> hits = new ArrayList<>();
        Path zip = directory.resolve("entries" + size + ".zip");
        try (ZipOutputStream out = output(zip)) {
            for (int i = 0; i < size; i++) {
                String name = "entry-" + (10_000 + random.nextInt(90_000)) + "-" + i;
                boolean isDirectory = random.nextInt(10) == 0;
                out.putNextEntry(new ZipEntry(isDirectory ? name + "/" : name));
                if (!isDirectory) {
                    hits.add(name);
                }
            }
        }
        Collections.shuffle(hits, random);
        List<String> misses = hits.stream().map(name -> name + "-x").toList();
        String entries = String.format(", %,d entries", size);
        try (ZipFile file = new ZipFile(zip.toFile()); ZipIndex index = ZipIndex.open(zip)) {
            compareFinding("miss" + entries, file, index, misses.toArray(String[]::new));
            compareFinding("hit" + entries, file, index, hits.toArray(String[]::new));
        }
        open(size + " entries", zip);
    }

    private void compareFinding(String what, ZipFile file, ZipIndex index, String[] names) throws IOException {
        compare(what, names.length, () -> {
            long found = 0;
            for (String name : names) {
                found += file.getEntry(name) == null ? 0 : 1;
            }
            return found;
        }, () -> {
            long found = 0;
            for (String name : names) {
                found += index.find(name) < 0 ? 0 : 1;
            }
            return found;
        });
    }

    private void open(String what, Path path) throws IOException {
        File file = path.toFile();
        Work zipFile = () -> {
            try (ZipFile opened = new ZipFile(file)) {
                return opened.size();
            }
        };
        compare("open and close, " + what, 1, zipFile, () -> {
            try (ZipIndex opened = ZipIndex.open(path)) {
                return opened.size();
            }
        });
        compare("the same, confined", 1, zipFile, () -> {
            try (ZipIndex opened = ZipIndex.openConfined(path)) {
                return opened.size();
            }
        });
    }

    private Path contents(boolean stored) throws IOException {
        Path zip = directory.resolve("contents-" + stored + ".zip");
        try (ZipOutputStream out = output(zip)) {
            for (int i = 0; i < CONTENTS; i++) {
                StringBuilder text = new StringBuilder();
                while (text.length() < CONTENT_BYTE_SIZE) {
                    text.append("line ").append(random.nextInt(10_000)).append('\n');
                }
                byte[] content = text.toString().getBytes(ISO_8859_1);
                ZipEntry entry = new ZipEntry("content" + i);
                if (stored) {
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
        return zip;
    }

    /// Reads all entries, and one byte of each page of their contents.
    private void readAll(String what, Path path) throws IOException {
        try (ZipFile file = new ZipFile(path.toFile()); ZipIndex index = ZipIndex.open(path)) {
            List<? extends ZipEntry> entries = Collections.list(file.entries());
            compare("read all, " + what, entries.size(), () -> {
                long sum = 0;
                for (ZipEntry entry : entries) {
                    try (InputStream in = file.getInputStream(entry)) {
                        byte[] content = in.readAllBytes();
                        for (int i = 0; i < content.length; i += PAGE) {
                            sum += content[i];
                        }
                    }
                }
                return sum;
            }, () -> {
                long sum = 0;
                for (long position = index.first(); position >= 0; position = index.next(position)) {
                    try (MallocArena arena = MallocArena.ofConfined()) {
                        MemorySegment content = index.read(position, arena);
                        for (long i = 0; i < content.byteSize(); i += PAGE) {
                            sum += content.get(JAVA_BYTE, i);
                        }
                    }
                }
                return sum;
            });
        }
    }

    private static ZipOutputStream output(Path zip) throws IOException {
        return new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(zip)));
    }
}
