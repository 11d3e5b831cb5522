package dev.arenakit.internal.nativecall;

import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

/// The error number of a call, which the call itself captures: the JVM may change `errno` before the caller reads it.
///
/// The handles of [CFunction#handleWithErrno] and of its variants take a segment of the layout [#STATE] as their first
/// argument.
public final class Errno {
    public static final StructLayout STATE = Linker.Option.captureStateLayout();
    static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    private static final VarHandle ERRNO = STATE.varHandle(groupElement("errno"));

    private Errno() {}

    /// Returns the error number of the last call with this state.
    public static int of(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    /// Describes a failed call by its error number and the words of the C library.
    ///
    /// @param result the negative error number
    public static String describe(long result) {
        return "errno=" + -result + ", reason=" + text((int) -result);
    }

    /// The words of the C library for an error number, as in the exceptions of the JDK.
    public static String text(int number) {
        try {
            return Scopes.viewOf(Arena.global()).getString((long) Text.STRERROR.invokeExact(number));
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// A class of its own, because linking a call takes time, and few calls fail.
    private static final class Text {
        static final MethodHandle STRERROR = CFunction.STRERROR.handle();

        private Text() {}
    }
}
