package dev.arenakit.mapped;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// A scenario of transfers that runs in a process of its own.
final class TransferChild {
    private TransferChild() {}

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[1]).resolve("file");
        byte[] bytes = new byte[1 << 20];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31);
        }
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
}
