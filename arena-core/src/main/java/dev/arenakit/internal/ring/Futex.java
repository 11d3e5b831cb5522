package dev.arenakit.internal.ring;

import dev.arenakit.internal.nativecall.CFunction;
import dev.arenakit.internal.nativecall.CHeaders;
import dev.arenakit.internal.nativecall.Errno;
import dev.arenakit.internal.nativecall.LinuxSystem;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.nativecall.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Threads that sleep until another thread, or another process that has mapped the same memory, wakes them: `futex(2)`.
///
/// Neither an interrupt nor the end of an arena wakes a thread that sleeps here, and its arena cannot be closed
/// meanwhile.
public final class Futex {
    private Futex() {}

    /// Whether there are such calls: the system is known, and native access is not denied. The result never changes.
    public static boolean isAvailable() {
        return LinuxSystem.isKnown() && NativeAccess.isGranted();
    }

    /// Sleeps until the word is woken. Returns at once if it has another value, and possibly for no reason.
    ///
    /// The caller has called [#isAvailable].
    ///
    /// @param word  4 bytes of native memory, aligned to 4 bytes
    /// @param nanos the longest time in nanoseconds, less than a second
    public static void await(MemorySegment word, int value, long nanos) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(CHeaders.TIMESPEC);
            time.set(ValueLayout.JAVA_LONG, Long.BYTES, nanos);
            // The result does not matter: in each case, the caller looks at the memory again.
            long _ = call(arena, word, CHeaders.FUTEX_WAIT, value, time);
        }
    }

    /// Wakes a thread that sleeps, if there is one.
    ///
    /// The caller has called [#isAvailable].
    ///
    /// @return whether there was one
    public static boolean wake(MemorySegment word) {
        try (Arena arena = Arena.ofConfined()) {
            return call(arena, word, CHeaders.FUTEX_WAKE, 1, MemorySegment.NULL) > 0;
        }
    }

    private static long call(Arena arena, MemorySegment word, int operation, int value, MemorySegment time) {
        try {
            return (long) Call.HANDLE.invokeExact(arena.allocate(Errno.STATE), (long) CHeaders.SYS_futex, word,
                    operation, value, time);
        } catch (IllegalStateException | WrongThreadException e) {
            throw e;
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    private static final class Call {
        static final MethodHandle HANDLE = CFunction.SYSCALL.handleWithErrno();

        private Call() {}
    }
}
