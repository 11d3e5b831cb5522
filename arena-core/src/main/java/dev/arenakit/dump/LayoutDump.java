package dev.arenakit.dump;

import dev.arenakit.layout.StructType;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/// Memory as readable fields: the structs that stand one after the other in a segment, a file or a stream, each as
/// `[7] Point { x = 3, y = 4 }`.
///
/// Strings are quoted and their control characters escaped; enums are shown by the names of their constants, of a union the
/// member that is valid, addresses as `0x7f00`. Whatever the bytes are, they are shown: an enum's unknown value as a number,
/// bytes that are no text as `\xff`, all members of a union where nothing tells which is valid, and `<cut off>` where the bytes
/// end before the field does. A text ends at its first NUL. Arrays of more than 16 elements and texts of more than 256 units
/// are shortened and say by how much; of elements without a size, which are all alike, there is one.
///
/// There is no limit of size: the text goes to its target as it is made, and takes a buffer of 64 KiB and at most one struct of heap.
/// Structs that are zero can be left out ([#withZeroRuns]). For any other form than text there is a visitor
/// ([#visit(ExtentSource, StructVisitor)]). Indices and offsets count from the beginning of the segment or source.
///
/// Memory is only read, in the order of bytes and at the places that the type says, aligned or not; no native access is needed. A
/// segment is accessed in the calling thread, and the exceptions of that access (a closed arena, another thread's confined one)
/// are the caller's.
///
/// Objects of this class are immutable; methods whose names begin with `with` return a changed copy.
///
/// {@snippet file="dev/arenakit/dump/LayoutDumpExample.java" region="example"}
public final class LayoutDump {
    /// What a debugger's pane or a line of a log bears.
    private static final long TO_STRING_LIMIT = 64;
    /// Of a struct that is put together from pieces: more would not fit the heap of a small tool.
    private static final long LARGEST_GATHERED = 1 << 26;

    private enum Part {
        /// Each field has a line with its offset.
        OFFSETS,
        /// Each field has a line with its bytes.
        BYTES,
        /// Arrays and texts are shown in full.
        EVERY_ELEMENT,
        /// Structs in a row that are zero are one line.
        ZERO_RUNS
    }

    private final StructType struct;
    private final long first;
    private final long count;
    private final Set<Part> parts;

    private LayoutDump(StructType struct, long first, long count, Set<Part> parts) {
        this.struct = struct;
        this.first = first;
        this.count = count;
        this.parts = parts;
    }

    /// A dump of structs, one a line.
    ///
    /// @param struct what stands in memory
    /// @return a dump of all structs in a segment or a source
    public static LayoutDump of(StructType struct) {
        return new LayoutDump(Objects.requireNonNull(struct, "struct"), 0, Long.MAX_VALUE, Set.of());
    }

    /// Begins at a struct.
    ///
    /// @param index the index of the first struct that is shown
    /// @return a dump from that struct on, which is empty where there are not as many
    /// @throws IllegalArgumentException if the index is negative
    public LayoutDump withFirst(long index) {
        return new LayoutDump(struct, notNegative("index", index), count, parts);
    }

    /// Ends after a number of structs, those of runs ([#withZeroRuns]) included.
    ///
    /// @param count how many
    /// @return a dump of that many structs at most
    /// @throws IllegalArgumentException if the number is negative
    public LayoutDump withCount(long count) {
        return new LayoutDump(struct, first, notNegative("count", count), parts);
    }

    /// Shows each field in a line of its own, with its offset in the segment or source.
    ///
    /// @return a dump with offsets in bytes, in hexadecimal digits
    public LayoutDump withOffsets() {
        return with(Part.OFFSETS);
    }

    /// Shows each field in a line of its own, with its bytes, of which there are 8 at most.
    ///
    /// @return a dump with bytes, in hexadecimal digits
    public LayoutDump withBytes() {
        return with(Part.BYTES);
    }

    /// Shows all elements of arrays and all of a text.
    ///
    /// @return a dump that does not shorten
    public LayoutDump withEveryElement() {
        return with(Part.EVERY_ELEMENT);
    }

    /// Shows two or more structs in a row, all of whose bytes are zero, in one line: `[3..1048575] zeros`. Whether a source
    /// tells of zeros or reads them does not matter; where it tells of them ([ExtentSource.Sink#zeros]), a run of any length costs
    /// nothing. A struct that is cut off is in no run.
    ///
    /// {@snippet file="dev/arenakit/dump/LayoutDumpExample.java" region="stream"}
    ///
    /// @return a dump in which memory that nobody wrote to takes no room
    public LayoutDump withZeroRuns() {
        return with(Part.ZERO_RUNS);
    }

    /// Prints the structs of a segment.
    ///
    /// @param segment the segment
    /// @param out     takes the text, UTF-8, whose lines end with a line feed; it is flushed, not closed
    /// @throws IOException from the stream
    public void print(MemorySegment segment, OutputStream out) throws IOException {
        TextBuffer text = new TextBuffer(out);
        visit(segment, printer(text));
        text.flush();
        out.flush();
    }

