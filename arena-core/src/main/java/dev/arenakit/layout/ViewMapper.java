package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.Optional;

/// Makes views of one interface: objects whose methods read and write a struct where it stands in memory.
///
/// ```java
/// @Members({"x", "y"})
/// interface PointView {
///     int x();
///     PointView x(int x);
///     int y();
///     PointView y(int y);
///     default double length() {
///         return Math.hypot(x(), y());
///     }
/// }
///
/// ViewMapper<PointView> points = ViewMapper.of(PointView.class);
/// MemorySegment segment = points.allocate(arena, 1000);
/// points.view(segment, 7).x(3).y(4);
/// ```
///
/// | to read, to write | is in memory |
/// |---|---|
/// | `int x()`, `void x(int x)` | a primitive value, an enum, a `String`, an address as `MemorySegment`, or a record |
/// | `int[] values()`, `void values(int[] values)` | a whole array with [Length], of these but `String` |
/// | `PointView x(int x)` | the same; writes, and returns the view |
/// | `Inner inner()` | a nested struct, as a view on it |
/// | `int values(long index)`, `void values(long index, int value)` | the same, element by element |
/// | `Inner items(long index)` | an array of structs, with [Length] |
///
/// Reader and writer have the name of the member, without `get` or `set` before it, and an index is a `long`. Without a
/// method that writes, a member is read only. Inherited methods count. Methods that are `default`, `static` or
/// `private` stay what they are. An interface that extends [View] tells the memory beneath. The annotations are those of
/// records but [Union] (see [RecordMapper]), and stand at the methods that read. A record and a view with the same members in
/// the same order have the same bytes, so that one reads what the other wrote; with the same [Name] their [#type] is equal.
///
/// The order of the members is said by [Members], or taken from a struct that is given, as that of a record:
/// `ViewMapper.of(PointView.class, RecordMapper.of(Point.class).type())`. The interface may then leave members out, and needs
/// no annotations but [Name], and may read an enum as its integer. The members of a union are seen through a view that has
/// one method for each; nothing checks there which of them is valid:
/// `interface FigureView { Kind kind(); ShapeView shape(); }`, `interface ShapeView { Circle circle(); Square square(); }`.
///
/// That a view is within its segment, and at an aligned address, is checked when it is made; whether the memory is still there
/// and may be accessed, and whether an array on the heap promises that alignment at all, with each access. Exceptions are
/// those of [MemorySegment], with place, size and layout named. A value that does not fit is refused before a byte is
/// written. Views of one mapper are equal when they stand at the same place, and tell their members in `toString`. They
/// cost what VarHandles in `static final` fields cost, wherever mapper and view are held, and one that does not escape is
/// not allocated.
///
/// Mappers are immutable and safe for use by several threads; so are views, but for that of a [Cursor]. There is one mapper
/// for an interface and struct, which lives as long as the interface.
///
/// @param <V> the interface
public abstract class ViewMapper<V> {
    private final StructType type;
    private final StructLayout layout;

    ViewMapper(StructType type) {
        this.type = type;
        this.layout = type.layout();
    }

    /// A mapper of an interface that is within reach: on the class path, or public in a package that its module exports, or in
    /// a package that its module opens.
    ///
    /// @param type the interface
    /// @param <V>  the interface
    /// @return the mapper, always the same one
    /// @throws IllegalArgumentException naming class, component and remedy: when it is no interface, has methods that are no
    ///                                  accessors, lacks [Members], has members without a form in memory, or is out of reach
    /// @throws IllegalCallerException   when a member has [TargetByteSize] and native access is denied
    public static <V> ViewMapper<V> of(Class<V> type) {
        return ViewCache.of(type, Optional.empty(), ViewHost.own());
    }

