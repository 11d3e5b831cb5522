package dev.arenakit.mapped.internal.structure;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// The data file of a structure, before it is mapped.
public final class StructureFile {
    private StructureFile() {}

    /// The number of bytes that a structure has, which is the recorded size in most cases. If the machine failed while
    /// the structure grew, the device can have the record of the new size, and not yet the size of the file. Then it is
    /// the size of the file: nothing behind that was written to the device.
    ///
    /// @param file     the first file of the structure
    /// @param recorded the recorded size
    /// @param boot     the present boot of the machine
    public static long byteSize(FileChannel file, long recorded, long boot) throws IOException {
        long present = file.size();
        return present < recorded && mayBeSmaller(file, recorded, boot) ? present : recorded;
    }

    private static boolean mayBeSmaller(FileChannel file, long recorded, long boot) throws IOException {
        if (recorded <= StructureFormat.BYTE_SIZE) {
            // It was being created: each structure with contents is larger.
            return true;
        }
        MemorySegment header = MemorySegment.ofArray(new long[(int) StructureFormat.BYTE_SIZE / Long.BYTES]);
        ByteBuffer bytes = ByteBuffer.allocate((int) StructureFormat.BYTE_SIZE);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, bytes.position()) < 0) {
                return false;
            }
        }
        header.copyFrom(MemorySegment.ofBuffer(bytes.flip()));
        return !StructureFormat.isWritten(header)
                || (StructureFormat.isIntact(header) && StructureFormat.isLost(header, boot));
    }
}
