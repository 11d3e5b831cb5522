package dev.arenakit.layout;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.Spliterator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Reads and writes records of one class as structs in memory.
///
/// ```java
/// record Point(int x, int y) {}
///
/// static final RecordMapper<Point> POINTS = RecordMapper.of(Point.class);
///
/// MemorySegment segment = POINTS.allocate(arena, 1000);
/// POINTS.setAtIndex(segment, 7, new Point(3, 4));
/// Point point = POINTS.getAtIndex(segment, 7);
/// ```
///
/// A mapper locates a struct in a segment as [MemorySegment] locates a value: `get` and `set` take an offset in bytes,
/// `getAtIndex` and `setAtIndex` take the index of a struct in a segment of consecutive structs.
///
/// In a module, use `RecordMapper.of(lookup(), Point.class)`, where `lookup` is [MethodHandles#lookup]. The form
/// without a Lookup supports records on the class path, public records in exported packages, and records in open
/// packages.
///
/// ## Layout
///
/// | Type of the component | Member of the struct |
/// |---|---|
/// | a primitive type | a value of that type; a `boolean` has 8 bits, a `char` 16 |
/// | a record | a nested struct |
/// | an array of primitives, enums, records or addresses, with [Length] | an array |
/// | `String`, with [Length] and optionally [Encoding] | text, which ends at the first NUL or at the end of the array |
/// | an enum | an integer of 4 bytes, or of the size in [ByteSize]: the ordinal of the constant, or its [Value] |
/// | `MemorySegment` | an address; a segment that is read has the size in [TargetByteSize], or 0 |
/// | a sealed interface of records, with [Union] | a union |
///
/// Members are laid out as by a C compiler: the offset of each member is a multiple of its alignment, and the size of
/// the struct is a multiple of the largest alignment. [Order], [Align], [Packed] and [Name] change byte order,
/// alignment, padding and names. This C struct has an enum, text, an array of structs and a union:
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
/// Some C declarations need a different declaration in Java:
///
/// - an unsigned integer is the signed type of the same size; methods such as [Integer#toUnsignedLong] convert it;
/// - an array of arrays, or of texts, is an array of a record that contains the inner array or text;
/// - a scalar in a union is a record with one component;
/// - bit fields are one integer;
/// - a union whose valid member is not identified by an integer or enum of the same record cannot be a component:
///   create it with [UnionType#of] and access it through a view.
///
/// ## Checks
///
/// The struct must be within the segment, and its address must be a multiple of its alignment. A struct that is not
/// packed therefore requires native memory or a suitable array, for example a `long[]`. The mapper throws the same
/// exceptions as [MemorySegment]; their messages contain index, size and layout.
///
/// A write checks all components before it changes the first byte. It fails for null, for text or an array that does
/// not fit, for a heap segment as an address, and for a record of a union that does not match its discriminator. A
/// write is not atomic with respect to other threads or to the death of the process. It does not change padding, except
/// that padding becomes 0 in arrays of records and in nested records that are copied as a whole (see below).
///
/// A read invokes the constructor of the record. It throws an [IllegalArgumentException] if a number is not the value
/// of a constant or of a record of a union, or if text is malformed.
///
/// ## Threads
///
/// Mappers are immutable and can be used by any thread. There is one mapper for a record class, and it lives as long as
/// the class. All accesses are plain; [IntField] and [LongField] offer the other access modes.
///
/// ## Performance
///
/// The implementation is a class that is generated for the record. An access costs what VarHandles in `static final`
/// fields cost, wherever the mapper is held. A call site that uses mappers of more than two record classes is not
/// inlined. A record of primitive values that does not escape is not allocated.
///
/// This applies to records of up to 40 components, which include the components of nested records and of all records of
/// a union. Larger records are processed in groups, and nested records in them are copied as a whole: 64 ints take
/// about 0.2 µs to read and 0.1 µs to write. The JIT compiler does not compile a constructor with more than 64 argument
/// slots, where `long` and `double` take two: 253 ints take about 3 µs to read and 1 µs to write. To avoid this, nest
/// records so that no constructor has that many arguments, or access single components with [#field] or a view.
///
/// @param <R> the record class
public abstract class RecordMapper<R> {
    private final StructType type;
    private final StructLayout layout;
    private final RecordTemplates<R> templates = new RecordTemplates<>(this);

    RecordMapper(StructType type) {
        this.type = type;
        this.layout = type.layout();
    }

