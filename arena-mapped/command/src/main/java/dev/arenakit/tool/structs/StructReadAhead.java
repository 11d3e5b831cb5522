package dev.arenakit.tool.structs;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.FileTruncation;
import dev.arenakit.tool.image.OpenFileCache;
import dev.arenakit.tool.image.ReadAhead;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// The structs of allocations that are each read once. Small allocations that share a file are read ahead.
public final class StructReadAhead implements Closeable {
    private final ArenaImage image;
    private final OpenFileCache<AheadFile> files;
    /// Whether the last allocation was read in full, which shows that its file was not truncated.
    private boolean isWhole;

    public StructReadAhead(ArenaImage image) {
        this.image = image;
        files = new OpenFileCache<>(number -> new AheadFile(SparseFile.open(image.file(number)), new ReadAhead()));
    }

    /// The structs of an allocation, until the next call.
    public ExtentSource source(AllocationStructs structs) throws IOException {
        isWhole = false;
        return structs.entries().isPresent() ? structs.entries().get().source() : source(structs.allocation());
    }

    /// The bytes of an allocation, until the next call.
    public ExtentSource source(Allocation allocation) throws IOException {
        isWhole = false;
        if (image.isChunked() && allocation.file() >= 0 && allocation.partByteSize() == 0
                && allocation.byteSize() <= ReadAhead.MAX_ALLOCATION) {
            MemorySegment bytes = files.get(allocation.file()).read(allocation.byteOffset(), allocation.byteSize());
            isWhole = bytes.byteSize() == allocation.byteSize();
            if (isWhole) {
                return ExtentSource.of(bytes);
            }
        }
        return image.source(allocation);
    }

    /// A message that the last allocation has lost bytes, for use after its label; empty if it has all its bytes.
    public Optional<String> truncation(Allocation allocation) throws IOException {
        return isWhole ? Optional.empty() : FileTruncation.message(image, allocation);
    }

    @Override
    public void close() throws IOException {
        files.close();
    }

    private record AheadFile(SparseFile file, ReadAhead ahead) implements Closeable {
        MemorySegment read(long offset, long byteSize) throws IOException {
            return ahead.read(file, offset, byteSize);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
