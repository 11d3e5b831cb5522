package dev.arenakit.mapped.internal.arena;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.mapped.DiskFullException;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.catalog.ElementCounts;
import dev.arenakit.mapped.internal.data.Chunk;
import dev.arenakit.mapped.internal.data.DataFileWriter;
import dev.arenakit.mapped.internal.files.AllocationParts;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Memory of an arena that grows in place. All of its addresses are reserved, and the files behind them grow.
///
/// If the arena is shared, it is thread-safe.
public final class GrowableMemory implements ElementMemory {
    private final DataFileWriter files;
    private final @Nullable CatalogWriter catalog;
    private final @Nullable ElementCounts counts;
    private final int line;
    private final Chunk chunk;
    private final long elementByteSize;
    /// All addresses. This segment is never handed out: access behind the end of the file throws an [InternalError].
    private final MemorySegment reserved;
    /// Written under the monitor of the files.
    private volatile MemorySegment present;
    private volatile boolean isFreed;
    /// The number of elements that was stored last, if some of them do not count, or -1.
    private volatile long unforced;

    /// @param counts          the counts of elements, if there is a catalog
    /// @param line            the line of its record, if there is a catalog
    /// @param byteSize        the present size
    /// @param elementByteSize the size of an element, or 0 if elements have no size
    /// @param unforced        the number that [ElementCounts#open] has returned, or -1 if the memory is new
    GrowableMemory(DataFileWriter files, @Nullable CatalogWriter catalog, @Nullable ElementCounts counts, int line,
            Chunk chunk, long byteSize, long elementByteSize, long unforced) {
        this.files = files;
        this.catalog = catalog;
        this.counts = counts;
        this.line = line;
        this.chunk = chunk;
        this.elementByteSize = elementByteSize;
        this.unforced = unforced;
        reserved = chunk.slice(0, chunk.byteSize());
        present = reserved.asSlice(0, byteSize);
    }

    /// The line of its record, if there is a catalog.
    int line() {
        return line;
    }

    /// The memory with its present size.
    @Override
    public MemorySegment segment() {
        return present;
    }

    /// The present size in bytes.
    public long byteSize() {
        return present.byteSize();
    }

    /// The size in bytes up to which the memory can grow.
    public long maxByteSize() {
        return reserved.byteSize();
    }

    /// The address of the first byte, which never changes.
    public long address() {
        return reserved.address();
    }

    /// Grows the memory, unless it has the new size already. A failure has no effect. In a reserved arena, the blocks
    /// of the new range are reserved; otherwise, it is a hole.
    ///
    /// @return the memory with its present size
    public MemorySegment grow(long newByteSize) {
        return grow(newByteSize, files.growth()::grow);
    }

    /// Grows the memory as [#grow] does, and reserves the blocks of the new range in any arena: a store to it needs no
    /// space on the disk. The file ends where its blocks end. Less than 2 MiB before the new range are reserved, too,
    /// because the kernel may write them together with it.
    ///
    /// Memory that has several files grows as in [#grow], and so does memory on a system or a file system that cannot
    /// reserve blocks, and if native access is denied.
    ///
    /// @return the memory with its present size
    /// @throws DiskFullException if the disk has no room; nothing has changed
    public MemorySegment growStored(long newByteSize) {
        return grow(newByteSize, files.growth()::growStored);
    }