    /// Returns the mapper of a record class that is accessible to this library: on the class path, public in a package
    /// that its module exports, or in a package that its module opens.
    ///
    /// @param type the record class
    /// @param <R>  the record class
    /// @return the mapper
    /// @throws IllegalArgumentException if the class is not a record, contains itself, is not accessible, has a
    ///                                  component that cannot be mapped, lacks a [Length], or has contradictory
    ///                                  annotations; the message contains class, component and remedy
    /// @throws IllegalCallerException   if a component has [TargetByteSize] and native access is denied
    public static <R> RecordMapper<R> of(Class<R> type) {
        return RecordMapperCache.of(Objects.requireNonNull(type, "type"), UserLookup.none());
    }

    /// Returns the mapper of a record class that is accessible to a Lookup.
    ///
    /// @param lookup `MethodHandles.lookup()` in a class that can invoke the constructor of the record
    /// @param type   the record class
    /// @param <R>    the record class
    /// @return the mapper
    /// @throws IllegalArgumentException as in [#of(Class)]
    /// @throws IllegalCallerException   as in [#of(Class)]
    public static <R> RecordMapper<R> of(MethodHandles.Lookup lookup, Class<R> type) {
        return RecordMapperCache.of(Objects.requireNonNull(type, "type"),
                UserLookup.of(Objects.requireNonNull(lookup, "lookup")));
    }

    /// {@return the struct type of the record}
    public final StructType type() {
        return type;
    }

    /// {@return the layout of the struct}
    public final StructLayout layout() {
        return layout;
    }

    /// {@return the size of the struct in bytes, which is also the distance between consecutive structs}
    public abstract long byteSize();

    /// Reads the record at an offset.
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @return the record
    /// @throws IndexOutOfBoundsException if the struct is not within the segment
    /// @throws IllegalArgumentException  if the struct is misaligned, or if the bytes in memory have no meaning for a
    ///                                   component
    public abstract R get(MemorySegment segment, long byteOffset);

    /// Reads the record at an index.
    ///
    /// @param segment the segment
    /// @param index   the index of the struct
    /// @return the record
    /// @throws IndexOutOfBoundsException if the struct is not within the segment
    /// @throws IllegalArgumentException  if the struct is misaligned, or if the bytes in memory have no meaning for a
    ///                                   component
    public abstract R getAtIndex(MemorySegment segment, long index);

    /// Writes a record at an offset. If this method throws, no byte has been written.
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @param record     the record
    /// @throws IndexOutOfBoundsException if the struct is not within the segment
    /// @throws IllegalArgumentException  if the struct is misaligned, the segment is read-only, or a component does not
    ///                                   fit
    public abstract void set(MemorySegment segment, long byteOffset, R record);

    /// Writes a record at an index. If this method throws, no byte has been written.
    ///
    /// @param segment the segment
    /// @param index   the index of the struct
    /// @param record  the record
    /// @throws IndexOutOfBoundsException if the struct is not within the segment
    /// @throws IllegalArgumentException  if the struct is misaligned, the segment is read-only, or a component does not
    ///                                   fit
    public abstract void setAtIndex(MemorySegment segment, long index, R record);

    /// Allocates memory for a number of structs.
    ///
    /// @param allocator the allocator
    /// @param count     the number of structs
    /// @return a segment of that many structs, aligned as the layout requires; its content is what the allocator
    ///         provides
    /// @throws IllegalArgumentException if the count is negative
    public final MemorySegment allocate(SegmentAllocator allocator, long count) {
        return SegmentChecks.allocate(allocator, type, layout, count);
    }

    /// Returns a list view of the records in a segment. The list reads and writes memory directly, and its size is
    /// fixed.
    ///
    /// [List#set] reads the previous record in order to return it. It fails if the bytes in memory have no meaning for
    /// a component, for example zeros for an enum without a constant of value 0. Use [#setAtIndex] or [#fill] for the
    /// first write.
    ///
    /// @param segment the segment
    /// @return the list
    /// @throws IllegalArgumentException if the size of the segment is not a multiple of the size of the struct, or if
    ///                                  the segment contains more than [Integer#MAX_VALUE] structs
    public final List<R> list(MemorySegment segment) {
        long count = SegmentChecks.count(segment, type);
        if (count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("Segment has more records than a list: count=" + count + ", layout="
                    + type.name() + "; use stream, or a slice");
        }
        return templates.list(segment);
    }

