package dev.arenakit.mapped.io;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// Scenarios of transfers that run in a process of their own.
final class TransferChild {
    private static final int BYTE_SIZE = 8 << 20;

    private TransferChild() {}

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[1]).resolve("file");
        switch (arguments[0]) {
            case "full-disk" -> fill(file);
            case "resident-size" -> measure(file);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void fill(Path file) throws IOException {
        byte[] bytes = bytes();
        try (SegmentWriter writer = SegmentWriter.open(file)) {
            writer.withPieceByteSize(1 << 14).writeFully(MemorySegment.ofArray(bytes));
        } catch (TransferException e) {
            System.out.println(e.getMessage());
            byte[] written = Files.readAllBytes(file);
            System.out.println(written.length == e.byteCount());
            System.out.println(MemorySegment.ofArray(bytes)
                    .asSlice(0, written.length)
                    .mismatch(MemorySegment.ofArray(written)));
        }
    }

    /// Prints by how much the largest resident size grows while segments are read and written, and then while a channel
    /// of the JDK reads an array, in MiB.
    private static void measure(Path file) throws IOException {
        byte[] bytes = bytes();
        long[] words = new long[BYTE_SIZE / Long.BYTES];
        Arrays.fill(words, 1);
        List<MemorySegment> kinds = List.of(MemorySegment.ofArray(bytes), MemorySegment.ofArray(words));
        transferAll(file, kinds);
        long before = largestResidentSize();
        transferAll(file, kinds);
        System.out.println((largestResidentSize() - before) >> 20);
        try (FileChannel channel = FileChannel.open(file)) {
            channel.read(ByteBuffer.wrap(bytes));
        }
        System.out.println((largestResidentSize() - before) >> 20);
    }

    private static void transferAll(Path file, List<MemorySegment> kinds) throws IOException {
        for (MemorySegment kind : kinds) {
            try (SegmentWriter writer = SegmentWriter.open(file); SegmentReader reader = SegmentReader.open(file)) {
                writer.writeFully(kind);
                reader.readFully(kind);
                writer.writeFully(Collections.nCopies(1000, kind.asSlice(0, BYTE_SIZE / 1000)));
            }
        }
    }

    private static long largestResidentSize() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status"))
                .stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst()
                .orElseThrow();
    }

    private static byte[] bytes() {
        byte[] bytes = new byte[BYTE_SIZE];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        return bytes;
    }
}
