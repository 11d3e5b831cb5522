package dev.arenakit.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Optional;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Calls on files that the JDK has no method for. The constants are those of Linux, where x86-64 and aarch64 agree on
/// them, as do glibc and musl.
///
/// Every method returns what the call returns, or the negative error number where the call has failed.
///
/// [NativeAccess#require] comes before the first use of this class.
final class PosixFiles {
    static final int O_RDONLY = 0;
    static final int O_CLOEXEC = 0x80000;
    static final int SEEK_DATA = 3;
    static final int SEEK_HOLE = 4;
    static final int ENXIO = 6;
    private static final int ENOSYS = 38;

    /// The descriptor itself is meant, and the path is empty.
    private static final int AT_EMPTY_PATH = 0x1000;

    /// Of `struct statx`, which is the same on every architecture: the bit that asks for the number of blocks, the byte
    /// offset of that number, the size of the struct, and the unit of the number, whatever the blocks of the file system.
    private static final int STATX_BLOCKS = 0x400;
    private static final long STATX_BLOCKS_OFFSET = 48;
    private static final long STATX_BYTE_SIZE = 256;
    private static final long STATX_BLOCK_BYTE_SIZE = 512;

    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(groupElement("errno"));
    private static final Linker.Option CAPTURE_ERRNO = Linker.Option.captureCallState("errno");

    private static final MethodHandle OPEN = handle("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            CAPTURE_ERRNO, Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE = handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT), CAPTURE_ERRNO);
    private static final MethodHandle LSEEK = handle("lseek",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT), CAPTURE_ERRNO);

    private PosixFiles() {}

    /// Opens a file.
    ///
    /// @param path the bytes of the path, closed by a zero
    static int open(byte[] path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            MemorySegment name = arena.allocate(path.length);
            MemorySegment.copy(MemorySegment.ofArray(path), 0, name, 0, path.length);
            int result = (int) OPEN.invokeExact(state, name, flags);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// Closes a file descriptor.
    static int close(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            int result = (int) CLOSE.invokeExact(state, fd);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// Moves the position of a file descriptor, which nobody else relies on: `SEEK_DATA` and `SEEK_HOLE` find the next
    /// data or hole at or behind the offset.
    static long lseek(int fd, long offset, int whence) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            long result = (long) LSEEK.invokeExact(state, fd, offset, whence);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// How many bytes the file system has set aside for a file.
    static long storedByteSize(int fd) {
        return Statx.HANDLE.map(handle -> storedByteSize(handle, fd)).orElse((long) -ENOSYS);
    }

    private static long storedByteSize(MethodHandle statx, int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            MemorySegment attributes = arena.allocate(STATX_BYTE_SIZE, JAVA_LONG.byteAlignment());
            int result = (int) statx.invokeExact(state, fd, arena.allocateFrom(""), AT_EMPTY_PATH, STATX_BLOCKS,
                    attributes);
            return result < 0
                    ? -errno(state)
                    : attributes.get(JAVA_LONG, STATX_BLOCKS_OFFSET) * STATX_BLOCK_BYTE_SIZE;
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    private static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(NativeCalls.libc().findOrThrow(name), descriptor, options);
    }

    /// On its own, since linking a call takes longer than dumping most files, and most dumps do not ask for this.
    private static final class Statx {
        /// Missing from old C libraries (glibc before 2.28).
        static final Optional<MethodHandle> HANDLE = NativeCalls.libc()
                .find("statx")
                .map(function -> handle("statx",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS),
                        CAPTURE_ERRNO));

        private Statx() {}
    }
}