    private MemorySegment grow(long newByteSize, Growth growth) {
        if (newByteSize < 0) {
            throw new IllegalArgumentException("Negative size: newByteSize=" + newByteSize);
        }
        Scopes.checkOpen(reserved);
        if (newByteSize > maxByteSize()) {
            throw new CapacityExceededException("Memory cannot grow so far: base=" + files.base(), maxByteSize(),
                    byteSize(), newByteSize - byteSize(),
                    "pass a larger maximum to InfiniteArena.growable when the memory is allocated, which never changes, or"
                            + " for tables, maps and trees to InfiniteArenaBuilder.maxStructureByteSize");
        }
        synchronized (files) {
            // The arena may have been closed meanwhile. Its files are released by a thread that holds the monitor.
            Scopes.checkOpen(reserved);
            long byteSize = byteSize();
            if (newByteSize > byteSize || isFreed) {
                MemorySegment grown = reserved.asSlice(0, newByteSize);
                long recorded = catalog == null ? byteSize : catalog.records().checkGrowth(line);
                try {
                    growth.grow(chunk.file(), chunk.partByteSize(), recorded, newByteSize);
                } catch (DiskFullException e) {
                    files.freeSpaceAfter(e);
                    growth.grow(chunk.file(), chunk.partByteSize(), recorded, newByteSize);
                }
                if (catalog != null) {
                    catalog.records().grow(line, recorded, newByteSize);
                }
                present = grown;
            }
            return present;
        }
    }

    /// Checks that a store changes memory of this owner.
    ///
    /// @throws IllegalStateException if the arena is closed, the memory was freed, or another owner has taken the image
    ///                               over
    public void checkLive() {
        Scopes.checkOpen(reserved);
        if (catalog != null) {
            catalog.records().checkLive(line, "Memory was freed");
        }
    }

    /// Makes a range of the memory a hole, if that is possible: its bytes are zero, and its blocks are free. A store to
    /// the hole, or within the same 2 MiB of the file, needs space on the disk again.
    ///
    /// The kernel may write a hole to the disk before anything that was stored earlier. What refers to the range is
    /// written to the device before this call.
    ///
    /// @return false if the bytes are as they were, or some of them if there are several files: the arena is reserved,
    ///         native access is denied, or the system or the file system makes no holes
    /// @throws IllegalStateException if the memory was freed, or another owner has taken the image over
    public boolean punch(long byteOffset, long byteSize) {
        Scopes.checkOpen(reserved);
        Objects.checkFromIndexSize(byteOffset, byteSize, byteSize());
        synchronized (files) {
            checkLive();
            return byteSize == 0 || files.growth().punch(chunk.file(), chunk.partByteSize(), byteOffset, byteSize);
        }
    }

    /// Reserves the blocks of a range that [#punch] has made a hole, where [#growStored] reserves blocks.
    ///
    /// @throws DiskFullException if the disk has no room
    public void storeAgain(long byteOffset, long byteSize) {
        Scopes.checkOpen(reserved);
        Objects.checkFromIndexSize(byteOffset, byteSize, byteSize());
        synchronized (files) {
            Scopes.checkOpen(reserved);
            files.growth().storeAgain(chunk.file(), chunk.partByteSize(), byteOffset, byteSize);
        }
    }

    /// Writes the recorded size to the device.
    ///
    /// @throws java.io.UncheckedIOException if the device fails
    public void forceRecord() {
        if (catalog != null) {
            try {
                catalog.file().forceOwn();
            } catch (IOException e) {
                throw FileErrors.force(files.base(), e);
            }
        }
    }

    /// The files of the present memory, which need not be mapped, or none if it was freed.
    public List<FileIdentity> files() {
        if (isFreed) {
            return List.of();
        }
        return AllocationParts.list(chunk.file(), 0, byteSize(), chunk.partByteSize())
                .stream()
                .map(part -> files.mapped().identity(part.file()))
                .toList();
    }

    /// Frees the memory.
    ///
    /// @param ended runs when the memory is freed, before its space is
    /// @return false if it was freed before
    boolean free(Runnable ended) {
        synchronized (files) {
            Scopes.checkOpen(reserved);
            return files.freeGrowable(line, chunk.file(), byteSize(), maxByteSize(), () -> {
                end();
                ended.run();
            });
        }
    }

    /// Makes any later access throw, because the memory was freed.
    void end() {
        isFreed = true;
        present = Freed.MEMORY;
    }

