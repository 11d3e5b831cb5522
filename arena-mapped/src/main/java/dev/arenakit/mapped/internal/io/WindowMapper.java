package dev.arenakit.mapped.internal.io;

import dev.arenakit.CapacityExceededException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Maps windows of an open file.
///
/// The caller holds the lock of the windows, or is their only thread, in all methods but the two that write to the
/// device.
public interface WindowMapper {
    /// The unit of offsets and sizes of mappings: the largest page size of all platforms of the JVM.
    long GRANULARITY = 64 << 10;

    /// The size of the file now, in bytes.
    long fileByteSize() throws IOException;

    /// Sets the size of the file.
    void setFileByteSize(long byteSize) throws IOException;

    /// Finds or makes a mapping that contains a range of the file, and counts a lease of it. A failure has no effect.
    ///
    /// @throws CapacityExceededException if the leased mappings leave no room for it
    /// @throws OutOfMemoryError          if the address space is exhausted
    WindowRange acquire(long offset, long byteSize);

    /// Ends a lease.
    void release(WindowRange mapping);

    /// The memory of a range of a leased mapping, in the scope of the arena of the lease.
    MemorySegment segment(WindowRange mapping, long offset, long byteSize, Arena arena) throws IOException;

    /// Writes the contents of a leased segment to the device. This needs no lock.
    void force(MemorySegment segment) throws IOException;

    /// Writes the contents of the file to the device. The caller has a lease, and needs no lock.
    void force() throws IOException;

    /// The size of all mappings in bytes.
    long mappedByteSize();

    /// Ends all mappings, which are idle, and closes the file.
    void close();

    /// The size of the smallest mapping that contains a range.
    static long byteSizeOfPages(long offset, long byteSize) {
        long start = offset & -GRANULARITY;
        return (offset - start + byteSize + GRANULARITY - 1) & -GRANULARITY;
    }

    /// The exception for leased mappings that leave no room for another mapping.
    static CapacityExceededException full(long maxByteSize, long leasedByteSize, long byteSize) {
        return new CapacityExceededException("Address space of the windows is full", maxByteSize, leasedByteSize,
                byteSize, "close windows sooner, lease less at once, or raise maxByteSize");
    }
}
