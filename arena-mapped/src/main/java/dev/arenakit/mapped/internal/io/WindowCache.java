package dev.arenakit.mapped.internal.io;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.file.MappedFile;
import dev.arenakit.internal.nativecall.Errno;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.MappingLimit;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Mappings that stay mapped when their last lease ends, until their address space is needed. They need native access.
public final class WindowCache implements WindowMapper {
    /* A lease is served by a mapping of whole windows: the window that contains the range or, if the range crosses a
     * border, all windows that it touches. The hash table finds a mapping by its first window and the number of
     * windows. A mapping of two windows therefore overlaps the mapping of each of them, which costs addresses, but no
     * memory.
     *
     * If whole windows do not fit beside the leased windows, or the system refuses them, the lease gets a mapping of
     * its pages alone. No other lease finds it, and it ends with the lease. The system refuses whole windows beyond the
     * largest offset of its files.
     *
     * The segments of a lease are slices of all memory in the scope of the lease. A mapping without leases has no
     * segment that is alive, so that it is unmapped without a handshake of threads.
     *
     * The order of statements keeps addresses safe if a call ends in an error of the JVM: a mapping leaves the table
     * and the list before it is unmapped, and joins them after it was mapped. It may stay mapped, but it is neither
     * leased while it is unmapped, nor unmapped twice.
     */

    private final Path path;
    private final MappedFile file;
    private final boolean random;
    private final int windowShift;
    private final long maxByteSize;

    /// All mappings, in buckets. Their number is limited by the address space, so that the table never grows.
    private final @Nullable WindowRange[] table;

    /// The head of the list of idle mappings, in the order of their last use.
    private final WindowRange idle = new WindowRange(0, 0, 0, 0);

    private long mappedByteSize;
    private long leasedByteSize;

    /// Makes a cache without mappings.
    ///
    /// @param random whether pages are accessed in random order
    public WindowCache(Path path, MappedFile file, boolean random, long windowByteSize, long maxByteSize) {
        this.path = path;
        this.file = file;
        this.random = random;
        this.windowShift = Long.numberOfTrailingZeros(windowByteSize);
        this.maxByteSize = maxByteSize;
        table = new WindowRange[(int) (2 * Long.highestOneBit(maxByteSize >>> windowShift))];
    }

    @Override
    public long fileByteSize() throws IOException {
        return file.byteSize();
    }

    @Override
    public void setFileByteSize(long byteSize) throws IOException {
        file.setByteSize(byteSize);
    }

    @Override
    public WindowRange acquire(long offset, long byteSize) {
        if (byteSize == 0) {
            return WindowRange.empty();
        }
        long firstWindow = offset >>> windowShift;
        long windowCount = ((offset + byteSize - 1) >>> windowShift) - firstWindow + 1;
        WindowRange mapping = table[bucket(firstWindow, windowCount)];
        while (mapping != null && !mapping.isOf(firstWindow, windowCount)) {
            mapping = mapping.nextInBucket;
        }
        if (mapping == null) {
            mapping = map(firstWindow, windowCount, offset, byteSize);
        }
        if (mapping.leases == 0) {
            mapping.unlink();
            leasedByteSize += mapping.byteSize;
        }
        mapping.leases++;
        return mapping;
    }

    @Override
    public void release(WindowRange mapping) {
        mapping.leases--;
        if (mapping.leases > 0 || mapping.byteSize == 0) {
            return;
        }
        leasedByteSize -= mapping.byteSize;
        idle.insertBefore(mapping);
        if (mapping.windowCount == 0) {
            drop(mapping);
        }
    }

    @Override
    public MemorySegment segment(WindowRange mapping, long offset, long byteSize, Arena arena) {
        return byteSize == 0
                ? arena.allocate(0)
                : Scopes.viewOf(arena).asSlice(mapping.address + (offset - mapping.offset), byteSize);
    }