    /// Initialized after native access has been checked.
    private static final class Freed {
        /// Memory whose accesses throw [IllegalStateException].
        static final MemorySegment MEMORY = Scopes.closed();

        private Freed() {}
    }

    /// Whether the memory has not been freed.
    public boolean isLive() {
        return catalog == null || catalog.records().isLive(line);
    }

    /// Writes a range of the memory to the device, also if it has several files. The catalog with its number of
    /// elements is not written.
    ///
    /// @throws java.io.UncheckedIOException if the device fails
    public void force(long byteOffset, long byteSize) {
        files.force(segment().asSlice(byteOffset, byteSize));
    }

    /// Stores a number of 0 for memory that is empty and has none.
    ///
    /// @param name the name of the memory, for a message
    /// @throws IllegalStateException if the memory is not empty and has no number
    public synchronized void requireCount(String name) {
        Scopes.checkOpen(reserved);
        if (!counts().isStored(line)) {
            if (byteSize() > 0) {
                throw notCounted(name, byteSize());
            }
            counts().set(line, 0);
        }
    }

    /// The exception for memory whose elements were never counted.
    public static IllegalStateException notCounted(String name, long byteSize) {
        return new IllegalStateException("Number of elements was never stored: name=" + name + ", byteSize=" + byteSize
                + "; store it by InfiniteArena.names().growable(name, type, 1).elementCount(n)");
    }

    /// The number of elements that was stored last, or of the forced ones if the others do not count.
    @Override
    public long elementCount() {
        Scopes.checkOpen(reserved);
        long count = unforced < 0 ? counts().get(line) : counts().forced(line);
        if (count < 0) {
            throw new IllegalStateException("Number of elements is damaged: base=" + files.base() + ", record=" + line
                    + "; count the elements, and store their number by InfiniteArena.names().growable(name, type, 1)"
                    + ".elementCount(n)");
        }
        return count;
    }

    /// Stores the number of elements.
    public void elementCount(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("Negative number of elements: count=" + count);
        }
        Scopes.checkOpen(reserved);
        long most = elementByteSize == 0 ? CatalogFormat.LARGEST_VALUE : byteSize() / elementByteSize;
        if (count > most) {
            throw new IllegalArgumentException("Number of elements exceeds the memory: count=" + count + ", byteSize="
                    + byteSize() + ", largest=" + most + "; grow the memory and store the elements first");
        }
        if (unforced < 0) {
            counts().set(line, count);
        } else {
            replaceUnforced(count);
        }
    }

    /// Stores the number before the boot that trusts it: after a kill between both, it is still known as not forced.
    private synchronized void replaceUnforced(long count) {
        counts().set(line, count);
        counts().accept(line);
        unforced = -1;
    }

    /// Whether elements were stored that do not count.
    public boolean hasUnforced() {
        return unforced >= 0;
    }

    /// Forgets how many elements were stored that do not count. Call this before storing others in their place.
    public synchronized void discardUnforced() {
        if (unforced >= 0) {
            checkLive();
            counts().discard(line);
            unforced = -1;
        }
    }

    /// Counts the elements that were stored and not forced, too.
    public synchronized void acceptUnforced() {
        if (unforced >= 0) {
            checkLive();
            if (elementByteSize > 0 && unforced > byteSize() / elementByteSize) {
                throw new IllegalStateException("Elements that were not forced are not in the memory: base="
                        + files.base() + ", record=" + line + ", stored=" + unforced + ", byteSize=" + byteSize());
            }
            counts().accept(line);
            unforced = -1;
        }
    }

    /// Grows the files of an allocation.
    @FunctionalInterface
    private interface Growth {
        void grow(int file, long partByteSize, long byteSize, long newByteSize);
    }

    private ElementCounts counts() {
        if (counts == null) {
            throw new IllegalStateException("Arena has no catalog for a number of elements: base=" + files.base()
                    + "; build it with catalog(CatalogLevel.SIZES) or catalog(CatalogLevel.FULL)");
        }
        return counts;
    }
}
