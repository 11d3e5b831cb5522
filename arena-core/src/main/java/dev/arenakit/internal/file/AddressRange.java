package dev.arenakit.internal.file;

import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.nativecall.CFunction;
import dev.arenakit.internal.nativecall.CHeaders;
import dev.arenakit.internal.nativecall.Errno;
import dev.arenakit.internal.nativecall.LinuxSystem;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.scope.Scopes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;

/// A reserved range of addresses, into which files are mapped side by side. Not thread-safe.
///
/// The range must be full before its memory is used: an access to an address without a file kills the JVM. A mapping
/// may be larger than its file. Access beyond the end of the file then throws [InternalError], and the memory appears
/// when the file grows.
///
/// The caller closes the range unless it has called [#segment].
public final class AddressRange implements AutoCloseable {
    /// The precision of [#largestByteSize].
    private static final long PRECISION = 1L << 30;

    private final long address;
    private final long byteSize;
    private boolean isOwned = true;

    private AddressRange(long address, long byteSize) {
        this.address = address;
        this.byteSize = byteSize;
    }

    /// Whether this system can map the file of a path in this way. This method needs no native access.
    public static boolean isKnownFor(Path path) {
        return LinuxSystem.isKnown() && path.getFileSystem().equals(FileSystems.getDefault());
    }

    /// Reserves addresses. A reservation takes no memory.
    ///
    /// The caller has called [#isKnownFor].
    ///
    /// @param byteSize      the size in bytes; the range has whole pages
    /// @param byteAlignment the alignment of the first address, a power of two
    /// @throws IllegalCallerException if native access is denied
    /// @throws OutOfMemoryError       if no free range of addresses is large enough
    public static AddressRange reserve(long byteSize, long byteAlignment) {
        NativeAccess.require();
        Sizes.checkAddressable(byteSize, byteAlignment);
        long page = PageMappings.pageByteSize();
        long rounded = Sizes.alignUp(byteSize, page);
        long padding = Math.max(0, byteAlignment - page);
        long start = Functions.reserve(rounded + padding);
        if (start < 0) {
            throw new OutOfMemoryError("Address space is exhausted: byteSize=" + byteSize + ", byteAlignment="
                    + byteAlignment + ", largest=" + largestByteSize() + ", errno=" + -start
                    + "; allocate no more than the largest free range at once, close arenas, or raise the limit on "
                    + "addresses (ulimit -v)");
        }
        long address = Sizes.alignUp(start, byteAlignment);
        PageMappings.unmap(start, address - start);
        PageMappings.unmap(address + rounded, start + padding - address);
        return new AddressRange(address, rounded);
    }

    /// The size of the largest range of addresses that is free now, rounded down to GiB.
    ///
    /// @throws IllegalCallerException if native access is denied
    public static long largestByteSize() {
        NativeAccess.require();
        long least = 0;
        long most = Sizes.ADDRESSABLE / PRECISION;
        while (least < most) {
            long middle = (least + most + 1) / 2;
            long address = Functions.reserve(middle * PRECISION);
            if (address < 0) {
                most = middle - 1;
            } else {
                PageMappings.unmap(address, middle * PRECISION);
                least = middle;
            }
        }
        return least * PRECISION;
    }

    /// Maps a file from its start into the range. If the memory is writable, a symbolic link is not followed.
    ///
    /// @param byteOffset the offset in the range, a multiple of the page size
    /// @param key        the [key][BasicFileAttributes#fileKey()] of the file
    /// @param byteSize   the size of the mapping, which may be larger than the file
    /// @param writable   whether the memory may be written to
    /// @throws IOException      if the file cannot be opened or mapped, or another file has its path
    /// @throws OutOfMemoryError if the process has too many mappings
    public void map(long byteOffset, Path file, Object key, long byteSize, boolean writable) throws IOException {
        if (byteOffset < 0 || byteSize <= 0 || byteSize > this.byteSize - byteOffset) {
            throw new IndexOutOfBoundsException("File is not in the range: byteOffset=" + byteOffset + ", byteSize="
                    + byteSize + ", rangeByteSize=" + this.byteSize);
        }
        map(file, key, byteSize, writable, fd -> Functions.map(address + byteOffset, byteSize, fd, writable));
    }

    /// Maps a file from its start over the pages of a segment, which may be larger than the file. The memory may be
    /// written to, a symbolic link is not followed, and the scope of the segment cannot end meanwhile.
    ///
    /// @param key the [key][BasicFileAttributes#fileKey()] of the file
    /// @throws IOException      if the file cannot be opened or mapped, or another file has its path
    /// @throws OutOfMemoryError if the process has too many mappings
    public static void map(MemorySegment pages, Path file, Object key) throws IOException {
        NativeAccess.require();
        map(file, key, pages.byteSize(), true, fd -> Functions.mapOver(pages, fd));
    }

