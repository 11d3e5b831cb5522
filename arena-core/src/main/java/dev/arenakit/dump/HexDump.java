package dev.arenakit.dump;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Memory as hexadecimal text, byte for byte what `hexdump -C` prints.
///
/// A line is the offset, 16 bytes, and the same bytes as text. A line whose bytes repeat those of the line before is
/// left out, and a `*` stands for any number of such lines. The last line is the offset of the end; where there is no
/// byte, there is no line.
///
/// Notes may stand behind the lines ([#withNotes]).
///
/// Offsets have 64 bits and there is no limit of size: the text goes to its target as it is made. Runs of zeros that a
/// source tells of ([ExtentSource]) cost nothing, as long as repeated lines are left out. Memory is only read, through
/// portable calls: no native access is needed. A segment is accessed in the calling thread, and the exceptions of that
/// access (a closed arena, another thread's confined one) are the caller's.
///
/// Objects of this class are immutable; methods named `with` return a changed copy.
///
/// {@snippet file="dev/arenakit/dump/HexDumpExample.java" region="example"}
public final class HexDump {
    /// What a debugger's pane or a line of a log bears: 256 lines at most.
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

    /// {@return a dump of everything, repeated lines left out}
    public static HexDump of() {
        return DEFAULT;
    }

    /// Leaves out bytes at the beginning, option `-s` of `hexdump`. Lines begin at the first byte that is not left out,
    /// and offsets count from the beginning.
    ///
    /// @param byteSize how many bytes
    /// @return a dump that leaves them out
    /// @throws IllegalArgumentException if the number is negative
    public HexDump withSkip(long byteSize) {
        return new HexDump(notNegative(byteSize), length, everyLine, notes);
    }

    /// Ends after a number of bytes, option `-n` of `hexdump`.
    ///
    /// @param byteSize how many bytes
    /// @return a dump of that many bytes at most
    /// @throws IllegalArgumentException if the number is negative
    public HexDump withLength(long byteSize) {
        return new HexDump(skip, notNegative(byteSize), everyLine, notes);
    }

    /// Prints lines that repeat the line before, too, option `-v` of `hexdump`.
    ///
    /// @return a dump without a `*`
    public HexDump withEveryLine() {
        return new HexDump(skip, length, true, notes);
    }

    /// Adds a note behind each line of bytes, two spaces from it. Lines that are left out have none, nor has the last line, the
    /// offset of the end. [FieldNotes] name the fields of structs.
    ///
    /// @param notes makes the notes, in the order of the lines; an exception of it is passed on
    /// @return a dump with these notes instead of any others
    public HexDump withNotes(LineNotes notes) {
        return new HexDump(skip, length, everyLine, Objects.requireNonNull(notes, "notes"));
    }

    /// Prints the bytes of a segment.
    ///
    /// @param segment the segment
    /// @param out     takes the text, ASCII, notes in UTF-8; it is flushed, not closed
    /// @throws IOException from the stream
    public void print(MemorySegment segment, OutputStream out) throws IOException {
        print(ExtentSource.of(segment), out);
    }

    /// Prints the bytes of a source.
    ///
    /// @param source the source
    /// @param out    takes the text, ASCII, notes in UTF-8; it is flushed, not closed
    /// @throws IOException from the source or the stream
    public void print(ExtentSource source, OutputStream out) throws IOException {
        if (length > 0) {
            HexPrinter printer = new HexPrinter(out, skip, everyLine, notes);
            printer.finish(source.transferTo(printer, skip, length));
        }
        out.flush();
    }

    /// Appends the bytes of a segment as text.
    ///
    /// @param segment the segment
    /// @param text    takes the text
    /// @throws IOException from the appendable
    public void append(MemorySegment segment, Appendable text) throws IOException {
        append(ExtentSource.of(segment), text);
    }

    /// Appends the bytes of a source as text.
    ///
    /// @param source the source
    /// @param text   takes the text
    /// @throws IOException from the source or the appendable
    public void append(ExtentSource source, Appendable text) throws IOException {
        print(source, new AppendableStream(text));
    }

    /// The beginning of a segment as text, for debuggers and logs: the dump of at most 4096 bytes, followed by a note of
    /// how many bytes are left out where there are more.
    ///
    /// @param segment the segment
    /// @return the text, whose lines all end with a line feed
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
