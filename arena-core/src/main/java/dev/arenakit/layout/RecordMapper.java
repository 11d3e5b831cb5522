package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.Spliterator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Reads records of one class from memory and writes them there, as structs that stand one after the other in a segment.
///
/// ```java
/// record Point(int x, int y) {}
///
/// RecordMapper<Point> points = RecordMapper.of(Point.class);
/// MemorySegment segment = points.allocate(arena, 1000);
/// points.set(segment, 7, new Point(3, 4));
/// Point point = points.get(segment, 7);
/// ```
///
/// | a component of type | is in memory |
/// |---|---|
/// | a primitive type | that type; a `boolean` is a byte, a `char` 16 bits |
/// | another record | a nested struct |
/// | an array of primitives, enums, records or addresses, with [Length] | an array |
/// | `String`, with [Length] and perhaps [Encoding] | text, with a NUL behind it where it is shorter |
/// | an enum | an `int` or what [ByteSize] says: the constant's ordinal or [Value] |
/// | `MemorySegment` | an address; what is read has the size that [TargetByteSize] says, or 0 |
/// | a sealed interface of records, with [Union] | a union |
///
/// A struct of C with an enum, text, an array of structs and a union, and the records for it:
///
/// ```java
/// // enum kind { CIRCLE = 1, SQUARE = 2 };
/// // struct figure { enum kind kind; char name[16]; struct point corners[4];
/// //                 union { struct circle circle; struct square square; } shape; };
/// enum Kind { @Value(1) CIRCLE, @Value(2) SQUARE }
/// sealed interface Shape permits Circle, Square {}
/// record Circle(double radius) implements Shape {}
/// record Square(double side) implements Shape {}
/// record Figure(Kind kind, @Length(16) String name, @Length(4) Point[] corners, @Union("kind") Shape shape) {}
/// ```
///
/// Unsigned integers of C are the signed types of the same size: `Integer.toUnsignedLong` and its like read them. An array of
/// arrays or of texts takes a record around the inner one, a scalar in a union a record of one component, bit fields an
/// integer. A union without an integer or enum beside it that tells which member is valid is no component: make it with
/// [UnionType#of], and see it through a view.
///
/// The struct is laid out as a C compiler would: each component at a multiple of its alignment, the size a multiple of the
/// largest. [Order], [Align], [Packed] and [Name] say otherwise. Alignment is checked, so that a struct which is not packed
/// needs native memory, or for instance a `long[]` on the heap.
///
/// A record that is refused changes nothing: all components are read from it and checked before the first byte is written. The
/// write itself is not atomic, neither for other threads nor when the process dies. Null, text or an array that does not fit, a segment on the heap as an address, and a record of a union that is not
/// the one told by its companion are refused. Holes are left as they are, but become 0 within arrays of records, and within
/// nested records where there are too many components for one method, as told below.
///
/// What is read is checked likewise: the constructor of the record runs, and a number that stands for no constant of an enum or no
/// record of a union, or text that is malformed, is an [IllegalArgumentException]. Other exceptions are those of
/// [MemorySegment], with index, size and layout named.
///
/// A mapper costs what VarHandles in `static final` fields cost, wherever the mapper itself is held: its class is made for the
/// record, so that all is constant there. Where mappers of more than two record classes come through one call, the call
/// is no longer inlined. A record of primitive values that does not escape is not allocated.
///
/// That holds for up to 40 components, those of nested records and of all records of a union among them. Beyond, they are
/// handled in groups, as objects: 64 ints take about 0.2 µs to read and 0.1 µs to write. Above 64 slots of arguments, where
/// `long` and `double` take two, the JIT does not compile the constructor either: 253 ints take about 3 µs to read and 1 µs to
/// write. Where that matters, nest records, so that no constructor has as many, or read single components by [#field] or a view.
///
/// Mappers are immutable and safe for use by several threads; the access to memory is plain, without order among threads, as
/// [LongField] and [IntField] have it. There is one mapper for a record class, which lives as long as the class.
///
/// @param <R> the record class
public abstract class RecordMapper<R> {
    private final StructType type;
    private final StructLayout layout;
    private final MapperParts<R> parts = new MapperParts<>(this);

    RecordMapper(StructType type) {
        this.type = type;
        this.layout = type.layout();
    }

