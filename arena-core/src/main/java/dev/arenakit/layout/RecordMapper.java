package dev.arenakit.layout;

import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.record.RecordMappers;
import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.In;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.annotation.Value;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandles;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

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
/// `getAtIndex` and `setAtIndex` take the index of a struct in a segment of consecutive structs. Without an offset,
/// `get` and `set` access the struct at the beginning of a segment:
///
/// ```java
/// MemorySegment origin = POINTS.allocate(arena);
/// POINTS.set(origin, new Point(0, 0));
/// ```
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
/// | an integer, with [Unsigned] | an unsigned integer of 1 to 8 bytes |
/// | an integer, `boolean` or enum, with [Bits] | a bit field |
/// | a record | a nested struct |
/// | `String`, with [Length] and optionally [Encoding] | text, which ends at the first NUL or at the end of the array |
/// | an enum | an integer of 4 bytes, or of the size in [ByteSize]: the ordinal of the constant, or its [Value] |
/// | `MemorySegment` | an address; a segment that is read has the size in [TargetByteSize], or 0 |
/// | [Ref] or [Ref32], optionally with [In] | a reference: the offset of a struct in memory |
/// | a sealed interface of records, with [Union] | a union |
/// | an array of any of these but bit fields and unions, with [Length] | an array, or an array of arrays |
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
/// - a scalar in a union is a record with one component;
/// - a union whose valid member is not identified by an integer or enum of the same record, or of a record nested in
///   it, is a `byte[]` with [Union#of()]. A field such as `EVENTS.longField("data.u64")` accesses one member, and so
///   does a view over [#type()].
///
/// [#of(Class, StructType)] maps a record to a struct that is given, for example one that was stored as text.
///
/// ## Checks
///
/// The struct must be within the segment, and its address must be a multiple of its alignment. A struct that is not
/// packed therefore requires native memory or a suitable array, for example a `long[]`. The mapper throws the same
/// exceptions as [MemorySegment]; their messages contain index, size and layout.
///
/// A write checks all components before it changes the first byte. It fails for null, for an integer, text or array
/// that does not fit, for a heap segment as an address, for a constant with [Otherwise], and for a record of a union
/// that does not match its discriminator. A write is not atomic with respect to other threads, to the death of the
/// process, or to a [VirtualMachineError]: if stack or heap are exhausted during a write, a part of the record may have
/// been written.
///
/// A write does not change padding, nor the bytes after a short record of a union, except that they can become 0 in
/// arrays of records and in large records (see below). The elements of a counted array after its last valid element do
/// not change.
///
/// A read invokes the constructor of the record. It throws an [IllegalArgumentException] if a number is not the value
/// of a constant or of a record of a union, unless one is marked with [Otherwise], or if text is malformed.
///
/// If the last member of a struct is a union, a struct at the end of a segment may be cut off after the valid member of
/// the union. Such an access takes a slow path.
///
/// ## Threads
///
/// Mappers are immutable and can be used by any thread. There is one mapper for a record class, and it lives as long as
/// the class. All accesses are plain; a [Field] offers the other access modes.
///
/// ## Performance
///
/// The implementation is a class that is generated for the record. An access costs about what VarHandles in `static
/// final` fields cost, wherever the mapper is held (see `docs/figures.md`). A write of a single record of more than
/// eight components may take longer, because it reads all components before it changes the first byte. A call site that
/// uses mappers of more than two record classes is not inlined.
///
/// The generated class is in the nest of the record if library and record are on the class path, or if the lookup class
/// is in the module of the record. Otherwise it still creates public records of exported packages by name. It creates
/// other records through MethodHandles: a read then takes up to 1.6 times as long if the record escapes.
///
/// The C2 compiler stops inlining when a method has 18,000 nodes, and each component that is read or written takes some
/// 900 of them, as an access through a VarHandle does. A method with loops over several large records can therefore
/// become ten times slower: move each loop to a method of its own.
///
/// A read reads all components. A component that is not used afterwards costs nothing if the record does not escape and
/// the component is a number, an address or a nested record of these: the record is not allocated, and the value is not
/// read. An enum and a union are looked up, without an allocation. Text and arrays are always read and allocated: to
/// access a single component of such a record, use its field, or a view.
///
/// A large record has more than 32 components, which include the components of nested records and of all records of a
/// union. It is read from an array and written to one, which is copied as a whole: a write allocates memory of the size
/// of the struct. 64 ints take about 50 ns to read and 27 ns to write, 253 ints 310 ns and 115 ns (Temurin 25.0.3,
/// Linux x86-64 on 2 shared virtual CPUs, CPU time, 2026-11-22).
///
/// The first mapper of a process takes the time of loading and generating classes. An AOT cache reduces it: see
/// `-XX:AOTCacheOutput` of Java 25.
///
/// ## Limits
///
/// Mappers generate classes at run time. Some generated classes are copies of class files of this library. Mappers do
/// not work where classes cannot be generated, as in a native image of GraalVM, or where class files were changed or
/// removed by a shrinker.
///
/// @param <R> the record class
public abstract class RecordMapper<R> extends StructMapper<R> {
    private static final ClassTemplate TEMPLATE = new ClassTemplate(MethodHandles.lookup(), RecordMapperTemplate.class);

