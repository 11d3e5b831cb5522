package dev.arenakit.layout;

import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.view.ViewMappers;
import dev.arenakit.internal.layout.view.ViewMethodRecorder;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

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
/// | `int x()`, `void x(int x)` | a primitive value, an enum, a `String`, an address as `MemorySegment`, a [Ref], or a record |
/// | `PointView x(int x)` | a member of the same types; the method that writes returns the view |
/// | `int[] values()`, `void values(int[] values)` | an array of these, as a whole, with [Length] |
/// | `int values(long index)`, `void values(long index, int value)` | an array of these, by element, with [Length] |
/// | `Inner inner()` | a nested struct, as a view |
/// | `Inner items(long index)` | an array of structs, as views, with [Length] |
///
/// All accessors of a member have its name, without a prefix. A member without a method that writes is read-only.
/// Inherited methods are accessors too; `default`, `static` and `private` methods are not. The annotations of
/// [RecordMapper] apply, and are on the method that reads; [Union] is on an interface of its own. An interface that extends [View] gives access
/// to the memory of the struct.
///
/// [Members] defines the order of the members. A mapper over a given struct needs no annotation except [Name], for
/// example `ViewMapper.of(PointView.class, RecordMapper.of(Point.class).type())`. The interface may then omit members,
/// and may read an enum as an integer, and an unsigned integer or a bit field as any type that holds its values. An
/// accessor by index accesses all elements of a counted array, valid or not; `toString` prints the valid elements.
///
/// The members of a union are accessed through a view with one method for each; nothing checks which of them is valid:
///
/// ```java
/// interface FigureView { Kind kind(); ShapeView shape(); }
/// interface ShapeView { Circle circle(); Square square(); }
/// ```
///
/// A record and a view with the same members in the same order have the same bytes. If they also have the same [Name],
/// their [#type()] is equal.
///
/// ## Fields
///
/// A field accesses one member without a view, with the access modes of a VarHandle. It is named by a method of the
/// view or by a path:
///
/// ```java
/// static final LongField ID = TRADES.longField(TradeView::id);
/// static final LongField SENT = TRADES.longField(trade -> trade.header().sent());
/// static final LongField RECEIVED = TRADES.longField("header.received");
/// ```
///
/// The mapper calls the function with a view that records which accessor the function calls: once, or twice with
/// different indices for the elements of an array.
///
/// ## Checks
///
/// The creation of a view checks that the whole struct is within the segment, that its address is aligned, and that an
/// array on the heap guarantees the alignment of the struct. Each access checks that the segment is alive and
/// accessible to the thread. If the segment ends within the union at the end of a struct, the struct can be read as a
/// record, but not by a view. A view throws the same exceptions as [MemorySegment]; their messages contain offset, size
/// and layout. A setter checks the value before it changes the first byte.
///
/// Views of one mapper are equal if they access the same memory. `toString` prints the members.
///
/// ## Threads
///
/// Mappers and views are immutable and can be used by any thread. There is one mapper for an interface and a struct,
/// and it lives as long as the interface.
///
/// ## Performance
///
/// An access costs about what a VarHandle in a `static final` field costs, wherever mapper and view are held. A view
/// that does not escape is not allocated.
///
/// @param <V> the interface
public abstract class ViewMapper<V> extends StructMapper<V> {
    private static final ClassTemplate TEMPLATE = new ClassTemplate(MethodHandles.lookup(), ViewMapperTemplate.class);

    private final Class<V> view;

    ViewMapper(StructType type, Class<V> view) {
        super(type, view);
        this.view = view;
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
        return mapper(type, Optional.empty(), UserLookup.none());
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
        return mapper(type, Optional.empty(), UserLookup.of(Objects.requireNonNull(lookup, "lookup")));
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
        return mapper(type, Optional.of(Objects.requireNonNull(struct, "struct")),
                UserLookup.none());
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
        return mapper(type, Optional.of(Objects.requireNonNull(struct, "struct")),
                UserLookup.of(Objects.requireNonNull(lookup, "lookup")));
    }

    @SuppressWarnings("unchecked") // The mapper of an interface creates views of that interface.
    static <V> ViewMapper<V> mapper(Class<V> type, Optional<StructType> struct, UserLookup lookup) {
        return (ViewMapper<V>) new ViewMappers(TEMPLATE, lookup, RecordMapper.mappers(lookup)).of(type, struct);
    }

    /// Creates a view of the struct at an offset.
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @return a new view
    /// @throws IndexOutOfBoundsException if the struct is not within the segment
    /// @throws IllegalArgumentException  if the struct is misaligned
    public abstract V view(MemorySegment segment, long byteOffset);

    /// Creates a view of the struct at the beginning of a segment, as [#view(MemorySegment, long)] with an offset of 0
    /// does.
    ///
    /// @param segment the segment
    /// @return a new view
    public abstract V view(MemorySegment segment);

    /// Creates a view of the struct at an index.
    ///
    /// @param segment the segment
    /// @param index   the index of the struct
    /// @return a new view
    /// @throws IndexOutOfBoundsException if the struct is not within the segment
    /// @throws IllegalArgumentException  if the struct is misaligned
    public abstract V viewAtIndex(MemorySegment segment, long index);