    /// Prints the structs of a source.
    ///
    /// @param source the source
    /// @param out    takes the text, UTF-8, whose lines end with a line feed; it is flushed, not closed
    /// @throws IOException              from the source or the stream
    /// @throws IllegalArgumentException as [#visit(ExtentSource, StructVisitor)]
    public void print(ExtentSource source, OutputStream out) throws IOException {
        TextBuffer text = new TextBuffer(out);
        visit(source, printer(text));
        text.flush();
        out.flush();
    }

    /// Appends the structs of a segment as text.
    ///
    /// @param segment the segment
    /// @param text    takes the text, whose lines end with a line feed
    /// @throws IOException from the appendable
    public void append(MemorySegment segment, Appendable text) throws IOException {
        print(segment, new AppendableStream(text));
    }

    /// Appends the structs of a source as text.
    ///
    /// @param source the source
    /// @param text   takes the text, whose lines end with a line feed
    /// @throws IOException              from the source or the appendable
    /// @throws IllegalArgumentException as [#visit(ExtentSource, StructVisitor)]
    public void append(ExtentSource source, Appendable text) throws IOException {
        print(source, new AppendableStream(text));
    }

    /// Tells a visitor the structs of a segment.
    ///
    /// @param segment the segment
    /// @param visitor takes the values
    /// @throws IOException from the visitor
    public void visit(MemorySegment segment, StructVisitor visitor) throws IOException {
        StructWalk walk = walk(visitor);
        if (struct.byteSize() == 0) {
            visitEmpty(walk);
            return;
        }
        long skip = Math.min(bytesOf(first), segment.byteSize());
        MemorySegment wanted = segment.asSlice(skip, Math.min(bytesOf(count), segment.byteSize() - skip));
        StructRuns runs = runs(walk);
        runs.finish(wanted.asSlice(runs.whole(wanted, 0)));
    }

    /// Tells a visitor the structs of a source.
    ///
    /// Structs are read where the source has them; one that it tells in pieces is put together on the heap first, and may have 64 MiB.
    ///
    /// @param source  the source
    /// @param visitor takes the values
    /// @throws IOException              from the source or the visitor
    /// @throws IllegalArgumentException if a struct has more than 64 MiB, which only a segment can have
    public void visit(ExtentSource source, StructVisitor visitor) throws IOException {
        if (struct.byteSize() > LARGEST_GATHERED) {
            throw new IllegalArgumentException("Struct is too large to be put together from a source: struct="
                    + struct.name() + ", byteSize=" + struct.byteSize() + ", limit=" + LARGEST_GATHERED
                    + "; map the bytes, and dump the segment");
        }
        StructWalk walk = walk(visitor);
        if (struct.byteSize() == 0) {
            visitEmpty(walk);
        } else if (count > 0) {
            StructSink sink = new StructSink(runs(walk), (int) struct.byteSize());
            source.transferTo(sink, bytesOf(first), bytesOf(count));
            sink.finish();
        }
    }

    /// The structs of a segment as text, for debuggers and logs: 64 of them at most, followed by a note of how many are left
    /// out where there are more.
    ///
    /// @param segment the segment
    /// @return the text, whose lines all end with a line feed
    public String toString(MemorySegment segment) {
        StringBuilder text = new StringBuilder();
        try {
            withCount(Math.min(count, TO_STRING_LIMIT)).append(segment, text);
        } catch (IOException e) {
            throw new AssertionError("Neither a segment nor a StringBuilder does input or output", e);
        }
        long wanted = Math.min(count, Math.max(0, count(segment) - first));
        if (wanted > TO_STRING_LIMIT) {
            text.append("(left out: ")
                    .append(wanted - TO_STRING_LIMIT)
                    .append(" of ")
                    .append(wanted)
                    .append(" structs)\n");
        }
        return text.toString();
    }

    private StructWalk walk(StructVisitor visitor) {
        return new StructWalk(struct, visitor, parts.contains(Part.EVERY_ELEMENT));
    }

    private StructRuns runs(StructWalk walk) {
        return new StructRuns(walk, struct.byteSize(), first, parts.contains(Part.ZERO_RUNS));
    }

    /// Of structs without a size there is one.
    private void visitEmpty(StructWalk walk) throws IOException {
        if (first == 0 && count > 0) {
            walk.struct(0, MemorySegment.NULL);
        }
    }

    private StructPrinter printer(TextBuffer text) {
        return new StructPrinter(text, parts.contains(Part.OFFSETS), parts.contains(Part.BYTES));
    }

    /// The size of so many structs, or the largest there is.
    private long bytesOf(long structs) {
        return structs > Long.MAX_VALUE / struct.byteSize() ? Long.MAX_VALUE : structs * struct.byteSize();
    }

    private LayoutDump with(Part part) {
        Set<Part> more = EnumSet.of(part);
        more.addAll(parts);
        return new LayoutDump(struct, first, count, Collections.unmodifiableSet(more));
    }

    /// How many structs there are, the last of which may be cut off; of those without a size there is one.
    private long count(MemorySegment segment) {
        return struct.byteSize() == 0 ? 1 : Math.ceilDiv(segment.byteSize(), struct.byteSize());
    }

    private static long notNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException("Negative " + name + ": " + name + "=" + value);
        }
        return value;
    }
}
