package dev.arenakit.dump;

import dev.arenakit.internal.dump.AppendableOutputStream;
import dev.arenakit.internal.dump.DecoderContext;
import dev.arenakit.internal.dump.StructAssembler;
import dev.arenakit.internal.dump.StructTextColumns;
import dev.arenakit.internal.dump.StructTextPrinter;
import dev.arenakit.internal.dump.Utf8Buffer;
import dev.arenakit.internal.dump.ZeroRuns;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/// A dump of memory as structs with named fields. It prints consecutive structs in a segment, a file or a stream, each
/// as `[7] Point { x = 3, y = 4 }`. A value that is wrapped in a struct ([StructType#wrapperOf]) is shown without the
/// struct: `[7] 9.5`.
///
/// Strings are quoted and their control characters are escaped. Enums are shown by the names of their constants, unions
/// by their valid members, arrays with a count by their valid elements, unsigned integers without a sign, addresses as
/// `0x7f00`, references as `-> nodes[17]`, `-> [17]`, `-> +0x440` or `none`. Any bytes can be shown. An unknown value
/// of an enum is shown as a number, or as `OTHER(17)` if there is a constant for such values. Malformed text is shown
/// as `\xff`. A union whose valid member is unknown is shown with all its members. `<cut off>` marks a field that
/// extends beyond the end of the bytes. The type of a text determines its end: the first NUL, the spaces at the end, or
/// the stored length. Arrays of more than 16 elements and texts of more than 256 code units are shortened, and the dump
/// shows how many elements or code units are omitted. If the elements of an array have size 0, only the first element
/// is shown. The [type][dev.arenakit.layout.type.ColumnTableFormat#type] of a table of columns shows the rows of a segment
/// that begins with a table.
///
/// The size is not limited, because the text is written as it is produced. On the heap, a dump needs a buffer of at
/// most 64 KiB, and the bytes of at most one struct. Runs of structs that are zero can be combined ([#withZeroRuns]). A
/// [StructVisitor] produces other formats than text ([#visit(ExtentSource, StructVisitor)]). Indices and offsets are
/// relative to the beginning of the segment or source.
///
/// A dump only reads memory, at the offsets and in the byte orders of the type, aligned or not, and needs no native
/// access. The calling thread accesses the segment. Exceptions of the access are passed to the caller, for example if
/// the arena is closed, or confined to another thread.
///
/// Objects of this class are immutable; methods whose names begin with `with` return a changed copy.
///
/// {@snippet file="dev/arenakit/dump/LayoutDumpExample.java" region="example"}
public final class LayoutDump {
    /// Suits a debugger or a log.
    private static final long TO_STRING_LIMIT = 64;
    /// The largest struct that is assembled on the heap. It fits the heap of a small tool.
    private static final long MAX_ASSEMBLED_SIZE = 1 << 26;

    private enum Option {
        /// Each field has a line.
        LINES,
        /// Each field has a line with its offset.
        OFFSETS,
        /// Each field has a line with its bytes.
        BYTES,
        /// Arrays and texts are shown in full.
        EVERY_ELEMENT,
        /// Consecutive structs that are zero are one line.
        ZERO_RUNS
    }

    private final StructType struct;
    private final long first;
    private final long count;
    private final Set<Option> options;
    private final ToLongFunction<String> bases;

    private LayoutDump(StructType struct, long first, long count, Set<Option> options,
            ToLongFunction<String> bases) {
        this.bases = bases;
        this.struct = struct;
        this.first = first;
        this.count = count;
        this.options = options;
    }

    /// Returns a dump of structs, each in one line.
    ///
    /// @param struct the type of the structs
    /// @return a dump of all structs in a segment or a source
    public static LayoutDump of(StructType struct) {
        return new LayoutDump(Objects.requireNonNull(struct, "struct"), 0, Long.MAX_VALUE, Set.of(),
                _ -> Long.MAX_VALUE);
    }

    /// Begins at the struct with the given index.
    ///
    /// @param index the index of the first struct that is shown
    /// @return a dump that begins at that struct, and is empty if there are no more than `index` structs
    /// @throws IllegalArgumentException if the index is negative
    public LayoutDump withFirst(long index) {
        return new LayoutDump(struct, notNegative("index", index), count, options, bases);
    }