    /// Returns the access to the field that a method of the view reads, as [#intField(String)].
    ///
    /// @param getter the method, for example `TradeView::quantity`
    /// @return the access
    /// @throws IllegalArgumentException if the function does not read one field, or if the field is not an `int`
    public final IntField intField(ToIntFunction<? super V> getter) {
        return intField(target(getter::applyAsInt).path());
    }

    /// Returns the access to the field that a method of the view reads, as [#longField(String)].
    ///
    /// @param getter the method, for example `TradeView::id`
    /// @return the access
    /// @throws IllegalArgumentException if the function does not read one field, or if the field is not a `long`
    public final LongField longField(ToLongFunction<? super V> getter) {
        return longField(target(getter::applyAsLong).path());
    }

    /// Returns the access to the field that a method of the view reads, as [#doubleField(String)].
    ///
    /// @param getter the method, for example `TradeView::price`
    /// @return the access
    /// @throws IllegalArgumentException if the function does not read one field, or if the field is not a `double`
    public final DoubleField doubleField(ToDoubleFunction<? super V> getter) {
        return doubleField(target(getter::applyAsDouble).path());
    }

    /// Returns the access to the field that a method of the view reads, as [#booleanField(String)].
    ///
    /// @param getter the method, for example `SlotView::ready`
    /// @return the access
    /// @throws IllegalArgumentException if the function does not read one field, or if the field is not a `boolean`
    public final BooleanField booleanField(Predicate<? super V> getter) {
        return booleanField(target(getter::test).path());
    }

    /// Returns the access to the field that a method of the view reads, as [#byteField(String)].
    ///
    /// @param getter the method, for example `NodeView::level`
    /// @return the access
    /// @throws IllegalArgumentException if the function does not read one field, or if the field is not a `byte`
    public final ByteField byteField(Function<? super V, Byte> getter) {
        return byteField(target(getter::apply).path());
    }

    /// Returns the access to the field that a method of the view reads, as [#shortField(String)].
    ///
    /// @param getter the method, for example `EndpointView::port`
    /// @return the access
    /// @throws IllegalArgumentException if the function does not read one field, or if the field is not a `short`
    public final ShortField shortField(Function<? super V, Short> getter) {
        return shortField(target(getter::apply).path());
    }

    /// Returns the access to the field that a method of the view reads, as [#charField(String)].
    ///
    /// @param getter the method, for example `ResultView::grade`
    /// @return the access
    /// @throws IllegalArgumentException if the function does not read one field, or if the field is not a `char`
    public final CharField charField(Function<? super V, Character> getter) {
        return charField(target(getter::apply).path());
    }

    /// Returns the access to the field that a method of the view reads, as [#floatField(String)].
    ///
    /// @param getter the method, for example `EdgeView::weight`
    /// @return the access
    /// @throws IllegalArgumentException if the function does not read one field, or if the field is not a `float`
    public final FloatField floatField(Function<? super V, Float> getter) {
        return floatField(target(getter::apply).path());
    }

    /// Returns the access to the field that a method of the view reads, as [#addressField(String)].
    ///
    /// @param getter the method, for example `NodeView::next`
    /// @return the access
    /// @throws IllegalArgumentException if the function does not read one field, or if the field is not an address
    public final AddressField addressField(Function<? super V, MemorySegment> getter) {
        return addressField(target(getter::apply).path());
    }

    /// Returns the access to the field that a method of the view reads, as [#enumField(String,Class)].
    ///
    /// @param getter the method, for example `TradeView::side`
    /// @param <E>    the enum
    /// @return the access
    /// @throws IllegalArgumentException if the function does not read one field, or if the field is not an enum
    @SuppressWarnings("unchecked") // The method returns the enum.
    public final <E extends Enum<E>> EnumField<E> enumField(Function<? super V, E> getter) {
        ViewMethodRecorder.Target target = target(getter::apply);
        return enumField(target.path(), (Class<E>) target.type());
    }

    /// Returns the access to the elements of the array that a method of the view reads by index, as
    /// [#intElements(String)].
    ///
    /// @param getter the method, for example `HistogramView::counts`, where the view has `int counts(long index)`
    /// @return the access
    /// @throws IllegalArgumentException if the function does not read one field, or if it is no array of `int`
    public final IntElements intElements(ToIntBiFunction<? super V, Long> getter) {
        return intElements(ViewMethodRecorder.array(view, getter::applyAsInt));
    }

    /// Returns the access to the elements of the array that a method of the view reads by index, as
    /// [#longElements(String)].
    ///
    /// @param getter the method, for example `HistogramView::counts`, where the view has `long counts(long index)`
    /// @return the access
    /// @throws IllegalArgumentException if the function does not read one field, or if it is no array of `long`
    public final LongElements longElements(ToLongBiFunction<? super V, Long> getter) {
        return longElements(ViewMethodRecorder.array(view, getter::applyAsLong));
    }

    private ViewMethodRecorder.Target target(Function<V, Object> call) {
        return ViewMethodRecorder.of(view, call);
    }

    @Override
    public final String toString() {
        return "ViewMapper of " + type().name() + " (" + byteSize() + " bytes)";
    }
}
