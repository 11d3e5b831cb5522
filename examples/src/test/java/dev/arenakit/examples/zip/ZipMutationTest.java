package dev.arenakit.examples.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// Damages zip files at random, and compares how [ZipIndex] and ZipFile read them.
class ZipMutationTest {
    private static final int[] VALUES = {0, 1, 2, 4, 8, 9, 16, 20, 24, 28, 32, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xfffe,
            0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff};

    @TempDir
    private Path directory;

    @Test
    void open_mutatedFiles_agreesWithZipFile() throws IOException {
        Map<ZipComparison.Verdict, Integer> verdicts = mutate(2_000, 25);
        assertThat(verdicts).containsKeys(ZipComparison.Verdict.values());
    }

    @Test
    @Tag("slow")
    void open_manyMutatedFiles_agreesWithZipFile() throws IOException {
        System.out.println("Mutated zip files: " + mutate(100_000, 26));
    }

    private Map<ZipComparison.Verdict, Integer> mutate(int count, long seed) throws IOException {
        Random random = new Random(seed);
        List<byte[]> originals = originals();
        for (byte[] original : originals) {
            ZipComparison.compare(Files.write(directory.resolve("original.zip"), original));
        }
        Map<ZipComparison.Verdict, Integer> verdicts = new EnumMap<>(ZipComparison.Verdict.class);
        for (int i = 0; i < count; i++) {
            byte[] mutated = originals.get(random.nextInt(originals.size())).clone();
            for (int mutations = 1 + random.nextInt(2); mutations > 0; mutations--) {
                mutated = mutate(mutated, random);
            }
            Path path = Files.write(directory.resolve("mutated" + i + ".zip"), mutated);
            try {
                verdicts.merge(ZipComparison.compare(path), 1, Integer::sum);
            } catch (AssertionError | RuntimeException | IOException e) {
                Path kept = Files.write(Path.of("target", "mutated.zip"), mutated);
                throw new AssertionError("Verdicts differ: number=" + i + ", seed=" + seed + ", file=" + kept, e);
            }
            Files.delete(path);
        }
        return verdicts;
    }

    private static byte[] mutate(byte[] original, Random random) {
        byte[] bytes = original.clone();
        if (bytes.length < 64) {
            return bytes;
        }
        // Most mutations are in the second half of the file, where the directory is.
        int offset = random.nextInt(4) == 0
                ? 8 + random.nextInt(bytes.length - 16)
                : bytes.length / 2 + random.nextInt(bytes.length / 2 - 8);
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int value = VALUES[random.nextInt(VALUES.length)];
        switch (random.nextInt(8)) {
            case 0 -> bytes[offset] = (byte) random.nextInt();
            case 1 -> bytes[offset] ^= (byte) (1 << random.nextInt(8));
            case 2 -> buffer.putShort(offset, (short) value);
            case 3 -> buffer.putInt(offset, value);
            case 4 -> buffer.putShort(offset, (short) (buffer.getShort(offset) + random.nextInt(9) - 4));
            case 5 -> bytes = Arrays.copyOf(bytes, offset + 8);
            case 6 -> {
                int length = 1 + random.nextInt(8);
                System.arraycopy(bytes, offset, bytes, offset - length, bytes.length - offset);
                bytes = Arrays.copyOf(bytes, bytes.length - length);
            }
            default -> buffer.putLong(offset, value);
        }
        return bytes;
    }

    /// Returns well-formed files that have each part of the format.
    private static List<byte[]> originals() {
        byte[] text = "All work and no play makes Jack a dull boy. ".repeat(5).getBytes(UTF_8);
        byte[] other = {1, 2, 3};
        return List.of(
                RawZip.empty().stored("a", other).deflated("dir/", new byte[0]).deflated("dir/b", text).end(""),
                RawZip.empty()
                        .entry("comment".getBytes(UTF_8), text, true, RawZip.DESCRIPTOR_FLAG, "A comment.")
                        .entry("Zürich".getBytes(UTF_8), other, false, RawZip.UTF_8_FLAG, "Größe")
                        .end("The comment of the file"),
                RawZip.empty()
                        .zip64()
                        .stored("dir/x", other)
                        .deflated("dir/x", text)
                        .stored("dir", other)
                        .stored("dir/", new byte[0])
                        .end(""),
                RawZip.after("#!/bin/sh\n".getBytes(UTF_8)).zip64().deflated("only", text).end("zip64"),
                RawZip.after(new byte[10]).stored("only", other).end(""),
                RawZip.after(new byte[10]).withZip64End().stored("only", other).end("x"),
                RawZip.empty()
                        .entry("Z\u0081rich".getBytes(ISO_8859_1), other, false, 0, "")
                        .entry("secret".getBytes(UTF_8), other, false, RawZip.ENCRYPTED_FLAG, "")
                        .deflated("a", text)
                        .end(""));
    }
}
