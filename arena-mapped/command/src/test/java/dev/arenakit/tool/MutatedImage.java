package dev.arenakit.tool;

import java.io.IOException;
import java.io.RandomAccessFile;
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
    private static final long TEBIBYTE = 1L << 40;
    private static final int KINDS = 10;

    private final Path base;
    private final byte[] catalog;
    /// The end of the records in the catalog.
    private final int end;
    private final List<byte[]> data;
    private boolean isForged;

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

    /// Whether the catalog has an entry that no owner has written and whose checksum is correct. It may have replaced
    /// another entry without a trace.
    boolean isForged() {
        return isForged;
    }

    private Path data(int number) {
        return base.resolveSibling(base.getFileName() + "-" + number);
    }

    /// Writes the files again, with other changes for each seed.
    void change(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] changed = catalog.clone();
        isForged = false;
        for (int i = random.nextInt(4); i >= 0; i--) {
            changed = change(changed, random);
        }
        Path file = base.resolveSibling(base.getFileName() + ".catalog");
        write(file, changed);
        if (random.nextInt(16) == 0) {
            grow(file);
        }
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
        switch (random.nextInt(11)) {
            case 0 -> bytes[random.nextInt(end) % bytes.length] ^= (byte) (1 << random.nextInt(8));
            case 1 -> random.nextBytes(bytes);
            case 2 -> System.arraycopy(catalog, line, bytes, random.nextInt(bytes.length / LINE) * LINE,
                    LINE);
            case 3 -> words.putLong(line % (bytes.length - LINE) + 8 * random.nextInt(8), number(random));
            case 4 -> words.putInt(line % (bytes.length - LINE) + 4 * random.nextInt(16), (int) number(random));
            case 5 -> words.putLong(LINE, number(random));
            case 6 -> System.arraycopy(new byte[LINE], 0, bytes, line(bytes, random), LINE);
            case 7 -> swap(bytes, line(bytes, random), line(bytes, random));
            case 8 -> forge(words, line(bytes, random), random);
            case 9 -> {
                return Arrays.copyOf(bytes, Math.max(4 * LINE, random.nextInt(end)));
            }
            default -> words.putInt(4 * random.nextInt(LINE / 4), (int) number(random));
        }
        return bytes;
    }

    private static int line(byte[] bytes, SplittableRandom random) {
        return random.nextInt(bytes.length / LINE) * LINE;
    }

    private static void swap(byte[] bytes, int line, int other) {
        byte[] kept = Arrays.copyOfRange(bytes, line, line + LINE);
        System.arraycopy(bytes, other, bytes, line, LINE);
        System.arraycopy(kept, 0, bytes, other, LINE);
    }

    /// Writes an entry of any kind, with random numbers and the checksum that belongs to them.
    private void forge(ByteBuffer bytes, int at, SplittableRandom random) {
        isForged = true;
        byte kind = (byte) random.nextInt(KINDS);
        bytes.putInt(at, at / LINE).putInt(at + 4, 1 + random.nextInt(3));
        bytes.put(at + 8, kind).put(at + 9, (byte) random.nextInt(64)).putShort(at + 10, (short) random.nextInt(40));
        bytes.putInt(at + 12, random.nextInt(4) == 0 ? 10_000_000 : random.nextInt(4));
        for (int field = 16; field < 48; field += 8) {
            bytes.putLong(at + field, random.nextBoolean() ? number(random) : 64L * random.nextInt(300));
        }
        bytes.putLong(at + 48, 0);
        long hash = at / LINE;
        for (int field = 8; field < 56; field += 8) {
            hash = mix(hash, kind == 7 && field == 16 ? 0 : bytes.getLong(at + field));
        }
        bytes.putLong(at + 56, mix(mix(hash, 0), 0));
    }

    private static long mix(long hash, long word) {
        long mixed = (hash ^ word) + 0x9e37_79b9_7f4a_7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ (mixed >>> 31);
    }

    /// Adds a hole of a terabyte to a file.
    private static void grow(Path file) throws IOException {
        try (RandomAccessFile grown = new RandomAccessFile(file.toFile(), "rw")) {
            grown.setLength(TEBIBYTE);
        }
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
