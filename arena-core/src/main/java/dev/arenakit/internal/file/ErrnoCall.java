package dev.arenakit.internal.file;

import dev.arenakit.internal.nativecall.Errno;
import dev.arenakit.internal.nativecall.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A system call that returns -1 if it fails, and captures its error number.
@FunctionalInterface
interface ErrnoCall {
    /// Makes the call.
    ///
    /// @param state the memory for the error number
    long run(MemorySegment state) throws Throwable;

    /// Returns the result of a call, or the negative error number if the call fails.
    ///
    /// @throws IllegalStateException if the arena of a segment that is passed to the call is closed
    /// @throws WrongThreadException  if the arena of such a segment is confined to another thread
    static long result(ErrnoCall call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Errno.STATE);
            long result = call.run(state);
            return result == -1 ? -Errno.of(state) : result;
        } catch (IllegalStateException | WrongThreadException e) {
            throw e;
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }
}