    /// Returns a sequential stream of the records in a segment. A parallel stream requires a segment that all threads
    /// may access.
    ///
    /// @param segment the segment
    /// @return the stream
    /// @throws IllegalArgumentException if the size of the segment is not a multiple of the size of the struct
    public final Stream<R> stream(MemorySegment segment) {
        return StreamSupport.stream(spliterator(segment), false);
    }

    /// Returns a spliterator over the records in a segment. It is ordered, sized and subsized.
    ///
    /// @param segment the segment
    /// @return the spliterator
    /// @throws IllegalArgumentException if the size of the segment is not a multiple of the size of the struct
    public final Spliterator<R> spliterator(MemorySegment segment) {
        return templates.spliterator(segment, SegmentChecks.count(segment, type));
    }

    /// Copies the bytes of consecutive structs, padding included. The ranges may overlap.
    ///
    /// @param from      the source segment
    /// @param fromIndex the index of the first struct in the source
    /// @param to        the target segment
    /// @param toIndex   the index of the first struct in the target
    /// @param count     the number of structs
    /// @throws IndexOutOfBoundsException if one of the ranges is not within its segment
    /// @throws IllegalArgumentException  if the target is read-only
    public final void copy(MemorySegment from, long fromIndex, MemorySegment to, long toIndex, long count) {
        checkRange(Objects.requireNonNull(from, "from"), fromIndex, count);
        checkRange(Objects.requireNonNull(to, "to"), toIndex, count);
        if (count == 0) {
            AccessExceptions.checkScope(this, from, fromIndex);
            AccessExceptions.checkScope(this, to, toIndex);
        }
        try {
            MemorySegment.copy(from, fromIndex * byteSize(), to, toIndex * byteSize(), count * byteSize());
        } catch (RuntimeException e) {
            RuntimeException ofTarget = AccessExceptions.ofCopy(e, this, to, toIndex, count);
            throw !ofTarget.equals(e) ? ofTarget : AccessExceptions.ofCopy(e, this, from, fromIndex, count);
        }
    }

    /// Writes one record to every index of a segment.
    ///
    /// @param segment the segment
    /// @param record  the record
    /// @throws IllegalArgumentException if the size of the segment is not a multiple of the size of the struct, or as
    ///                                  in [#setAtIndex]
    public final void fill(MemorySegment segment, R record) {
        fill(segment, 0, SegmentChecks.count(segment, type), record);
    }

    /// Writes one record to a range of indices.
    ///
    /// @param segment   the segment
    /// @param fromIndex the first index
    /// @param count     the number of structs
    /// @param record    the record
    /// @throws IndexOutOfBoundsException if the range is not within the segment
    /// @throws IllegalArgumentException  as in [#setAtIndex]
    public final void fill(MemorySegment segment, long fromIndex, long count, R record) {
        checkRange(Objects.requireNonNull(segment, "segment"), fromIndex, count);
        if (count == 0) {
            Objects.requireNonNull(record, "record");
            copy(segment, fromIndex, segment, fromIndex, 0);
            return;
        }
        setAtIndex(segment, fromIndex, record);
        long done = 1;
        while (done < count) {
            long next = Math.min(done, count - done);
            copy(segment, fromIndex, segment, fromIndex + done, next);
            done += next;
        }
    }

    /// Returns the field at a path.
    ///
    /// @param path the names of members, as in [#type], from the outermost member, and indices of arrays: `price`,
    ///             `header.size`, `points[3].x`
    /// @return the field
    /// @throws IllegalArgumentException if there is no such field
    public final Field field(String path) {
        return Field.of(type, layout, path);
    }

    /// Returns an object that accesses a field of type `long`. There is one object for each path, and it lives as long
    /// as the mapper.
    ///
    /// @param path the path, as in [#field]
    /// @return the access
    /// @throws IllegalArgumentException if there is no such field, or if its type is not `long`
    public final LongField longField(String path) {
        return templates.longField(path);
    }

    /// Returns an object that accesses a field of type `int`. There is one object for each path, and it lives as long
    /// as the mapper.
    ///
    /// @param path the path, as in [#field]
    /// @return the access
    /// @throws IllegalArgumentException if there is no such field, or if its type is not `int`
    public final IntField intField(String path) {
        return templates.intField(path);
    }

    @Override
    public final String toString() {
        return "RecordMapper of " + type.name() + " (" + byteSize() + " bytes)";
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