    RecordMapper(StructType type, Class<?> inJava) {
        super(type, inJava);
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
        return mapper(type, Optional.empty(), UserLookup.none());
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
        return mapper(type, Optional.empty(), UserLookup.of(Objects.requireNonNull(lookup, "lookup")));
    }

    /// Returns the mapper of a record class for a struct that is given, for example one that was stored as text.
    ///
    /// Each component is the member of the same name, in C or in Java. The struct determines offsets, alignment and
    /// byte order, and may have further members, whose bytes do not change when a record is written. Everything else is
    /// as the record declares it: sizes of integers, lengths, encodings, constants of enums, values of discriminators.
    ///
    /// ```java
    /// StructType stored = LayoutText.parse(text);
    /// RecordMapper<Trade> trades = RecordMapper.of(Trade.class, stored);
    /// ```
    ///
    /// There is one mapper for each record class and struct, and it lives as long as the class: do not create structs
    /// without limit.
    ///
    /// @param type   the record class
    /// @param struct the struct
    /// @param <R>    the record class
    /// @return the mapper
    /// @throws IllegalArgumentException as in [#of(Class)], or if the struct lacks a member, or if a member is of
    ///                                  another type; the message contains both
    /// @throws IllegalCallerException   as in [#of(Class)]
    public static <R> RecordMapper<R> of(Class<R> type, StructType struct) {
        return mapper(type, Optional.of(Objects.requireNonNull(struct, "struct")), UserLookup.none());
    }

    /// Returns the mapper of a record class that is accessible to a Lookup, for a struct that is given.
    ///
    /// @param lookup `MethodHandles.lookup()` in a class that can invoke the constructor of the record
    /// @param type   the record class
    /// @param struct the struct, as in [#of(Class, StructType)]
    /// @param <R>    the record class
    /// @return the mapper
    /// @throws IllegalArgumentException as in [#of(Class, StructType)]
    /// @throws IllegalCallerException   as in [#of(Class)]
    public static <R> RecordMapper<R> of(MethodHandles.Lookup lookup, Class<R> type, StructType struct) {
        return mapper(type, Optional.of(Objects.requireNonNull(struct, "struct")),
                UserLookup.of(Objects.requireNonNull(lookup, "lookup")));
    }

    @SuppressWarnings("unchecked") // The mapper of a class creates records of that class.
    private static <R> RecordMapper<R> mapper(Class<R> type, Optional<StructType> struct, UserLookup lookup) {
        return (RecordMapper<R>) mappers(lookup).of(type, struct);
    }