    /// Ends after a number of structs. Structs in runs count too ([#withZeroRuns]).
    ///
    /// @param count the largest number of structs
    /// @return a dump of at most that many structs
    /// @throws IllegalArgumentException if the number is negative
    public LayoutDump withCount(long count) {
        return new LayoutDump(struct, first, notNegative("count", count), options, bases);
    }

    /// Marks references to structs that are not within the memory that they point into. Without these sizes, a dump
    /// marks only references that are misaligned or point into a struct.
    ///
    /// @param byteSizes returns the size of the allocation with the given name in bytes, or of the memory that is shown
    ///                  for ""; [Long#MAX_VALUE] if it is unknown, and 0 if there is no such allocation
    /// @return a dump that marks references beyond the ends
    public LayoutDump withBases(ToLongFunction<String> byteSizes) {
        return new LayoutDump(struct, first, count, options, Objects.requireNonNull(byteSizes, "byteSizes"));
    }

    /// Shows each field in a separate line, and indents the fields of nested structs.
    ///
    /// @return a dump with a line for each field
    public LayoutDump withLines() {
        return with(Option.LINES);
    }

    /// Shows each field in a separate line, with its offset in the segment or source.
    ///
    /// @return a dump with offsets in bytes, in hexadecimal
    public LayoutDump withOffsets() {
        return with(Option.OFFSETS);
    }

    /// Shows each field in a separate line, with at most 8 bytes of the field.
    ///
    /// @return a dump with bytes, in hexadecimal
    public LayoutDump withBytes() {
        return with(Option.BYTES);
    }

    /// Shows all elements of arrays, and texts in full.
    ///
    /// @return a dump that shortens no field
    public LayoutDump withEveryElement() {
        return with(Option.EVERY_ELEMENT);
    }

    /// Shows two or more consecutive structs in one line if all their bytes are zero: `[3..1048575] zeros`. The zeros
    /// may be data or extents of zeros ([ExtentSource.Sink#zeros]). An extent of zeros of any length takes constant
    /// time. A struct that is cut off is not part of a run.
    ///
    /// {@snippet file="dev/arenakit/dump/LayoutDumpExample.java" region="stream"}
    ///
    /// @return a dump in which memory that was never written takes one line
    public LayoutDump withZeroRuns() {
        return with(Option.ZERO_RUNS);
    }

    /// Prints the structs of a segment.
    ///
    /// @param segment the segment
    /// @param out     the stream for the text in UTF-8, whose lines end with a line feed; it is flushed, not closed
    /// @throws IOException if the stream throws an `IOException`
    public void print(MemorySegment segment, OutputStream out) throws IOException {
        Utf8Buffer text = new Utf8Buffer(out);
        visit(segment, printer(text));
        text.flush();
        out.flush();
    }

    /// Prints the structs of a source.
    ///
    /// @param source the source
    /// @param out    the stream for the text in UTF-8, whose lines end with a line feed; it is flushed, not closed
    /// @throws IOException              if the source or the stream throws an `IOException`
    /// @throws IllegalArgumentException if a struct is larger than 64 MiB
    public void print(ExtentSource source, OutputStream out) throws IOException {
        Utf8Buffer text = new Utf8Buffer(out);
        visit(source, printer(text));
        text.flush();
        out.flush();
    }

    /// Appends the structs of a segment as text.
    ///
    /// @param segment the segment
    /// @param text    the appendable for the text, whose lines end with a line feed
    /// @throws IOException if the appendable throws an `IOException`
    public void append(MemorySegment segment, Appendable text) throws IOException {
        print(segment, new AppendableOutputStream(text));
    }

    /// Appends the structs of a source as text.
    ///
    /// @param source the source
    /// @param text   the appendable for the text, whose lines end with a line feed
    /// @throws IOException              if the source or the appendable throws an `IOException`
    /// @throws IllegalArgumentException if a struct is larger than 64 MiB
    public void append(ExtentSource source, Appendable text) throws IOException {
        print(source, new AppendableOutputStream(text));
    }

    /// Passes the structs of a segment to a visitor.
    ///
    /// @param segment the segment
    /// @param visitor the visitor
    /// @throws IOException if the visitor throws an `IOException`
    public void visit(MemorySegment segment, StructVisitor visitor) throws IOException {
        Optional<StructType> row = ColumnTableFormat.recordedRow(struct);
        if (row.isPresent()) {
            new LayoutDump(row.get(), first, count, options, bases)
                    .visit(rows(ColumnTableFormat.of(row.get()), segment), visitor);
            return;
        }
        DecoderContext context = context(visitor);
        if (struct.byteSize() == 0) {
            visitEmpty(context);
            return;
        }
        long skip = Math.min(bytesOf(first), segment.byteSize());
        MemorySegment wanted = segment.asSlice(skip, Math.min(bytesOf(count), segment.byteSize() - skip));
        ZeroRuns runs = runs(context);
        runs.finish(wanted.asSlice(runs.decode(wanted, 0)));
    }

