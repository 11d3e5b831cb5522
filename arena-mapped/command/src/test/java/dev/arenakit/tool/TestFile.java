package dev.arenakit.tool;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/// A file with random contents.
///
/// @param path     the file
/// @param byteSize its size
public record TestFile(Path path, long byteSize) {
    /// The unit of data and holes. Holes begin and end at pages, and a page has 64 KiB on some machines.
    private static final int PIECE = 1 << 16;

    /// Writes a file without holes. Some lines of its dump repeat.
    public static TestFile dense(Path path, Random random, int byteSize) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.write(repetitive(random, byteSize));
        }
        return new TestFile(path, byteSize);
    }

    /// Writes a sparse file, with data in about half of its first and of its last pieces.
    public static TestFile sparse(Path path, Random random, long byteSize) throws IOException {
        Set<Long> offsets = new TreeSet<>();
        for (int i = 0; i < 4; i++) {
            if (random.nextBoolean()) {
                offsets.add((long) i * PIECE);
            }
        }
        for (int i = 4; i > 0; i--) {
            if (random.nextBoolean()) {
                offsets.add((byteSize / PIECE - i) * PIECE);
            }
        }
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(byteSize);
            for (long offset : offsets) {
                file.seek(offset);
                file.write(repetitive(random, PIECE));
            }
        }
        return new TestFile(path, byteSize);
    }

    /// Zeros, a pattern of 16 bytes and noise, in ranges of random length.
    private static byte[] repetitive(Random random, int byteSize) {
        byte[] bytes = new byte[byteSize];
        for (int at = 0; at < byteSize;) {
            int end = Math.min(byteSize, at + 1 + random.nextInt(random.nextBoolean() ? 80 : 6_000));
            int kind = random.nextInt(3);
            for (int i = at; i < end; i++) {
                bytes[i] = (byte) (kind == 0 ? 0 : kind == 1 ? i % 16 + 'a' : random.nextInt());
            }
            at = end;
        }
        return bytes;
    }
}
