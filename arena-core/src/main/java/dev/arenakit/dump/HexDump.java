package dev.arenakit.dump;

import dev.arenakit.internal.dump.AppendableOutputStream;
import dev.arenakit.internal.dump.HexDumpPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A dump of memory as hexadecimal text, byte for byte in the format of `hexdump -C`.
///
/// A line consists of the offset, 16 bytes, and the same bytes as text. Lines that repeat the bytes of the previous
/// line are omitted; a `*` represents any number of omitted lines. The last line is the end offset. The dump of an
/// empty source has no lines. A line can end with a note ([#withNotes]).
///
/// Offsets have 64 bits. The size is not limited, because the text is written as it is produced. An extent of zeros
/// ([ExtentSource.Sink#zeros]) of any length takes constant time, unless repeated lines are printed too. A dump only
/// reads memory, and needs no native access. The calling thread accesses the segment. Exceptions of the access are
/// passed to the caller, for example if the arena is closed, or confined to another thread.
///
/// Objects of this class are immutable; methods whose names begin with `with` return a changed copy.
///
/// {@snippet file="dev/arenakit/dump/HexDumpExample.java" region="example"}
public final class HexDump {
    /// Suits a debugger or a log: at most 256 lines.
    private static final long TO_STRING_LIMIT = 4096;

    private static final HexDump DEFAULT = new HexDump(0, Long.MAX_VALUE, false, null);

    private final long skip;
    private final long length;
    private final boolean everyLine;
    private final @Nullable LineNotes notes;

    private HexDump(long skip, long length, boolean everyLine, @Nullable LineNotes notes) {
        this.skip = skip;
        this.length = length;
        this.everyLine = everyLine;
        this.notes = notes;
    }

    /// {@return a dump of all bytes that omits repeated lines}
    public static HexDump of() {
        return DEFAULT;
    }

    /// Skips bytes at the beginning, as option `-s` of `hexdump` does. The first line begins with the first byte that
    /// is not skipped. Offsets are still relative to the beginning.
    ///
    /// @param byteSize the number of bytes to skip
    /// @return a dump that skips these bytes
    /// @throws IllegalArgumentException if the number is negative
    public HexDump withSkip(long byteSize) {
        return new HexDump(notNegative(byteSize), length, everyLine, notes);
    }

    /// Ends after a number of bytes, as option `-n` of `hexdump` does.
    ///
    /// @param byteSize the largest number of bytes to print
    /// @return a dump of at most that many bytes
    /// @throws IllegalArgumentException if the number is negative
    public HexDump withLength(long byteSize) {
        return new HexDump(skip, notNegative(byteSize), everyLine, notes);
    }

    /// Prints repeated lines too, as option `-v` of `hexdump` does.
    ///
    /// @return a dump that omits no line
    public HexDump withEveryLine() {
        return new HexDump(skip, length, true, notes);
    }

    /// Appends a note to each line of bytes, after two spaces. Omitted lines and the end offset have no note.
    /// [FieldNotes] name the fields of structs.
    ///
    /// @param notes the notes; their exceptions are passed to the caller of the printing method
    /// @return a dump with these notes instead of previous notes
    public HexDump withNotes(LineNotes notes) {
        return new HexDump(skip, length, everyLine, Objects.requireNonNull(notes, "notes"));
    }

    /// Prints the bytes of a segment.
    ///
    /// @param segment the segment
    /// @param out     the stream for the text, which is ASCII, with notes in UTF-8; it is flushed, not closed
    /// @throws IOException if the stream throws an `IOException`
    public void print(MemorySegment segment, OutputStream out) throws IOException {
        print(ExtentSource.of(segment), out);
    }

    /// Prints the bytes of a source.
    ///
    /// @param source the source
    /// @param out    the stream for the text, which is ASCII, with notes in UTF-8; it is flushed, not closed
    /// @throws IOException if the source or the stream throws an `IOException`
    public void print(ExtentSource source, OutputStream out) throws IOException {
        if (length > 0) {
            HexDumpPrinter printer = new HexDumpPrinter(out, skip, everyLine, notes);
            printer.finish(source.transferTo(printer, skip, length));
        }
        out.flush();
    }

    /// Appends the bytes of a segment as text.
    ///
    /// @param segment the segment
    /// @param text    the appendable
    /// @throws IOException if the appendable throws an `IOException`
    public void append(MemorySegment segment, Appendable text) throws IOException {
        append(ExtentSource.of(segment), text);
    }

    /// Appends the bytes of a source as text.
    ///
    /// @param source the source
    /// @param text   the appendable
    /// @throws IOException if the source or the appendable throws an `IOException`
    public void append(ExtentSource source, Appendable text) throws IOException {
        print(source, new AppendableOutputStream(text));
    }

    /// Returns the dump of the first 4096 bytes of a segment, for debuggers and logs. If the segment is larger, a last
    /// line says how many bytes are left out.
    ///
    /// @param segment the segment
    /// @return the text, whose lines end with a line feed
    public static String toString(MemorySegment segment) {
        StringBuilder text = new StringBuilder();
        try {
            DEFAULT.withLength(TO_STRING_LIMIT).append(segment, text);
        } catch (IOException e) {
            throw new AssertionError("Neither a segment nor a StringBuilder does input or output", e);
        }
        long left = segment.byteSize() - TO_STRING_LIMIT;
        if (left > 0) {
            text.append("(left out: ").append(left).append(" of ").append(segment.byteSize()).append(" bytes)\n");
        }
        return text.toString();
    }

    private static long notNegative(long byteSize) {
        if (byteSize < 0) {
            throw new IllegalArgumentException("Negative size: byteSize=" + byteSize);
        }
        return byteSize;
    }
}