    /// A mapper of an interface that a Lookup reaches.
    ///
    /// @param lookup `MethodHandles.lookup()` in a class of the same package
    /// @param type   the interface
    /// @param <V>    the interface
    /// @return the mapper, always the same one
    /// @throws IllegalArgumentException as [#of(Class)]
    /// @throws IllegalCallerException   as [#of(Class)]
    public static <V> ViewMapper<V> of(MethodHandles.Lookup lookup, Class<V> type) {
        return ViewCache.of(type, Optional.empty(), ViewHost.of(lookup));
    }

    /// A mapper of an interface that is within reach, over a struct that is given.
    ///
    /// The interface keeps a mapper for each struct it was ever mapped over: where structs are not known beforehand, as when
    /// their text is read from files, the user limits their number.
    ///
    /// @param type   the interface
    /// @param struct the struct, which has a member for every accessor
    /// @param <V>    the interface
    /// @return the mapper, the same one for an equal struct
    /// @throws IllegalArgumentException as [#of(Class)], and when accessor and member do not agree
    public static <V> ViewMapper<V> of(Class<V> type, StructType struct) {
        return ViewCache.of(type, Optional.of(Objects.requireNonNull(struct, "struct")), ViewHost.own());
    }

    /// A mapper of an interface that a Lookup reaches, over a struct that is given.
    ///
    /// It is kept as that of [#of(Class, StructType)].
    ///
    /// @param lookup `MethodHandles.lookup()` in a class of the same package
    /// @param type   the interface
    /// @param struct the struct, which has a member for every accessor
    /// @param <V>    the interface
    /// @return the mapper, the same one for an equal struct
    /// @throws IllegalArgumentException as [#of(Class)], and when accessor and member do not agree
    public static <V> ViewMapper<V> of(MethodHandles.Lookup lookup, Class<V> type, StructType struct) {
        return ViewCache.of(type, Optional.of(Objects.requireNonNull(struct, "struct")), ViewHost.of(lookup));
    }

    /// {@return the struct that is seen}
    public final StructType type() {
        return type;
    }

    /// {@return the JDK's layout of the struct}
    public final StructLayout layout() {
        return layout;
    }

    /// {@return the size of a struct in bytes, which is also the distance of one to the next}
    public abstract long byteSize();

    /// A view on a struct.
    ///
    /// @param segment the memory
    /// @param index   the number of structs before it in the segment
    /// @return a new view
    /// @throws IndexOutOfBoundsException when the struct is not within the segment
    /// @throws IllegalArgumentException  when the segment is misaligned
    public abstract V view(MemorySegment segment, long index);

    /// A view on the struct that begins at an offset.
    ///
    /// @param segment    the memory
    /// @param byteOffset where the struct begins, in bytes
    /// @return a new view
    /// @throws IndexOutOfBoundsException when the struct is not within the segment
    /// @throws IllegalArgumentException  when the segment is misaligned
    public abstract V viewAt(MemorySegment segment, long byteOffset);

    /// One view that moves over the structs of a segment.
    ///
    /// @param segment the memory
    /// @return a cursor before the first struct
    /// @throws IllegalArgumentException when the size of the segment is no multiple of the struct's, or it is misaligned
    public abstract Cursor<V> cursor(MemorySegment segment);

    /// Memory for a number of structs.
    ///
    /// @param allocator where it is allocated
    /// @param count     how many structs
    /// @return a segment of that many structs, whose bytes are what the allocator gives
    public final MemorySegment allocate(SegmentAllocator allocator, long count) {
        return Objects.requireNonNull(allocator, "allocator").allocate(layout, count);
    }

    @Override
    public final String toString() {
        return "ViewMapper of " + type.name() + " (" + byteSize() + " bytes)";
    }

    final void checkMultiple(MemorySegment segment) {
        if (segment.byteSize() % byteSize() != 0) {
            throw new IllegalArgumentException("Segment is no multiple of the layout: segment.byteSize="
                    + segment.byteSize() + ", layout=" + type.name() + ", layout.byteSize=" + byteSize()
                    + "; take a slice of the structs alone");
        }
    }
}
