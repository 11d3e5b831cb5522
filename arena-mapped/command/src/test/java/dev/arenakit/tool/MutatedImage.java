package dev.arenakit.tool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// An image whose files are changed at random: the catalog, the data, and the sizes of the files.
final class MutatedImage {
    private static final int LINE = 64;

    private final Path base;
    private final byte[] catalog;
    /// The end of the records in the catalog.
    private final int end;
    private final List<byte[]> data;

    /// @param base the base of a chunked image without a running owner
    MutatedImage(Path base, int files) throws IOException {
        this.base = base;
        catalog = Files.readAllBytes(base.resolveSibling(base.getFileName() + ".catalog"));
        end = (int) ByteBuffer.wrap(catalog).order(ByteOrder.LITTLE_ENDIAN).getLong(LINE);
        data = new ArrayList<>();
        for (int number = 0; number < files; number++) {
            data.add(Files.readAllBytes(data(number)));
        }
    }

    private Path data(int number) {
        return base.resolveSibling(base.getFileName() + "-" + number);
    }

    /// Writes the files again, with other changes for each seed.
    void change(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] changed = catalog.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            changed = change(changed, random);
        }
        write(base.resolveSibling(base.getFileName() + ".catalog"), changed);
        for (int number = 0; number < data.size(); number++) {
            byte[] bytes = data.get(number).clone();
            switch (random.nextInt(8)) {
                case 0 -> Files.deleteIfExists(data(number));
                case 1 -> write(data(number), Arrays.copyOf(bytes, random.nextInt(bytes.length)));
                default -> {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
                    write(data(number), bytes);
                }
            }
        }
    }

    private byte[] change(byte[] bytes, SplittableRandom random) {
        ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int line = random.nextInt(end / LINE) * LINE;
        switch (random.nextInt(8)) {
            case 0 -> bytes[random.nextInt(end) % bytes.length] ^= (byte) (1 << random.nextInt(8));
            case 1 -> random.nextBytes(bytes);
            case 2 -> System.arraycopy(catalog, line, bytes, random.nextInt(bytes.length / LINE) * LINE,
                    LINE);
            case 3 -> words.putLong(line % (bytes.length - LINE) + 8 * random.nextInt(8), number(random));
            case 4 -> words.putInt(line % (bytes.length - LINE) + 4 * random.nextInt(16), (int) number(random));
            case 5 -> words.putLong(LINE, number(random));
            case 6 -> {
                return Arrays.copyOf(bytes, Math.max(4 * LINE, random.nextInt(end)));
            }
            default -> words.putInt(4 * random.nextInt(LINE / 4), (int) number(random));
        }
        return bytes;
    }

    private static long number(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(100);
            case 1 -> Long.MAX_VALUE - random.nextInt(100);
            case 2 -> -random.nextInt(100);
            default -> random.nextLong();
        };
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes), 0);
            channel.truncate(bytes.length);
        }
    }
}
