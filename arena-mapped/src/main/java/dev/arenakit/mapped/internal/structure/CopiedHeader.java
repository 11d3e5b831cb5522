package dev.arenakit.mapped.internal.structure;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.catalog.BootId;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// The header of a structure whose file was copied while a process may have changed the structure. Pages of different
/// times are mixed then, as after a failure of the machine.
public final class CopiedHeader {
    private CopiedHeader() {}

    /// Whether allocations of a type have a header, at the start of a data file of their own.
    public static boolean isExpectedFor(StructType type) {
        return StructureKind.isRecordedFor(type);
    }

    /// Compares the header of the original with the header that was copied first. If they differ, the copy records that
    /// its structure was open when the machine failed, so that it is not trusted.
    public static void complete(FileChannel original, FileChannel copy) throws IOException {
        ByteBuffer present = read(original);
        ByteBuffer copied = read(copy);
        if (!present.equals(copied) && StructureFormat.isWritten(MemorySegment.ofBuffer(copied))) {
            MemorySegment header = MemorySegment.ofBuffer(copied);
            header.set(LONG, StructureFormat.STATE, StructureFormat.OPEN);
            header.set(LONG, StructureFormat.BOOT, BootId.UNKNOWN);
            while (copied.hasRemaining()) {
                copy.write(copied, copied.position());
            }
        }
    }

    /// Reads a header. Bytes behind the end of the file are zero.
    private static ByteBuffer read(FileChannel file) throws IOException {
        ByteBuffer header = ByteBuffer.allocateDirect((int) StructureFormat.BYTE_SIZE);
        int read = 0;
        while (read >= 0 && header.hasRemaining()) {
            read = file.read(header, header.position());
        }
        return header.clear();
    }
}
