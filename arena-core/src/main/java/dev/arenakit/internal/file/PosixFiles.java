package dev.arenakit.internal.file;

import dev.arenakit.internal.nativecall.CFunction;
import dev.arenakit.internal.nativecall.CHeaders;
import dev.arenakit.internal.nativecall.Errno;
import dev.arenakit.internal.nativecall.LinuxSystem;
import dev.arenakit.internal.nativecall.NativeAccess;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// System calls on files. The JDK has no methods for them.
///
/// Most methods return the result of the call, or the negative error number if the call fails.
///
/// Callers must call [NativeAccess#require] before the first use of this class.
final class PosixFiles {
    private static final VarHandle BLOCKS = CHeaders.STATX.varHandle(groupElement("stx_blocks"));
    private static final long BLOCK_BYTE_SIZE = 512;

    private static final MethodHandle OPEN = CFunction.OPEN.handleWithErrno();
    private static final MethodHandle CLOSE = CFunction.CLOSE.handleWithErrno();

    private PosixFiles() {}

    /// Opens a file, which is closed in the programs that this process starts. Opening a pipe does not wait for its
    /// other end.
    ///
    /// @return the file descriptor
    /// @throws NoSuchFileException if there is no such file
    /// @throws IOException         if the file cannot be opened for another reason
    static int open(Path path, int flags) throws IOException {
        byte[] name = LinuxSystem.nameOf(path);
        int fd;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(name.length);
            MemorySegment.copy(name, 0, bytes, JAVA_BYTE, 0, name.length);
            int allFlags = flags | CHeaders.O_CLOEXEC | CHeaders.O_NONBLOCK;
            fd = (int) ErrnoCall.result(state -> (int) OPEN.invokeExact(state, bytes, allFlags));
        }
        if (fd >= 0) {
            return fd;
        }
        throw -fd == CHeaders.ENOENT
                ? new NoSuchFileException(path.toString())
                : new IOException("File cannot be opened: path=" + path + ", " + Errno.describe(fd));
    }

    /// A path that leads to the open file, whatever has become of its names. It exists only where `/proc` is mounted.
    static Path descriptor(Path path, int fd) {
        return path.getFileSystem().getPath("/proc/self/fd/" + fd);
    }

    /// Closes a file descriptor.
    static void close(int fd) {
        long _ = ErrnoCall.result(state -> (int) CLOSE.invokeExact(state, fd));
    }

    /// Sets the position of a file descriptor. `SEEK_DATA` and `SEEK_HOLE` find the next data or hole at or after the
    /// offset. No other code relies on the position.
    static long lseek(int fd, long offset, int whence) {
        return ErrnoCall.result(state -> (long) Lseek.HANDLE.invokeExact(state, fd, offset, whence));
    }

    /// Allocates or frees the blocks of a range. Unlike `posix_fallocate`, this call fails if the file system cannot do
    /// so.
    static int fallocate(int fd, int mode, long offset, long byteSize) {
        return (int) ErrnoCall.result(state -> (int) Fallocate.HANDLE.invokeExact(state, fd, mode, offset, byteSize));
    }

    /// Returns the number of bytes that the file system has allocated for a file.
    static long storedByteSize(int fd) {
        return Statx.HANDLE.map(handle -> storedByteSize(handle, fd)).orElse((long) -CHeaders.ENOSYS);
    }

    private static long storedByteSize(MethodHandle statx, int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment noName = arena.allocateFrom("");
            MemorySegment attributes = arena.allocate(CHeaders.STATX);
            long result = ErrnoCall.result(state -> (int) statx.invokeExact(state, fd, noName, CHeaders.AT_EMPTY_PATH,
                    CHeaders.STATX_BLOCKS, attributes));
            return result < 0 ? result : (long) BLOCKS.get(attributes, 0L) * BLOCK_BYTE_SIZE;
        }
    }

    /// Sets the size of a file. A file that grows has a hole at its end.
    static int setByteSize(int fd, long byteSize) {
        return (int) ErrnoCall.result(state -> (int) Ftruncate.HANDLE.invokeExact(state, fd, byteSize));
    }

    /// Writes the contents and the size of a file to the device.
    static int force(int fd) {
        return (int) ErrnoCall.result(state -> (int) Fsync.HANDLE.invokeExact(state, fd));
    }

    /// Maps a range of a file. Stores to the mapping reach the file. The range may extend beyond the end of the file.
    ///
    /// @param protection `PROT_READ`, with or without `PROT_WRITE`
    /// @return the address
    static long map(int fd, int protection, long offset, long byteSize) {
        return ErrnoCall.result(state -> (long) Mmap.HANDLE.invokeExact(state, 0L, byteSize, protection,
                CHeaders.MAP_SHARED, fd, offset));
    }

    /// Writes what was stored in a range of mapped pages to the device.
    ///
    /// @param address the address of a page
    static int force(long address, long byteSize) {
        return (int) ErrnoCall.result(state -> (int) Msync.HANDLE.invokeExact(state, address, byteSize,
                CHeaders.MS_SYNC));
    }

    /// Sets or removes a lock on a range of a file. The lock belongs to the open file description of the file descriptor.
    ///
    /// @param type     `F_WRLCK`, `F_RDLCK` or `F_UNLCK`
    /// @param byteSize the size of the range, or 0: the range has no end
    static int setLock(int fd, int type, long offset, long byteSize) {
        try (Arena arena = Arena.ofConfined()) {
            return lock(fd, CHeaders.F_OFD_SETLK, flock(arena, type, offset, byteSize));
        }
    }

    /// Returns the type of a lock that would prevent a lock of the given type on a range of a file, or `F_UNLCK` if no
    /// lock would.
    ///
    /// @param type     `F_WRLCK` or `F_RDLCK`
    /// @param byteSize the size of the range, or 0: the range has no end
    static int conflictingLock(int fd, int type, long offset, long byteSize) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment lock = flock(arena, type, offset, byteSize);
            int result = lock(fd, CHeaders.F_OFD_GETLK, lock);
            return result < 0 ? result : (short) Fcntl.TYPE.get(lock, 0L);
        }
    }

    /// Returns the process whose lock would prevent a lock of the given type on the whole file. The result is -1 if the
    /// lock belongs to an open file description, and 0 or negative if no lock or an unknown process would.
    ///
    /// @param type `F_WRLCK` or `F_RDLCK`
    static int lockHolder(int fd, int type) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment lock = flock(arena, type, 0, 0);
            int result = lock(fd, CHeaders.F_OFD_GETLK, lock);
            return result < 0 ? result : (int) Fcntl.PID.get(lock, 0L);
        }
    }

    private static int lock(int fd, int command, MemorySegment lock) {
        return (int) ErrnoCall.result(state -> (int) Fcntl.HANDLE.invokeExact(state, fd, command, lock));
    }

    private static MemorySegment flock(Arena arena, int type, long offset, long byteSize) {
        MemorySegment lock = arena.allocate(CHeaders.FLOCK);
        Fcntl.TYPE.set(lock, 0L, (short) type);
        Fcntl.WHENCE.set(lock, 0L, (short) CHeaders.SEEK_SET);
        Fcntl.START.set(lock, 0L, offset);
        Fcntl.LENGTH.set(lock, 0L, byteSize);
        return lock;
    }

    /// A class of its own, because linking a call takes tens of milliseconds, and locks do not need this call.
    private static final class Lseek {
        static final MethodHandle HANDLE = CFunction.LSEEK.handleWithErrno();

        private Lseek() {}
    }

    /// A class of its own, because few programs change the size of a file by this call.
    private static final class Ftruncate {
        static final MethodHandle HANDLE = CFunction.FTRUNCATE.handleWithErrno();

        private Ftruncate() {}
    }

    /// A class of its own, because readers do not need this call.
    private static final class Fsync {
        static final MethodHandle HANDLE = CFunction.FSYNC.handleWithErrno();

        private Fsync() {}
    }

    /// A class of its own, because dumps and locks map nothing.
    private static final class Mmap {
        static final MethodHandle HANDLE = CFunction.MMAP.handleWithErrno();

        private Mmap() {}
    }

    /// A class of its own, because readers do not need this call.
    private static final class Msync {
        static final MethodHandle HANDLE = CFunction.MSYNC.handleWithErrno();

        private Msync() {}
    }

    /// A class of its own, because most arenas do not need this call.
    private static final class Fallocate {
        static final MethodHandle HANDLE = CFunction.FALLOCATE.handleWithErrno();

        private Fallocate() {}
    }

    /// A class of its own, because dumps need no lock.
    private static final class Fcntl {
        static final MethodHandle HANDLE = CFunction.FCNTL.handleWithErrno();
        static final VarHandle TYPE = CHeaders.FLOCK.varHandle(groupElement("l_type"));
        static final VarHandle PID = CHeaders.FLOCK.varHandle(groupElement("l_pid"));
        static final VarHandle WHENCE = CHeaders.FLOCK.varHandle(groupElement("l_whence"));
        static final VarHandle START = CHeaders.FLOCK.varHandle(groupElement("l_start"));
        static final VarHandle LENGTH = CHeaders.FLOCK.varHandle(groupElement("l_len"));

        private Fcntl() {}
    }

    /// A class of its own, because linking a call takes longer than most dumps, and most dumps do not need this call.
    private static final class Statx {
        static final Optional<MethodHandle> HANDLE = CFunction.STATX.findWithErrno();

        private Statx() {}
    }
}
