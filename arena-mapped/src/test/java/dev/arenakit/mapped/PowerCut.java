package dev.arenakit.mapped;

import dev.arenakit.internal.nativecall.NativeFunctions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Shuts an ext4 file system down at once, as a power loss does: what is only in the memory of the kernel never gets to
/// the disk, and every later write fails. Only root may do that.
final class PowerCut {
    /// `EXT4_IOC_SHUTDOWN`, which is the same number on all architectures.
    private static final long SHUTDOWN = 0x8004_587dL;

    /// The variable arguments of `open` and `ioctl` are passed like others on the supported systems.
    private static final MethodHandle OPEN = NativeFunctions
            .downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle IOCTL = NativeFunctions
            .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
    private static final MethodHandle SYNC_FILE_RANGE = NativeFunctions
            .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    /// Wait for earlier writes, write, and wait for the end.
    private static final int WRITE_AND_WAIT = 7;
    private static final MethodHandle CLOSE = NativeFunctions
            .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final int directory;

    /// Prepares a power loss, so that [#now] takes as little time as possible.
    ///
    /// @param root the root directory of the file system
    PowerCut(Path root) {
        directory = open(root);
    }

    private static int open(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) OPEN.invokeExact(function("open"), arena.allocateFrom(path.toString()), 0);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    /// Writes a range of a file to the disk, and nothing else: neither other pages nor the size of the file.
    ///
    /// @throws IOException if the file cannot be opened or written
    static void writeBack(Path file, long byteOffset, long byteSize) throws IOException {
        int opened = open(file);
        int result;
        try {
            result = (int) SYNC_FILE_RANGE.invokeExact(function("sync_file_range"), opened, byteOffset, byteSize,
                    WRITE_AND_WAIT);
            int _ = (int) CLOSE.invokeExact(function("close"), opened);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
        if (result != 0) {
            throw new IOException("File is not written: file=" + file + ", byteOffset=" + byteOffset);
        }
    }

    private static MemorySegment function(String name) {
        return NativeFunctions.libc().findOrThrow(name);
    }

    /// Cuts the power, once.
    ///
    /// @param kind what becomes of the memory of the kernel
    /// @throws IOException if the file system refuses it
    void now(Kind kind) throws IOException {
        int result;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flags = arena.allocateFrom(JAVA_INT, kind.flag);
            result = (int) IOCTL.invokeExact(function("ioctl"), directory, SHUTDOWN, flags);
            // An open directory would keep the file system mounted.
            int _ = (int) CLOSE.invokeExact(function("close"), directory);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
        if (result != 0) {
            throw new IOException("File system is not shut down: result=" + result + ", directory=" + directory);
        }
    }

    /// The fate of the memory of the kernel.
    enum Kind {
        /// All of it is written, as when a machine is shut down in an orderly way.
        SYNC(0),
        /// The journal is written, and data is not.
        JOURNAL(1),
        /// Nothing is written.
        NOTHING(2);

        /// The constant of ext4.
        private final int flag;

        Kind(int flag) {
            this.flag = flag;
        }
    }
}
