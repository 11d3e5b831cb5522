package dev.arenakit.layout;

import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.Optional;

/// Creates views of one interface: objects whose methods read and write the members of a struct in memory.
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
/// static final ViewMapper<PointView> POINTS = ViewMapper.of(PointView.class);
///
/// MemorySegment segment = POINTS.allocate(arena, 1000);
/// POINTS.viewAtIndex(segment, 7).x(3).y(4);
/// ```
///
/// A mapper locates a struct in a segment as [MemorySegment] locates a value: `view` takes an offset in bytes,
/// `viewAtIndex` takes the index of a struct in a segment of consecutive structs.
///
/// In a module, use `ViewMapper.of(lookup(), PointView.class)`, where `lookup` is [MethodHandles#lookup]; see
/// [RecordMapper].
///
/// ## Accessors
///
/// | Accessors | Member of the struct |
/// |---|---|
/// | `int x()`, `void x(int x)` | a primitive value, an enum, a `String`, an address as `MemorySegment`, or a record |
/// | `PointView x(int x)` | the same; the method writes and returns the view |
/// | `int[] values()`, `void values(int[] values)` | an array of these except `String`, as a whole, with [Length] |
/// | `int values(long index)`, `void values(long index, int value)` | an array of these, by element, with [Length] |
/// | `Inner inner()` | a nested struct, as a view |
/// | `Inner items(long index)` | an array of structs, as views, with [Length] |
///
/// All accessors of a member have its name, without a prefix. A member without a method that writes is read-only.
/// Inherited methods are accessors too; `default`, `static` and `private` methods are not. The annotations of
/// [RecordMapper] except [Union] apply, and are on the method that reads. An interface that extends [View] gives access
/// to the memory of the struct.
///
/// [Members] defines the order of the members. A mapper over a given struct needs no annotation except [Name], for
/// example `ViewMapper.of(PointView.class, RecordMapper.of(Point.class).type())`. The interface may then omit members,
/// and may read an enum as an integer. The members of a union are accessed through a view with one method for each;
/// nothing checks which of them is valid:
///
/// ```java
/// interface FigureView { Kind kind(); ShapeView shape(); }
/// interface ShapeView { Circle circle(); Square square(); }
/// ```
///
/// A record and a view with the same members in the same order have the same bytes. If they also have the same [Name],
/// their [#type] is equal.
///
/// ## Checks
///
/// The creation of a view checks that the struct is within the segment and that its address is aligned. Each access
/// checks that the segment is alive and accessible to the thread, and that an array on the heap guarantees the
/// alignment. A view throws the same exceptions as [MemorySegment]; their messages contain offset, size and layout. A
/// setter checks the value before it changes the first byte.
///
/// Views of one mapper are equal if they access the same memory. `toString` prints the members.
///
/// ## Threads
///
/// Mappers and views are immutable and can be used by any thread. There is one mapper for an interface and a struct, and
/// it lives as long as the interface.
///
/// ## Performance
///
/// An access costs what a VarHandle in a `static final` field costs, wherever mapper and view are held. A view that
/// does not escape is not allocated.
///
/// @param <V> the interface
public abstract class ViewMapper<V> extends StructMapper<V> {
    ViewMapper(StructType type, Class<?> inJava) {
        super(type, inJava);
    }

    /// Returns the mapper of an interface that is accessible to this library: on the class path, public in a package
    /// that its module exports, or in a package that its module opens.
    ///
    /// @param type the interface
    /// @param <V>  the interface
    /// @return the mapper, always the same one
    /// @throws IllegalArgumentException if the class is not an interface, has methods that are not accessors, lacks
    ///                                  [Members], has members that cannot be mapped, or is not accessible; the message
    ///                                  contains class, component and remedy
    /// @throws IllegalCallerException   if a member has [TargetByteSize] and native access is denied
    public static <V> ViewMapper<V> of(Class<V> type) {
        return ViewMapperCache.of(type, Optional.empty(), ViewPackage.withoutLookup());
    }

    /// Returns the mapper of an interface that is accessible to a Lookup.
    ///
    /// @param lookup `MethodHandles.lookup()` in a class of the same package
    /// @param type   the interface
    /// @param <V>    the interface
    /// @return the mapper, always the same one
    /// @throws IllegalArgumentException as in [#of(Class)]
    /// @throws IllegalCallerException   as in [#of(Class)]
    public static <V> ViewMapper<V> of(MethodHandles.Lookup lookup, Class<V> type) {
        return ViewMapperCache.of(type, Optional.empty(), ViewPackage.of(lookup));
    }

    /// Returns the mapper of an accessible interface over a given struct.
    ///
    /// The interface keeps a mapper for each struct that it was mapped over. If structs are not known in advance, for
    /// example because their text is read from files, the caller should limit their number.
    ///
    /// @param type   the interface
    /// @param struct the struct, which has a member for every accessor
    /// @param <V>    the interface
    /// @return the mapper, the same one for equal structs
    /// @throws IllegalArgumentException as in [#of(Class)], or if an accessor and its member do not agree
    public static <V> ViewMapper<V> of(Class<V> type, StructType struct) {
        return ViewMapperCache.of(type, Optional.of(Objects.requireNonNull(struct, "struct")),
                ViewPackage.withoutLookup());
    }

    /// Returns the mapper of an interface that is accessible to a Lookup, over a given struct, as
    /// [#of(Class,StructType)].
    ///
    /// @param lookup `MethodHandles.lookup()` in a class of the same package
    /// @param type   the interface
    /// @param struct the struct, which has a member for every accessor
    /// @param <V>    the interface
    /// @return the mapper, the same one for equal structs
    /// @throws IllegalArgumentException as in [#of(Class)], or if an accessor and its member do not agree
    public static <V> ViewMapper<V> of(MethodHandles.Lookup lookup, Class<V> type, StructType struct) {
        return ViewMapperCache.of(type, Optional.of(Objects.requireNonNull(struct, "struct")), ViewPackage.of(lookup));
    }

    /// Creates a view of the struct at an offset.
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @return a new view
    /// @throws IndexOutOfBoundsException if the struct is not within the segment
    /// @throws IllegalArgumentException  if the struct is misaligned
    public abstract V view(MemorySegment segment, long byteOffset);

    /// Creates a view of the struct at an index.
    ///
    /// @param segment the segment
    /// @param index   the index of the struct
    /// @return a new view
    /// @throws IndexOutOfBoundsException if the struct is not within the segment
    /// @throws IllegalArgumentException  if the struct is misaligned
    public abstract V viewAtIndex(MemorySegment segment, long index);

    @Override
    public final String toString() {
        return "ViewMapper of " + type().name() + " (" + byteSize() + " bytes)";
    }
}
