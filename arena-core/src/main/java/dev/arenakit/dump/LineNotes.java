package dev.arenakit.dump;

/// What stands behind the lines of a [HexDump]. It is asked once for each line that is printed, in their order, in the thread that
/// prints.
@FunctionalInterface
public interface LineNotes {
    /// {@return the note on a line, or "" for none; it may contain what a terminal takes for colours, and no end of a line}
    ///
    /// @param byteOffset the offset of the first byte in the line
    /// @param byteCount  how many bytes there are in the line, from 1 to 16
    String note(long byteOffset, int byteCount);
}