    /// A mapper of a record class that is within reach: on the class path, or public in a package that its module exports, or
    /// in a package that its module opens.
    ///
    /// @param type the record class
    /// @param <R>  the record class
    /// @return the mapper
    /// @throws IllegalArgumentException naming class, component and remedy: when the class is no record, contains itself, has a
    ///                                  component that has no form in memory, lacks a length, has annotations that contradict
    ///                                  each other, or is out of reach
    /// @throws IllegalCallerException   when a component has [TargetByteSize] and native access is denied
    public static <R> RecordMapper<R> of(Class<R> type) {
        return MapperCache.of(Objects.requireNonNull(type, "type"), RecordAccess.own());
    }

    /// A mapper of a record class that a Lookup reaches.
    ///
    /// @param lookup `MethodHandles.lookup()` in a class that may call the constructor of the record
    /// @param type   the record class
    /// @param <R>    the record class
    /// @return the mapper
    /// @throws IllegalArgumentException as [#of(Class)]
    /// @throws IllegalCallerException   as [#of(Class)]
    public static <R> RecordMapper<R> of(MethodHandles.Lookup lookup, Class<R> type) {
        return MapperCache.of(Objects.requireNonNull(type, "type"),
                RecordAccess.with(Objects.requireNonNull(lookup, "lookup")));
    }

    /// {@return the struct that the record is}
    public final StructType type() {
        return type;
    }

    /// {@return the JDK's layout of the struct}
    public final StructLayout layout() {
        return layout;
    }

    /// {@return the size of a struct in bytes, which is also the distance of one to the next}
    public abstract long byteSize();

    /// Reads a record.
    ///
    /// @param segment where the structs stand
    /// @param index   the number of structs before it in the segment
    /// @return the record
    /// @throws IndexOutOfBoundsException when the struct is not within the segment
    /// @throws IllegalArgumentException  when the segment is misaligned, or memory holds what the record cannot
    public abstract R get(MemorySegment segment, long index);

    /// Writes a record, in full or not at all.
    ///
    /// @param segment where the structs stand
    /// @param index   the number of structs before it in the segment
    /// @param record  the record
    /// @throws IndexOutOfBoundsException when the struct is not within the segment
    /// @throws IllegalArgumentException  when the segment is misaligned or read-only, or a component does not fit
    public abstract void set(MemorySegment segment, long index, R record);

    /// Reads the record that begins at an offset.
    ///
    /// @param segment    where the struct stands
    /// @param byteOffset the offset in bytes
    /// @return the record
    /// @throws IndexOutOfBoundsException when the struct is not within the segment
    /// @throws IllegalArgumentException  as [#get]
    public abstract R getAt(MemorySegment segment, long byteOffset);

    /// Writes a record so that it begins at an offset, in full or not at all.
    ///
    /// @param segment    where the struct shall stand
    /// @param byteOffset the offset in bytes
    /// @param record     the record
    /// @throws IndexOutOfBoundsException when the struct is not within the segment
    /// @throws IllegalArgumentException  as [#set]
    public abstract void setAt(MemorySegment segment, long byteOffset, R record);

    /// Memory for a number of records.
    ///
    /// @param allocator where it is allocated
    /// @param count     how many records
    /// @return a segment of their size, aligned as the layout asks for
    public final MemorySegment allocate(SegmentAllocator allocator, long count) {
        return Objects.requireNonNull(allocator, "allocator").allocate(layout, count);
    }

    /// The records of a segment as a list. It reads and writes through to memory, and its size does not change.
    ///
    /// [List#set] returns the record that was there, and so fails where memory holds what the record cannot, such as zeros
    /// where no constant of an enum is 0: write there by [#set] or [#fill] first.
    ///
    /// @param segment where the structs stand
    /// @return the list
    /// @throws IllegalArgumentException when the size of the segment is no multiple of the struct's, or has too many records for
    ///                                  a list
    public final List<R> list(MemorySegment segment) {
        long count = countIn(segment);
        if (count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("Segment has more records than a list: count=" + count + ", layout="
                    + type.name() + "; use stream, or a slice");
        }
        return parts.list(segment);
    }

    /// The records of a segment as a stream. A parallel stream takes a segment that all threads may access.
    ///
    /// @param segment where the structs stand
    /// @return the stream
    /// @throws IllegalArgumentException when the size of the segment is no multiple of the struct's
    public final Stream<R> stream(MemorySegment segment) {
        return StreamSupport.stream(spliterator(segment), false);
    }

