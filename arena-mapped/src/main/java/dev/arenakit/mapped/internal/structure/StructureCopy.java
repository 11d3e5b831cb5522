package dev.arenakit.mapped.internal.structure;

import dev.arenakit.mapped.internal.catalog.BootId;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Marks the copy of a structure whose owner may have changed it meanwhile. Its pages may be of different times, as after
/// a failure of the machine.
public final class StructureCopy {
    private StructureCopy() {}

    /// Marks a copy, unless it is no structure, or the structure was closed before and after it was copied.
    ///
    /// @param copy     the copied data file, which begins with the structure
    /// @param original the original data file
    public static void mark(FileChannel copy, FileChannel original) throws IOException {
        MemorySegment before = header(copy);
        if (!StructureFormat.isIntact(before)) {
            return;
        }
        MemorySegment after = header(original);
        if (before.get(LONG, StructureFormat.STATE) == StructureFormat.CLOSED && before.mismatch(after) < 0) {
            return;
        }
        before.set(LONG, StructureFormat.STATE, StructureFormat.OPEN);
        before.set(LONG, StructureFormat.BOOT, BootId.UNKNOWN);
        ByteBuffer state = before.asSlice(StructureFormat.STATE, 2 * Long.BYTES).asByteBuffer();
        while (state.hasRemaining()) {
            copy.write(state, StructureFormat.STATE + state.position());
        }
    }

    /// The header of a file, or zeros behind its end.
    private static MemorySegment header(FileChannel file) throws IOException {
        byte[] bytes = new byte[(int) StructureFormat.BYTE_SIZE];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining() && file.read(buffer, buffer.position()) > 0) {}
        MemorySegment header = MemorySegment.ofArray(new long[bytes.length / Long.BYTES]);
        header.copyFrom(MemorySegment.ofArray(bytes));
        return header;
    }
}