    private static void map(Path file, Object key, long byteSize, boolean writable, IntToLongFunction mapping)
            throws IOException {
        int fd = PosixFiles.open(file, writable ? CHeaders.O_RDWR | CHeaders.O_NOFOLLOW : CHeaders.O_RDONLY);
        try {
            checkIdentity(fd, file, key);
            long result = mapping.applyAsLong(fd);
            if (result == -CHeaders.ENOMEM) {
                throw new OutOfMemoryError("Too many mappings, or too little memory for one: path=" + file
                        + ", byteSize=" + byteSize + "; raise the limit on mappings (vm.max_map_count)");
            }
            if (result < 0) {
                throw new IOException(
                        "File cannot be mapped: path=" + file + ", byteSize=" + byteSize + ", "
                                + Errno.describe(result));
            }
        } finally {
            PosixFiles.close(fd);
        }
    }

    private static void checkIdentity(int fd, Path file, Object key) throws IOException {
        Path opened = PosixFiles.descriptor(file, fd);
        Path path = Files.exists(opened) ? opened : file;
        if (!key.equals(Files.readAttributes(path, BasicFileAttributes.class).fileKey())) {
            throw new FileSystemException(file.toString(), null, "another file has replaced it");
        }
    }

    /// Returns the memory of the range. The arena unmaps it when it is closed.
    ///
    /// @param byteSize the size of the segment
    /// @throws IllegalStateException if the arena is closed; the caller still closes this range
    public MemorySegment segment(long byteSize, Arena arena) {
        long start = address;
        long mapped = this.byteSize;
        Consumer<MemorySegment> unmapping = _ -> PageMappings.unmap(start, mapped);
        MemorySegment memory = MemorySegment.ofAddress(start);
        // If an error of the JVM ends the next call, the arena may have the range already. Unmapping the range twice
        // could unmap a later mapping.
        isOwned = false;
        try {
            return Scopes.withCleanup(memory, byteSize, arena, unmapping);
        } catch (IllegalStateException | WrongThreadException e) {
            isOwned = true;
            throw e;
        }
    }

    /// Unmaps the range, unless it belongs to an arena.
    @Override
    public void close() {
        if (isOwned) {
            isOwned = false;
            PageMappings.unmap(address, byteSize);
        }
    }

    /// Writes what was stored in a segment to the devices of its files. The arena cannot be closed during the call.
    ///
    /// The caller has called [#isKnownFor] for the files.
    ///
    /// @param arena   the arena of the segment
    /// @param segment memory of a range
    /// @throws IllegalCallerException if native access is denied
    /// @throws IllegalStateException  if the arena is closed
    /// @throws WrongThreadException   if the arena is confined to another thread
    /// @throws IOException            if a device fails
    public static void force(Arena arena, MemorySegment segment) throws IOException {
        NativeAccess.require();
        long start = segment.address() & -PageMappings.pageByteSize();
        long end = segment.address() + segment.byteSize();
        int result = Functions.sync(Scopes.viewOf(arena).asSlice(start, end - start));
        if (result < 0) {
            throw new IOException("Memory cannot be written to its files: address=0x"
                    + Long.toHexString(segment.address()) + ", byteSize=" + segment.byteSize() + ", "
                    + Errno.describe(result));
        }
    }

    /// Initialized on first use, after native access has been checked. Each call returns the negative error number if
    /// it fails.
    private static final class Functions {
        private static final MethodHandle MMAP = CFunction.MMAP.handleWithErrno();

        private Functions() {}

        static long reserve(long byteSize) {
            return map(0, byteSize, CHeaders.PROT_NONE,
                    CHeaders.MAP_PRIVATE | CHeaders.MAP_ANONYMOUS | CHeaders.MAP_NORESERVE, -1);
        }

        static long map(long address, long byteSize, int fd, boolean writable) {
            return map(address, byteSize, writable ? CHeaders.PROT_READ | CHeaders.PROT_WRITE : CHeaders.PROT_READ,
                    CHeaders.MAP_SHARED | CHeaders.MAP_FIXED | CHeaders.MAP_NORESERVE, fd);
        }

        private static long map(long address, long byteSize, int protection, int flags, int fd) {
            return ErrnoCall.result(state -> (long) MMAP.invokeExact(state, address, byteSize, protection, flags, fd,
                    0L));
        }

        static long mapOver(MemorySegment pages, int fd) {
            return ErrnoCall.result(state -> (long) Over.HANDLE.invokeExact(state, pages, pages.byteSize(),
                    CHeaders.PROT_READ | CHeaders.PROT_WRITE,
                    CHeaders.MAP_SHARED | CHeaders.MAP_FIXED | CHeaders.MAP_NORESERVE, fd, 0L));
        }

        /// A class of its own, as [Sync].
        private static final class Over {
            static final MethodHandle HANDLE = CFunction.MMAP.handleOfSegmentsWithErrno();

            private Over() {}
        }

        static int sync(MemorySegment pages) {
            return (int) ErrnoCall.result(state -> (int) Sync.HANDLE.invokeExact(state, pages, pages.byteSize(),
                    CHeaders.MS_SYNC));
        }

        /// A class of its own, because linking a call takes tens of milliseconds, and mapping does not need this call.
        private static final class Sync {
            static final MethodHandle HANDLE = CFunction.MSYNC.handleOfSegmentsWithErrno();

            private Sync() {}
        }
    }
}