    /// The records of a segment in their order; the number of them is known, and of each part as well.
    ///
    /// @param segment where the structs stand
    /// @return the spliterator
    /// @throws IllegalArgumentException when the size of the segment is no multiple of the struct's
    public final Spliterator<R> spliterator(MemorySegment segment) {
        return parts.spliterator(segment, countIn(segment));
    }

    /// Copies records as bytes, holes and all. The ranges may overlap.
    ///
    /// @param from      where the records are
    /// @param fromIndex the first of them
    /// @param to        where they shall be
    /// @param toIndex   the place of the first
    /// @param count     how many
    /// @throws IndexOutOfBoundsException when one of the ranges is not within its segment
    public final void copy(MemorySegment from, long fromIndex, MemorySegment to, long toIndex, long count) {
        checkRange(Objects.requireNonNull(from, "from"), fromIndex, count);
        checkRange(Objects.requireNonNull(to, "to"), toIndex, count);
        if (count == 0) {
            AccessFailures.checkScope(this, from, fromIndex);
            AccessFailures.checkScope(this, to, toIndex);
        }
        try {
            MemorySegment.copy(from, fromIndex * byteSize(), to, toIndex * byteSize(), count * byteSize());
        } catch (RuntimeException e) {
            RuntimeException ofTarget = AccessFailures.ofCopy(e, this, to, toIndex, count);
            throw !ofTarget.equals(e) ? ofTarget : AccessFailures.ofCopy(e, this, from, fromIndex, count);
        }
    }

    /// Writes one record to every place in a segment.
    ///
    /// @param segment where the structs stand
    /// @param record  the record
    /// @throws IllegalArgumentException when the size of the segment is no multiple of the struct's, or as [#set]
    public final void fill(MemorySegment segment, R record) {
        fill(segment, 0, countIn(segment), record);
    }

    /// Writes one record to a range of places.
    ///
    /// @param segment   where the structs stand
    /// @param fromIndex the first place
    /// @param count     how many
    /// @param record    the record
    /// @throws IndexOutOfBoundsException when the range is not within the segment
    /// @throws IllegalArgumentException  as [#set]
    public final void fill(MemorySegment segment, long fromIndex, long count, R record) {
        checkRange(Objects.requireNonNull(segment, "segment"), fromIndex, count);
        if (count == 0) {
            Objects.requireNonNull(record, "record");
            copy(segment, fromIndex, segment, fromIndex, 0);
            return;
        }
        set(segment, fromIndex, record);
        long done = 1;
        while (done < count) {
            long next = Math.min(done, count - done);
            copy(segment, fromIndex, segment, fromIndex + done, next);
            done += next;
        }
    }

    /// A place within the struct.
    ///
    /// @param path names of members as [#type] has them, from the outermost on, and indices: `price`, `header.size`,
    ///             `points[3].x`
    /// @return the place
    /// @throws IllegalArgumentException when there is no such place
    public final Field field(String path) {
        return Field.of(type, layout, path);
    }

    /// Typed access to a `long`. It is made once for a path, and lives as long as the mapper.
    ///
    /// @param path as in [#field]
    /// @return the access
    /// @throws IllegalArgumentException when there is no such place, or another type stands there
    public final LongField longField(String path) {
        return parts.longField(path);
    }

    /// Typed access to an `int`. It is made once for a path, and lives as long as the mapper.
    ///
    /// @param path as in [#field]
    /// @return the access
    /// @throws IllegalArgumentException when there is no such place, or another type stands there
    public final IntField intField(String path) {
        return parts.intField(path);
    }

    @Override
    public final String toString() {
        return "RecordMapper of " + type.name() + " (" + byteSize() + " bytes)";
    }

    private long countIn(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        if (segment.byteSize() % byteSize() != 0) {
            throw new IllegalArgumentException("Segment is no multiple of the layout: segment.byteSize="
                    + segment.byteSize() + ", layout=" + type.name() + ", layout.byteSize=" + byteSize()
                    + "; take a slice of the records alone");
        }
        return segment.byteSize() / byteSize();
    }

    private void checkRange(MemorySegment segment, long index, long count) {
        long present = segment.byteSize() / byteSize();
        if (index < 0 || count < 0 || index > present - count) {
            throw new IndexOutOfBoundsException("Range is not within the segment: index=" + index + ", count=" + count
                    + ", layout=" + type.name() + ", layout.byteSize=" + byteSize() + ", segment.byteSize="
                    + segment.byteSize() + ", segment.count=" + present);
        }
    }
}
