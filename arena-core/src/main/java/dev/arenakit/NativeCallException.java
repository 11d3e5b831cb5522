package dev.arenakit;

import dev.arenakit.internal.nativecall.Errno;
import dev.arenakit.internal.nativecall.NativeAccess;
import java.lang.foreign.MemorySegment;

/// A native call has failed: what every binding needs around its method handles.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="errno"}
public final class NativeCallException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// The error number, or 0.
    private final int errno;

    private NativeCallException(String message, Throwable cause) {
        super(message, cause);
        errno = 0;
    }

    private NativeCallException(String message, int errno) {
        super(message);
        this.errno = errno;
    }

    /// Returns the exception of a call that has failed and has set `errno`, with the text of the C library's
    /// `strerror`: `open failed: errno=2, reason=No such file or directory`.
    ///
    /// @param function the name of the function, and more if it helps
    /// @param state    the call state of the handle, which was linked with `Linker.Option.captureCallState("errno")`: a
    ///                 segment of the layout `Linker.Option.captureStateLayout()`
    /// @return the exception, to be thrown
    /// @throws IllegalCallerException if native access is denied
    public static NativeCallException ofErrno(String function, MemorySegment state) {
        return ofErrno(function, Errno.of(state));
    }

    /// Returns the exception of a call that has failed with an error number, as functions of the kernel return it with
    /// the opposite sign.
    ///
    /// @param function the name of the function, and more if it helps
    /// @param errno    the positive error number
    /// @return the exception, to be thrown
    /// @throws IllegalCallerException if native access is denied
    public static NativeCallException ofErrno(String function, int errno) {
        NativeAccess.require();
        return new NativeCallException(function + " failed: " + Errno.describe(-errno), errno);
    }

    /// Returns the exception to throw for a [Throwable] that a method handle has thrown: `invokeExact` declares all of
    /// them. A call throws, for example, if the lifetime of a segment has ended.
    ///
    /// @param thrown what was thrown
    /// @return a [RuntimeException] as it is; a checked exception within a `NativeCallException`
    /// @throws Error if an error was thrown
    public static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException runtime
                ? runtime
                : new NativeCallException("Native call failed: " + thrown, thrown);
    }

    /// {@return the error number, or 0 if the call has not set it}
    public int errno() {
        return errno;
    }
}
