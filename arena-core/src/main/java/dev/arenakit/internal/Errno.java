package dev.arenakit.internal;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
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
}
