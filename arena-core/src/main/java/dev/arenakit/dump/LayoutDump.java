package dev.arenakit.dump;

import dev.arenakit.layout.StructType;
import java.io.IOException;
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

    /// What is shown.
    ///
    /// @param first    the index of the first struct
    /// @param count    how many structs at most
    /// @param offsets  whether each field has a line with its offset
    /// @param bytes    whether each field has a line with its bytes
    /// @param elements whether arrays and texts are shown in full
    record Options(long first, long count, boolean offsets, boolean bytes, boolean elements) {}

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
                new Options(0, Long.MAX_VALUE, false, false, false));
    }

    /// Begins at a struct.
    ///
    /// @param index the index of the first struct that is shown
    /// @return a dump from that struct on, which is empty where there are not as many
    /// @throws IllegalArgumentException if the index is negative
    public LayoutDump withFirst(long index) {
        return with(new Options(notNegative("index", index), options.count, options.offsets, options.bytes,
                options.elements));
    }

    /// Ends after a number of structs.
    ///
    /// @param count how many
    /// @return a dump of that many structs at most
    /// @throws IllegalArgumentException if the number is negative
    public LayoutDump withCount(long count) {
        return with(new Options(options.first, notNegative("count", count), options.offsets, options.bytes,
                options.elements));
    }

    /// Shows each field in a line of its own, with its offset in the segment.
    ///
    /// @return a dump with offsets, in hexadecimal digits
    public LayoutDump withOffsets() {
        return with(new Options(options.first, options.count, true, options.bytes, options.elements));
    }

    /// Shows each field in a line of its own, with its bytes, of which there are 8 at most.
    ///
    /// @return a dump with bytes, in hexadecimal digits
    public LayoutDump withBytes() {
        return with(new Options(options.first, options.count, options.offsets, true, options.elements));
    }

    /// Shows all elements of arrays and all of a text.
    ///
    /// @return a dump that does not shorten
    public LayoutDump withEveryElement() {
        return with(new Options(options.first, options.count, options.offsets, options.bytes, true));
    }

    /// Appends the structs of a segment as text: all that [#withFirst] and [#withCount] leave, however many. Zeros are not
    /// skipped, so bound them where a segment is large. At its end, what is left of a struct is shown too.
    ///
    /// @param segment the segment
    /// @param text    takes the text, whose lines end with a line feed
    /// @throws IOException from the appendable
    public void append(MemorySegment segment, Appendable text) throws IOException {
        long count = count(segment);
        StructPrinter printer = new StructPrinter(segment, text, options);
        for (long shown = 0; shown < options.count && shown < count - options.first; shown++) {
            long index = options.first + shown;
            printer.print(index, struct, index * struct.byteSize());
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
