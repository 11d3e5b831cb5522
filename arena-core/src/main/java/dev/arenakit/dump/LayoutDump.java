package dev.arenakit.dump;

import dev.arenakit.layout.StructType;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Memory as readable fields: the structs that stand one after the other in a segment, each as
/// `[7] Point { x = 3, y = 4 }`.
///
/// Strings are quoted and their control characters escaped; enums are shown by the names of their constants, of a union the
/// member that is valid, addresses as `0x7f00`. Whatever the bytes are, they are shown: an enum's unknown value as a number,
/// bytes that are no text as `\xff`, all members of a union where nothing tells which is valid, and `<cut off>` where the segment
/// ends before the field does. A text ends at its first NUL. Arrays of more than 16 elements and texts of more than 256 units
/// are shortened and say by how much; of elements without a size, which are all alike, there is one.
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

    /// What is shown.
    ///
    /// @param first    the index of the first struct
    /// @param count    how many structs at most
    /// @param offsets  whether each field has a line with its offset
    /// @param bytes    whether each field has a line with its bytes
    /// @param elements whether arrays and texts are shown in full
    /// @param zeroRuns whether structs in a row that are zero are one line
    private record Options(long first, long count, boolean offsets, boolean bytes, boolean elements,
            boolean zeroRuns) {}

    private final StructType struct;
    private final Options options;

    private LayoutDump(StructType struct, Options options) {
        this.struct = struct;
        this.options = options;
    }

    /// A dump of structs, one a line.
    ///
    /// @param struct what stands in memory
    /// @return a dump of all structs in a segment
    public static LayoutDump of(StructType struct) {
        return new LayoutDump(Objects.requireNonNull(struct, "struct"),
                new Options(0, Long.MAX_VALUE, false, false, false, false));
    }

    /// Begins at a struct.
    ///
    /// @param index the index of the first struct that is shown
    /// @return a dump from that struct on, which is empty where there are not as many
    /// @throws IllegalArgumentException if the index is negative
    public LayoutDump withFirst(long index) {
        return with(new Options(notNegative("index", index), options.count, options.offsets, options.bytes,
                options.elements, options.zeroRuns));
    }

    /// Ends after a number of structs.
    ///
    /// @param count how many
    /// @return a dump of that many structs at most
    /// @throws IllegalArgumentException if the number is negative
    public LayoutDump withCount(long count) {
        return with(new Options(options.first, notNegative("count", count), options.offsets, options.bytes,
                options.elements, options.zeroRuns));
    }

    /// Shows each field in a line of its own, with its offset in the segment.
    ///
    /// @return a dump with offsets, in hexadecimal digits
    public LayoutDump withOffsets() {
        return with(new Options(options.first, options.count, true, options.bytes, options.elements,
                options.zeroRuns));
    }

    /// Shows each field in a line of its own, with its bytes, of which there are 8 at most.
    ///
    /// @return a dump with bytes, in hexadecimal digits
    public LayoutDump withBytes() {
        return with(new Options(options.first, options.count, options.offsets, true, options.elements,
                options.zeroRuns));
    }

    /// Shows all elements of arrays and all of a text.
    ///
    /// @return a dump that does not shorten
    public LayoutDump withEveryElement() {
        return with(new Options(options.first, options.count, options.offsets, options.bytes, true,
                options.zeroRuns));
    }

    /// Shows two or more structs in a row, all of whose bytes are zero, in one line: `[3..1048575] zeros`. Whether the source
    /// tells of zeros or reads them does not matter; where it tells of them ([ExtentSource.Sink#zeros]), a run of any length costs
    /// nothing. A struct that is cut off is shown even if what is left of it is zero.
    ///
    /// @return a dump that is as long as what was written to memory
    public LayoutDump withZeroRuns() {
        return with(new Options(options.first, options.count, options.offsets, options.bytes, options.elements, true));
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
        StructWalk walk = new StructWalk(struct, visitor, options.elements);
        if (struct.byteSize() == 0) {
            visitEmpty(walk);
            return;
        }
        long skip = Math.min(bytesOf(options.first), segment.byteSize());
        MemorySegment wanted = segment.asSlice(skip, Math.min(bytesOf(options.count), segment.byteSize() - skip));
        StructSink sink = new StructSink(walk, struct.byteSize(), options.first, options.zeroRuns);
        sink.finish(wanted.asSlice(sink.whole(wanted, 0)));
    }

    /// Tells a visitor the structs of a source.
    ///
    /// A struct that is told in pieces is put together on the heap, and may have 64 MiB; of any other there is no copy.
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
        StructWalk walk = new StructWalk(struct, visitor, options.elements);
        if (struct.byteSize() == 0) {
            visitEmpty(walk);
        } else if (options.count > 0) {
            StructSink sink = new StructSink(walk, struct.byteSize(), options.first, options.zeroRuns);
            source.transferTo(sink, bytesOf(options.first), bytesOf(options.count));
            sink.finish();
        }
    }

    /// Of structs without a size there is one.
    private void visitEmpty(StructWalk walk) throws IOException {
        if (options.first == 0 && options.count > 0) {
            walk.struct(0, MemorySegment.NULL);
        }
    }

    private StructPrinter printer(TextBuffer text) {
        return new StructPrinter(text, options.offsets, options.bytes);
    }

    /// The size of so many structs, or the largest there is.
    private long bytesOf(long structs) {
        return structs > Long.MAX_VALUE / struct.byteSize() ? Long.MAX_VALUE : structs * struct.byteSize();
    }

    /// The structs of a segment as text, for debuggers and logs: 64 of them at most, followed by a note of how many are left
    /// out where there are more.
    ///
    /// @param segment the segment
    /// @return the text, whose lines all end with a line feed
    public String toString(MemorySegment segment) {
        StringBuilder text = new StringBuilder();
        try {
            withCount(Math.min(options.count, TO_STRING_LIMIT)).append(segment, text);
        } catch (IOException e) {
            throw new AssertionError("Neither a segment nor a StringBuilder does input or output", e);
        }
        long wanted = Math.min(options.count, Math.max(0, count(segment) - options.first));
        if (wanted > TO_STRING_LIMIT) {
            text.append("(left out: ")
                    .append(wanted - TO_STRING_LIMIT)
                    .append(" of ")
                    .append(wanted)
                    .append(" structs)\n");
        }
        return text.toString();
    }

    private LayoutDump with(Options changed) {
        return new LayoutDump(struct, changed);
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
