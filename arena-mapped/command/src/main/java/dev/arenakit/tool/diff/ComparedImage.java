package dev.arenakit.tool.diff;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.structs.StructReadAhead;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/// The first or the second image of a comparison.
///
/// @param details     the same image, opened again: what differs is read while a transfer from `bytes` is under way
/// @param allocations the allocations that existed when they were read first: later additions by a running owner are left
///                    out
record ComparedImage(Path name, ArenaImage image, StructReadAhead bytes, ArenaImage details,
        AllocationSequence allocations) implements Closeable {
    static ComparedImage open(Path base) throws IOException {
        ArenaImage image = ImageFileSet.openImage(base);
        try {
            return new ComparedImage(base, image, new StructReadAhead(image), ImageFileSet.openImage(base),
                    new AllocationSequence(image));
        } catch (Throwable t) {
            image.close();
            throw t;
        }
    }

    /// The bytes of an allocation.
    ///
    /// @param bytes   the bytes to compare
    /// @param details the same bytes, to be read during the comparison
    record Bytes(ExtentSource bytes, ExtentSource details) {}

    /// The bytes of an allocation, until the next call.
    Bytes read(Allocation allocation) throws IOException {
        return new Bytes(bytes.source(allocation), details.source(allocation));
    }

    @Override
    public void close() throws IOException {
        try (image; details) {
            bytes.close();
        }
    }
}
