package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/// An image of one data file, in which one structure is first. Its bytes are changed, and [#damage] restores them before
/// the next change.
final class DamagedImage implements AutoCloseable {
    private static final int PAGE = 4096;

    private final Path base;
    private final FileChannel file;
    private final byte[] original;

    DamagedImage(Path base) throws IOException {
        this.base = base;
        Path path = ImageFiles.data(base, 0);
        original = Files.readAllBytes(path);
        file = FileChannel.open(path, StandardOpenOption.WRITE);
    }

    Path base() {
        return base;
    }

    long byteSize() {
        return original.length;
    }

    /// The number that was at an offset before all changes.
    long number(long byteOffset) {
        return ByteBuffer.wrap(original).order(ByteOrder.LITTLE_ENDIAN).getLong((int) byteOffset);
    }

    void setNumber(long byteOffset, long value) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        file.write(bytes.putLong(0, value), byteOffset);
    }

    /// Changes some bytes.
    void damage(SplittableRandom random) throws IOException {
        byte[] changed = original.clone();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            // The fields of the header are few bytes, so that most changes would miss them.
            int at = switch (random.nextInt(4)) {
                case 0 -> random.nextInt(192);
                case 1 -> 1024 + random.nextInt(128);
                default -> random.nextInt(changed.length);
            };
            changed[at] = random.nextBoolean()
                    ? (byte) random.nextInt()
                    : (byte) (changed[at] ^ 1 << random.nextInt(8));
        }
        file.write(ByteBuffer.wrap(changed), 0);
    }

    /// Replaces pages by pages that the data file had earlier.
    void mix(byte[] earlier, SplittableRandom random) throws IOException {
        int isEarlier = 1 + random.nextInt(9);
        for (int at = 0; at < earlier.length; at += PAGE) {
            if (random.nextInt(10) < isEarlier) {
                file.write(ByteBuffer.wrap(earlier, at, PAGE), at);
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
