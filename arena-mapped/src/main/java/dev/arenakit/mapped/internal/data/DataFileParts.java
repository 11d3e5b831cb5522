package dev.arenakit.mapped.internal.data;

import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.files.AllocationParts;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.NewFile;
import dev.arenakit.mapped.internal.files.PageSize;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ObjIntConsumer;

/// The data files of one allocation that is larger than the files that the file system allows. They are mapped side by
/// side into a range of addresses that is reserved first, so that the allocation is one segment.
///
/// @param first        the number of the first file
/// @param partByteSize the size of each file except for the last one, a power of two
/// @param byteSize     the size of all files together
public record DataFileParts(Path base, int first, long partByteSize, long byteSize) {
    /* The files may be smaller than their mappings: access behind the end of a file throws an InternalError, and the
     * memory appears when the file grows. No address of the range is without a file when its segment is handed out:
     * access to such an address would kill the JVM. */

    /// Finds the size of the parts: the largest power of two that the file system allows for a file.
    ///
    /// @return a size less than `byteSize`, or 0 if the file system refuses files for another reason
    static long largestPart(Path base, long byteSize) {
        if (byteSize <= Chunk.LEAST_BYTE_SIZE) {
            return 0;
        }
        try {
            return SafeFiles.uninterrupted(() -> SafeFiles.probe(base, (_, file) -> {
                long partByteSize = Long.highestOneBit(byteSize - 1);
                while (partByteSize >= Chunk.LEAST_BYTE_SIZE && !canGrow(file, partByteSize)) {
                    partByteSize /= 2;
                }
                return partByteSize < Chunk.LEAST_BYTE_SIZE ? 0 : partByteSize;
            }));
        } catch (IOException e) {
            throw FileErrors.create(base, byteSize, e);
        }
    }

    private static boolean canGrow(FileChannel file, long byteSize) throws ClosedByInterruptException {
        try {
            SafeFiles.setByteSize(file, byteSize);
            return true;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException _) {
            return false;
        }
    }

    /// Whether an allocation must be mapped by [#map], so that it keeps an alignment above the page size of this machine.
    ///
    /// @param byteOffset its offset in its first file
    public static boolean areNeeded(Path base, long byteOffset, long byteAlignment) {
        return byteAlignment > PageSize.BYTES && byteOffset == 0 && AddressRange.isKnownFor(base)
                && NativeAccess.isGranted();
    }

    /// Checks that an existing allocation has its alignment: it may have been written on a machine with larger pages, or
    /// its file may be mapped at another place in relation to huge pages.
    ///
    /// @return the same segment
    public static MemorySegment aligned(Path base, MemorySegment segment, long byteAlignment) {
        if ((segment.address() & byteAlignment - 1) != 0) {
            throw new IllegalStateException("Alignment of an allocation cannot be kept: base=" + base
                    + ", byteAlignment=" + byteAlignment + ", pageByteSize=" + PageSize.BYTES + ", byteSize="
                    + segment.byteSize()
                    + "; read it with ArenaImage.source, which needs no alignment, or where pages are"
                    + " as large");
        }
        return segment;
    }

    public List<AllocationPart> parts() {
        return AllocationParts.list(first, 0, byteSize, partByteSize);
    }

    /// Creates the files and maps them. On failure, no range of addresses remains, and the caller deletes the files.
    ///
    /// @param presentByteSize the size of the allocation, whose files may grow to `byteSize`
    /// @param identified      receives the identity of each file
    /// @param arena           the arena whose scope the segment gets, and which unmaps the files
    /// @throws OutOfMemoryError if the address space has no range of this size; no file was created
    public MemorySegment create(FileMode mode, long presentByteSize, ObjIntConsumer<FileIdentity> identified,
            Arena arena) {
        try (AddressRange range = AddressRange.reserve(byteSize, Chunk.LARGEST_ALIGNMENT)) {
            for (AllocationPart part : parts()) {
                long offset = (part.file() - first) * partByteSize;
                long fileByteSize = Math.clamp(presentByteSize - offset, 0, part.byteSize());
                Path file = ImagePaths.data(base, part.file());
                try {
                    FileIdentity identity = SafeFiles.uninterrupted(() -> createFile(file, mode, fileByteSize));
                    range.map(offset, file, identity.key(), part.byteSize(), true);
                    identified.accept(identity, part.file());
                } catch (IOException e) {
                    throw FileErrors.map(file, byteSize, part.byteSize(), e);
                }
            }
            return range.segment(byteSize, arena);
        }
    }

    private FileIdentity createFile(Path file, FileMode mode, long fileByteSize) throws IOException {
        NewFile created;
        try {
            created = NewFile.create(file, mode);
        } catch (IOException e) {
            throw FileErrors.create(file, byteSize, e);
        }
        try (created) {
            SafeFiles.growTo(created.channel(), fileByteSize);
            return created.identity();
        } catch (ClosedByInterruptException e) {
            // This method is called again, and creates the file anew. After another exception, the caller deletes it.
            SafeFiles.delete(file);
            throw e;
        } catch (IOException e) {
            throw FileErrors.grow(file, byteSize, fileByteSize, e);
        }
    }

    /// Determines the identity of a data file.
    @FunctionalInterface
    public interface Identification {
        /// Determines the identity of the file with a number.
        FileIdentity identify(int number) throws IOException;
    }

    /// Maps existing files.
    ///
    /// @param files    determines the identities of the files
    /// @param presentByteSize the size that the files have at least; they may grow to their parts
    /// @param writable whether the segment may be written to
    /// @param arena    the arena whose scope the segment gets, and which unmaps the files
    /// @throws IllegalCallerException if native access is denied
    /// @throws IOException            if a file is missing, truncated, or cannot be mapped
    public static MemorySegment map(Path base, List<AllocationPart> parts, long presentByteSize, Identification files,
            boolean writable, Arena arena) throws IOException {
        long byteSize = parts.stream().mapToLong(AllocationPart::byteSize).sum();
        if (byteSize == 0) {
            return arena.allocate(0);
        }
        if (!AddressRange.isKnownFor(base)) {
            throw new UnsupportedOperationException("Several files cannot be mapped as one segment: base=" + base
                    + ", system=" + System.getProperty("os.name") + ", architecture=" + System.getProperty("os.arch"));
        }
        try (AddressRange range = AddressRange.reserve(byteSize, Chunk.LARGEST_ALIGNMENT)) {
            long offset = 0;
            for (AllocationPart part : parts) {
                FileIdentity identity = files.identify(part.file());
                Path file = identity.path();
                long least = Math.clamp(presentByteSize - offset, 0, part.byteSize());
                if (Files.size(file) < least) {
                    throw new EOFException(FileErrors.truncated(file, Files.size(file), least)
                            + "; copy it again, or read what is left of it with source()");
                }
                range.map(offset, file, identity.key(), part.byteSize(), writable);
                offset += part.byteSize();
            }
            MemorySegment segment = range.segment(byteSize, arena);
            return writable ? segment : segment.asReadOnly();
        }
    }
}