    /// The rows of a table. A dump skips and passes whole rows.
    private static ExtentSource rows(ColumnTableFormat table, MemorySegment memory) {
        long capacity = table.check(memory);
        long byteSize = table.row().byteSize();
        return (sink, skip, limit) -> {
            MemorySegment row = MemorySegment.ofArray(new byte[Math.toIntExact(byteSize)]);
            long from = Math.min(skip / byteSize, ColumnTableFormat.count(memory));
            long end = from + Math.min(limit / byteSize, ColumnTableFormat.count(memory) - from);
            for (long i = from; i < end; i++) {
                for (ColumnTableFormat.Column column : table.columns()) {
                    column.copyToRows(memory, column.byteOffset(capacity, i), 1, row, byteSize);
                }
                sink.data(row);
            }
            return from * byteSize;
        };
    }

    /// Passes the structs of a source to a visitor.
    ///
    /// A struct within one extent of the source is decoded in place. A struct that spans several extents is first
    /// assembled on the heap, which limits its size to 64 MiB. Larger structs can be dumped from a segment.
    ///
    /// @param source  the source
    /// @param visitor the visitor
    /// @throws IOException              if the source or the visitor throws an `IOException`
    /// @throws IllegalArgumentException if a struct is larger than 64 MiB
    public void visit(ExtentSource source, StructVisitor visitor) throws IOException {
        if (struct.byteSize() > MAX_ASSEMBLED_SIZE) {
            throw new IllegalArgumentException("Struct is too large to be dumped from a source: struct="
                    + struct.name() + ", byteSize=" + struct.byteSize() + ", limit=" + MAX_ASSEMBLED_SIZE
                    + "; map the bytes and dump the segment");
        }
        DecoderContext context = context(visitor);
        if (struct.byteSize() == 0) {
            visitEmpty(context);
        } else if (count > 0) {
            StructAssembler assembler = new StructAssembler(runs(context), (int) struct.byteSize());
            source.transferTo(assembler, bytesOf(first), bytesOf(count));
            assembler.finish();
        }
    }

    /// Returns the dump of the first 64 structs of a segment, for debuggers and logs. If the segment has more structs,
    /// a last line says how many are left out.
    ///
    /// @param segment the segment
    /// @return the text, whose lines end with a line feed
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

    private DecoderContext context(StructVisitor visitor) {
        return new DecoderContext(struct, visitor, options.contains(Option.EVERY_ELEMENT), bases);
    }

    private ZeroRuns runs(DecoderContext context) {
        return new ZeroRuns(context, struct.byteSize(), first, options.contains(Option.ZERO_RUNS));
    }

    /// Any segment or source contains exactly one struct of size 0.
    private void visitEmpty(DecoderContext context) throws IOException {
        if (first == 0 && count > 0) {
            context.decode(0, MemorySegment.NULL);
        }
    }

    private StructTextPrinter printer(Utf8Buffer text) {
        return new StructTextPrinter(text, new StructTextColumns(text, options.contains(Option.LINES),
                options.contains(Option.OFFSETS), options.contains(Option.BYTES)));
    }

    /// The size of the given number of structs, at most [Long#MAX_VALUE].
    private long bytesOf(long structs) {
        return structs > Long.MAX_VALUE / struct.byteSize() ? Long.MAX_VALUE : structs * struct.byteSize();
    }

    private LayoutDump with(Option option) {
        Set<Option> more = EnumSet.of(option);
        more.addAll(options);
        return new LayoutDump(struct, first, count, Collections.unmodifiableSet(more), bases);
    }

    /// The number of structs in a segment, including a last struct that is cut off; 1 if a struct has size 0.
    private long count(MemorySegment segment) {
        if (ColumnTableFormat.recordedRow(struct).isPresent()) {
            return ColumnTableFormat.count(segment);
        }
        return struct.byteSize() == 0 ? 1 : Math.ceilDiv(segment.byteSize(), struct.byteSize());
    }

    private static long notNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException("Negative " + name + ": " + name + "=" + value);
        }
        return value;
    }
}
