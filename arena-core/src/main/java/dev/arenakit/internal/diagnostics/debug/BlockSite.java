package dev.arenakit.internal.diagnostics.debug;

import java.util.Arrays;
import java.util.List;

/// The stack of a call that allocated or freed a block. It is never thrown, but is the cause of exceptions about the
/// block.
final class BlockSite extends Throwable {
    private static final long serialVersionUID = 1L;

    BlockSite(String what) {
        super(what + " by thread " + Thread.currentThread().getName());
    }

    /// Describes a site that is known by its text.
    BlockSite(String message, List<StackTraceElement> frames) {
        super(message);
        setStackTrace(frames.toArray(StackTraceElement[]::new));
    }

    /// Removes the frames of debug arenas. The frames of an exception are only computed when they are needed, which
    /// takes longer than an allocation.
    BlockSite trimmed() {
        StackTraceElement[] frames = getStackTrace();
        int first = 0;
        while (first < frames.length && isOurs(frames[first].getClassName())) {
            first++;
        }
        setStackTrace(Arrays.copyOfRange(frames, first, frames.length));
        return this;
    }

    private static boolean isOurs(String className) {
        return className.startsWith("dev.arenakit.internal.")
                || className.equals("dev.arenakit.diagnostics.DebugArena")
                || className.startsWith("java.lang.foreign.");
    }
}
