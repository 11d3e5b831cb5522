package dev.arenakit.examples.calls;

import dev.arenakit.NativeCallException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.List;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// System calls of Linux. Each method returns the kernel's result: minus the number of the error if the call has
/// failed.
///
/// Handles are `static final`, so that calls are compiled like calls in C. Pointers into blocks are passed on as
/// numbers; the caller ensures that the memory is alive. An instance has the memory that receives `errno`, and belongs
/// to the thread of its arena.
@SuppressWarnings("restricted") // This class links functions and maps memory.
final class SystemCalls {
    // Numbers of errors in Linux's asm-generic/errno-base.h and errno.h.
    static final int EPERM = 1;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EBUSY = 16;
    static final int ENOSYS = 38;

    // Numbers of calls in asm-generic/unistd.h. Calls since Linux 5.1 have the same numbers on all architectures except
    // Alpha.
    private static final long IO_URING_SETUP = 425;
    private static final long IO_URING_ENTER = 426;

    // asm-generic/fcntl.h and asm-generic/mman-common.h, the same on x86-64 and aarch64.
    private static final int READ_ONLY_CLOEXEC = 0x80000;
    private static final int READ_WRITE_PROTECTION = 3;
    private static final int MAP_SHARED = 1;

    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(groupElement("errno"));

    private final MemorySegment state;

    /// Prepares calls by the thread of an arena.
    ///
    /// @throws UnsupportedOperationException if the system has other numbers than this class
    SystemCalls(Arena arena) {
        String system = System.getProperty("os.name");
        String architecture = System.getProperty("os.arch");
        if (!system.equals("Linux") || !List.of("amd64", "aarch64").contains(architecture)) {
            throw new UnsupportedOperationException("System calls are those of Linux on x86-64 and aarch64: system="
                    + system + ", architecture=" + architecture);
        }
        state = arena.allocate(CALL_STATE);
    }

    /// Opens a file for reading.
    int open(MemorySegment path) {
        try {
            return (int) result((int) Handles.OPEN.invokeExact(state, path, READ_ONLY_CLOEXEC));
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    /// Closes a descriptor. Errors are ignored, since Linux has released the descriptor in any case.
    static void close(int descriptor) {
        try {
            int _ = (int) Handles.CLOSE.invokeExact(descriptor);
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    /// @param parameters `struct io_uring_params`
    int setUpRing(int entries, MemorySegment parameters) {
        return (int) system(IO_URING_SETUP, entries, parameters.address(), 0, 0);
    }

    int enterRing(int descriptor, int submissions, int completions, int flags) {
        return (int) system(IO_URING_ENTER, descriptor, submissions, completions, flags);
    }

    /// Maps memory that is shared with the kernel until the arena is closed.
    ///
    /// @throws OutOfMemoryError if the kernel refuses
    MemorySegment map(Arena arena, int descriptor, long byteSize, long offset) {
        long address;
        try {
            address = result((long) Handles.MMAP.invokeExact(state, 0L, byteSize, READ_WRITE_PROTECTION, MAP_SHARED,
                    descriptor, offset));
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
        if (address < 0) {
            throw new OutOfMemoryError("Cannot map: byteSize=" + byteSize + ", errno=" + -address);
        }
        try {
            return MemorySegment.ofAddress(address).reinterpret(byteSize, arena, memory -> unmap(address, byteSize));
        } catch (Throwable t) {
            unmap(address, byteSize);
            throw t;
        }
    }

    private static void unmap(long address, long byteSize) {
        try {
            int _ = (int) Handles.MUNMAP.invokeExact(address, byteSize);
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    private long system(long number, long first, long second, long third, long fourth) {
        try {
            // The last two arguments of io_uring_enter are a signal mask, here none, and its size.
            return result((long) Handles.SYSCALL.invokeExact(state, number, first, second, third, fourth, 0L, 0L));
        } catch (Throwable t) {
            throw NativeCallException.unexpected(t);
        }
    }

    private long result(long returned) {
        return returned == -1 ? -(int) ERRNO.get(state, 0L) : returned;
    }

    /// Other systems lack some of the functions, so they are linked after the check of the system.
    private static final class Handles {
        private static final Linker.Option WITH_ERRNO = Linker.Option.captureCallState("errno");

        static final MethodHandle OPEN = function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                WITH_ERRNO, Linker.Option.firstVariadicArg(2));
        static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle MMAP = function("mmap",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
                WITH_ERRNO);
        static final MethodHandle MUNMAP = function("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        static final MethodHandle SYSCALL = function("syscall",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                        JAVA_LONG),
                WITH_ERRNO, Linker.Option.firstVariadicArg(1));

        private Handles() {}

        private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
        }
    }
}