    private WindowRange map(long firstWindow, long windowCount, long offset, long byteSize) {
        Sizes.checkAddressable(byteSize, GRANULARITY);
        if (windowCount <= (maxByteSize - leasedByteSize) >>> windowShift) {
            WindowRange windows = new WindowRange(firstWindow, windowCount, firstWindow << windowShift,
                    windowCount << windowShift);
            if (map(windows) == 0) {
                return windows;
            }
        }
        WindowRange pages = new WindowRange(firstWindow, 0, offset & -GRANULARITY,
                WindowMapper.byteSizeOfPages(offset, byteSize));
        if (pages.byteSize > maxByteSize - leasedByteSize) {
            throw WindowMapper.full(maxByteSize, leasedByteSize, pages.byteSize);
        }
        long result = map(pages);
        if (result != 0) {
            IOException cause = new IOException(Errno.text((int) -result));
            if (MappedFile.isExhausted(result)) {
                throw FileErrors.noAddresses(path, pages.byteSize, pages.offset + pages.byteSize, cause);
            }
            throw WindowErrors.map(path, pages.offset, pages.byteSize, cause);
        }
        return pages;
    }

    /// Maps a range that fits beside the leased ranges, and drops as many idle mappings as necessary.
    ///
    /// @return 0, or the negative error number
    private long map(WindowRange mapping) {
        while (mapping.byteSize > maxByteSize - mappedByteSize) {
            if (!dropOldest()) {
                // An error has ended a release before it returned its mapping to the list.
                throw WindowMapper.full(maxByteSize, mappedByteSize, mapping.byteSize);
            }
        }
        reserve();
        int bucket = bucket(mapping.firstWindow, mapping.windowCount);
        boolean mapped = false;
        try {
            long result = file.map(mapping.offset, mapping.byteSize, random);
            while (MappedFile.isExhausted(result) && dropOldest()) {
                result = file.map(mapping.offset, mapping.byteSize, random);
            }
            if (result < 0) {
                return result;
            }
            mapping.address = result;
            mappedByteSize += mapping.byteSize;
            mapping.nextInBucket = table[bucket];
            table[bucket] = mapping;
            mapped = true;
            return 0;
        } finally {
            if (!mapped) {
                MappingLimit.release(1);
            }
        }
    }

    /// Counts a mapping of the process, in the place of idle mappings if the limit is reached.
    private void reserve() {
        while (true) {
            try {
                MappingLimit.reserve();
                return;
            } catch (CapacityExceededException e) {
                if (!dropOldest()) {
                    throw e;
                }
            }
        }
    }

    /// Ends the least recently used idle mapping.
    ///
    /// @return whether there was one
    private boolean dropOldest() {
        WindowRange oldest = idle.next();
        if (oldest == idle) {
            return false;
        }
        drop(oldest);
        return true;
    }

    /// Ends a mapping.
    private void drop(WindowRange mapping) {
        remove(mapping);
        mapping.unlink();
        MappedFile.unmap(mapping.address, mapping.byteSize);
        mappedByteSize -= mapping.byteSize;
        MappingLimit.release(1);
    }

    private void remove(WindowRange mapping) {
        int bucket = bucket(mapping.firstWindow, mapping.windowCount);
        WindowRange before = table[bucket];
        if (before == mapping) {
            table[bucket] = mapping.nextInBucket;
            return;
        }
        while (before != null && before.nextInBucket != mapping) {
            before = before.nextInBucket;
        }
        if (before != null) {
            before.nextInBucket = mapping.nextInBucket;
        }
    }

    /// Fibonacci hashing: windows at regular distances are spread over all buckets.
    private int bucket(long firstWindow, long windowCount) {
        long hash = (firstWindow * 31 + windowCount) * 0x9E3779B97F4A7C15L;
        return (int) (hash >>> Long.numberOfLeadingZeros(table.length - 1));
    }

    @Override
    public void force(MemorySegment segment) throws IOException {
        file.force(segment.address(), segment.byteSize());
    }

    @Override
    public void force() throws IOException {
        file.force();
    }

    @Override
    public long mappedByteSize() {
        return mappedByteSize;
    }

    @Override
    public void close() {
        for (WindowRange first : table) {
            for (WindowRange mapping = first; mapping != null; mapping = mapping.nextInBucket) {
                drop(mapping);
            }
        }
        file.close();
    }
}
