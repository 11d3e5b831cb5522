package dev.arenakit.dump;

/// Notes that a [HexDump] prints at the ends of its lines. The dump calls the method once for each printed line, in the
/// order of the lines and in the thread that prints them.
@FunctionalInterface
public interface LineNotes {
    /// {@return the note for a line, or "" for none; it may contain escape sequences of a terminal, but no line
    /// terminator}
    ///
    /// @param byteOffset the offset of the first byte in the line
    /// @param byteCount  the number of bytes in the line, from 1 to 16
    String note(long byteOffset, int byteCount);
}