    /// Returns the factory of mappers for records that are accessible to a Lookup.
    static RecordMappers mappers(UserLookup lookup) {
        return new RecordMappers(lookup, TEMPLATE, (type, struct) -> type.isRecord()
                ? mapper(type, struct, lookup).access()
                : ViewMapper.mapper(type, struct, lookup).access());
    }

    /// Reads the record at an offset.
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @return the record
    /// @throws IndexOutOfBoundsException if the struct is not within the segment
    /// @throws IllegalArgumentException  if the struct is misaligned, or if the bytes in memory have no meaning for a
    ///                                   component
    public abstract R get(MemorySegment segment, long byteOffset);

    /// Reads the record at the beginning of a segment, as [#get(MemorySegment, long)] with an offset of 0 does.
    ///
    /// @param segment the segment
    /// @return the record
    public abstract R get(MemorySegment segment);

    /// Reads the record at an index.
    ///
    /// @param segment the segment
    /// @param index   the index of the struct
    /// @return the record
    /// @throws IndexOutOfBoundsException if the struct is not within the segment
    /// @throws IllegalArgumentException  if the struct is misaligned, or if the bytes in memory have no meaning for a
    ///                                   component
    public abstract R getAtIndex(MemorySegment segment, long index);

    /// Writes a record at an offset. If this method throws anything but a [VirtualMachineError], no byte has been
    /// written.
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @param record     the record
    /// @throws IndexOutOfBoundsException if the struct is not within the segment
    /// @throws IllegalArgumentException  if the struct is misaligned, the segment is read-only, or a component does not
    ///                                   fit
    public abstract void set(MemorySegment segment, long byteOffset, R record);

    /// Writes a record at the beginning of a segment, as [#set(MemorySegment, long, Object)] with an offset of 0 does.
    ///
    /// @param segment the segment
    /// @param record  the record
    public abstract void set(MemorySegment segment, R record);

    /// Writes a record at an index. If this method throws anything but a [VirtualMachineError], no byte has been
    /// written.
    ///
    /// @param segment the segment
    /// @param index   the index of the struct
    /// @param record  the record
    /// @throws IndexOutOfBoundsException if the struct is not within the segment
    /// @throws IllegalArgumentException  if the struct is misaligned, the segment is read-only, or a component does not
    ///                                   fit
    public abstract void setAtIndex(MemorySegment segment, long index, R record);

    /// Allocates memory for records, and writes them.
    ///
    /// @param allocator the allocator
    /// @param records   the records
    /// @return a segment of that many structs, aligned as the layout requires; the content of padding is what the
    ///         allocator provides
    /// @throws IllegalArgumentException as in [#setAtIndex]; the memory was allocated before
    @SafeVarargs
    @SuppressWarnings("varargs") // The array is only read.
    public final MemorySegment allocateFrom(SegmentAllocator allocator, R... records) {
        return allocateFrom(allocator, List.of(records));
    }

    /// Allocates memory for the records of a collection, and writes them in the order of its iterator.
    ///
    /// @param allocator the allocator
    /// @param records   the records
    /// @return a segment of that many structs, aligned as the layout requires; the content of padding is what the
    ///         allocator provides
    /// @throws IllegalArgumentException as in [#setAtIndex]; the memory was allocated before
    public final MemorySegment allocateFrom(SegmentAllocator allocator, Collection<? extends R> records) {
        MemorySegment segment = allocate(allocator, Objects.requireNonNull(records, "records").size());
        long index = 0;
        for (R record : records) {
            setAtIndex(segment, index++, record);
        }
        return segment;
    }

    @Override
    final R element(MemorySegment segment, long index) {
        return getAtIndex(segment, index);
    }

    @Override
    final void store(MemorySegment segment, long index, R record) {
        setAtIndex(segment, index, record);
    }

    @Override
    final R replace(MemorySegment segment, long index, R record) {
        R before = getAtIndex(segment, index);
        setAtIndex(segment, index, record);
        return before;
    }

    @Override
    public final String toString() {
        return "RecordMapper of " + type().name() + " (" + byteSize() + " bytes)";
    }
}
