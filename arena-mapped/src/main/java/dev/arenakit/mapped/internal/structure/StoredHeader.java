package dev.arenakit.mapped.internal.structure;

import dev.arenakit.mapped.internal.catalog.BootId;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// The header of a structure in a file, which need not be mapped.
public final class StoredHeader {
    private StoredHeader() {}

    /// The number of bytes that a structure has, which is the recorded size in most cases. If the machine failed while
    /// the structure grew, the device can have the record of the new size, and not yet the size of the file. Then it is
    /// the size of the file: nothing behind that was written to the device.
    ///
    /// @param file     the first file of the structure
    /// @param recorded the recorded size
    /// @param boot     the present boot of the machine
    public static long byteSize(FileChannel file, long recorded, long boot) throws IOException {
        long present = file.size();
        return present < recorded && mayBeSmaller(file, present, recorded, boot) ? present : recorded;
    }

    private static boolean mayBeSmaller(FileChannel file, long present, long recorded, long boot) throws IOException {
        if (recorded <= StructureFormat.BYTE_SIZE) {
            // It was being created: each structure with contents is larger.
            return true;
        }
        if (present < StructureFormat.BYTE_SIZE) {
            return false;
        }
        MemorySegment header = read(file);
        return !StructureFormat.isWritten(header)
                || (StructureFormat.isIntact(header) && StructureFormat.isLost(header, boot));
    }

    /// Completes the copy of a structure that no process has changed meanwhile. If its process was killed in this boot,
    /// it is complete in any boot.
    ///
    /// @param boot the present boot of the machine
    public static void complete(FileChannel copy, long boot) throws IOException {
        if (isOpen(copy, boot)) {
            write(copy, StructureFormat.STATE, StructureFormat.COMPLETED);
        }
    }

    /// Completes a structure that this process has changed, after it has unmapped it. The next owner recovers it if a
    /// change was interrupted.
    static void close(FileChannel file) throws IOException {
        write(file, StructureFormat.STATE,
                StructureFormat.isChanging(read(file)) ? StructureFormat.COMPLETED : StructureFormat.CLOSED);
    }

    /// Whether a file begins with a structure that was open when its process was killed in this boot.
    ///
    /// @param boot the present boot of the machine
    static boolean isOpen(FileChannel file, long boot) throws IOException {
        MemorySegment header = read(file);
        return StructureFormat.isWritten(header) && StructureFormat.isIntact(header)
                && header.get(LONG, StructureFormat.STATE) == StructureFormat.OPEN
                && !StructureFormat.isLost(header, boot);
    }

    /// Completes the copy of a structure that a process may have changed meanwhile, so that pages of different times are
    /// mixed. If a change was running, or the header of the original differs from the header that was copied first, the
    /// copy records that its structure was open when the machine failed, so that it is not trusted.
    public static void complete(FileChannel original, FileChannel copy) throws IOException {
        MemorySegment present = read(original);
        MemorySegment copied = read(copy);
        if (present.mismatch(copied) >= 0 || StructureFormat.isChanging(copied)) {
            distrust(copy);
        }
    }

    /// Records in a copy that its structure was open when the machine failed: pages of different times may be mixed.
    public static void distrust(FileChannel copy) throws IOException {
        if (StructureFormat.isWritten(read(copy))) {
            write(copy, StructureFormat.BOOT, BootId.UNKNOWN);
            write(copy, StructureFormat.STATE, StructureFormat.OPEN);
        }
    }

    /// Replaces the state of a copied structure by the state of its original, which was open.
    ///
    /// @param start the first bytes of the structure
    /// @return false if it is not the copy of an open structure
    public static boolean restore(MemorySegment start) {
        if (!StructureFormat.isWritten(start) || start.get(LONG, StructureFormat.STATE) != StructureFormat.COMPLETED) {
            return false;
        }
        start.set(LONG, StructureFormat.STATE, StructureFormat.OPEN);
        return true;
    }

    /// Writes one field: the owner of an image may change the others.
    private static void write(FileChannel file, long field, long value) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
        while (bytes.hasRemaining()) {
            file.write(bytes, field + bytes.position());
        }
    }

    /// Reads a header. Bytes behind the end of the file are zero.
    private static MemorySegment read(FileChannel file) throws IOException {
        ByteBuffer header = ByteBuffer.allocateDirect((int) StructureFormat.BYTE_SIZE);
        int read = 0;
        while (read >= 0 && header.hasRemaining()) {
            read = file.read(header, header.position());
        }
        return MemorySegment.ofBuffer(header.clear());
    }
}
