package dev.arenakit.layout;

import dev.arenakit.internal.layout.declaration.DeclaredTargets;
import dev.arenakit.internal.layout.emit.AccessExceptions;
import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.emit.KnownMethods;
import dev.arenakit.internal.layout.emit.StructTemplates;
import dev.arenakit.internal.layout.field.FieldCache;
import dev.arenakit.internal.layout.field.FieldKind;
import dev.arenakit.internal.layout.value.RefTarget;
import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.Spliterator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// The common part of mappers of records and of views: a struct, its fields, and segments of consecutive structs.
///
/// @param <T> the record class or the interface of the view
abstract class StructMapper<T> {
    private final StructType type;
    private final StructLayout layout;
    private final FieldCache fields;
    private final Class<?> inJava;
    /// Null before the first reference.
    private @Nullable RefTarget references;
    private final StructTemplates<T> templates = new StructTemplates<>(this);

    /// The templates of lists and spliterators, which are loaded for the first list or stream of a process.
    private static final class Templates {
        static final ClassTemplate LIST = new ClassTemplate(MethodHandles.lookup(), StructListTemplate.class);
        static final ClassTemplate SPLITERATOR = new ClassTemplate(MethodHandles.lookup(),
                StructSpliteratorTemplate.class);
    }

    /// @param type   the struct
    /// @param inJava the record or view
    StructMapper(StructType type, Class<?> inJava) {
        this.type = type;
        this.inJava = inJava;
        StructType accessed = DeclaredTargets.of(type, inJava);
        this.layout = accessed.layout();
        this.fields = new FieldCache(accessed, inJava, MethodHandles.lookup());
    }

    /// Returns `(MemorySegment, long)Object`, which reads a struct at an offset.
    final MethodHandle access() {
        return KnownMethods.bind(MethodHandles.lookup(), this, inJava.isRecord() ? "get" : "view", RefTarget.ACCESS);
    }

    /// Returns the element of a list at an index.
    abstract T element(MemorySegment segment, long index);

    /// Writes a struct.
    abstract void store(MemorySegment segment, long index, T value);

    /// Writes an element of a list, and returns the previous one.
    abstract T replace(MemorySegment segment, long index, T value);

    /// {@return the type of the struct, as it was given or is declared}
    public final StructType type() {
        return type;
    }

    /// {@return the layout of the struct; an address in it has a target only if a component has [TargetByteSize]}
    public final StructLayout layout() {
        return layout;
    }

    /// {@return the size of the struct in bytes, which is also the distance between consecutive structs}
    public abstract long byteSize();

    /// Allocates memory for one struct.
    ///
    /// @param allocator the allocator
    /// @return a segment of one struct, aligned as the layout requires; its content is what the allocator provides
    public final MemorySegment allocate(SegmentAllocator allocator) {
        return Objects.requireNonNull(allocator, "allocator").allocate(layout);
    }

    /// Allocates memory for a number of structs.
    ///
    /// @param allocator the allocator
    /// @param count     the number of structs
    /// @return a segment of that many structs, aligned as the layout requires; its content is what the allocator
    ///         provides
    /// @throws IllegalArgumentException if the count is negative
    public final MemorySegment allocate(SegmentAllocator allocator, long count) {
        Objects.requireNonNull(allocator, "allocator");
        if (count < 0) {
            throw new IllegalArgumentException("Count is negative: count=" + count + ", layout=" + type.name());
        }
        return allocator.allocate(layout, count);
    }

    /// Allocates memory for one struct, and fills it with zeros.
    ///
    /// @param allocator the allocator
    /// @return a segment of one struct, aligned as the layout requires
    public final MemorySegment allocateZeroed(SegmentAllocator allocator) {
        return allocate(allocator).fill((byte) 0);
    }

    /// Allocates memory for a number of structs, and fills it with zeros.
    ///
    /// @param allocator the allocator
    /// @param count     the number of structs
    /// @return a segment of that many structs, aligned as the layout requires
    /// @throws IllegalArgumentException if the count is negative
    public final MemorySegment allocateZeroed(SegmentAllocator allocator, long count) {
        return allocate(allocator, count).fill((byte) 0);
    }

    /// Returns a reference to the struct at an offset.
    ///
    /// @param byteOffset the offset in bytes from the beginning of the base
    /// @return the reference, for components of type [Ref] and [Ref32]
    /// @throws IllegalArgumentException if the offset is negative, or not a multiple of the alignment of the struct
    @SuppressWarnings("unchecked") // The reference is followed by this mapper.
    public final Ref32<T> ref(long byteOffset) {
        if (byteOffset < 0 || byteOffset % type.byteAlignment() != 0) {
            throw new IllegalArgumentException("No struct is at the offset: byteOffset=" + byteOffset + ", layout="
                    + type.name() + ", byteAlignment=" + type.byteAlignment()
                    + "; a reference is a multiple of the alignment, or Ref.none()");
        }
        RefTarget target = references;
        if (target == null) {
            target = RefTarget.of(inJava, type, this::access);
            references = target;
        }
        return (Ref32<T>) target.references().at(byteOffset, "");
    }

    /// Returns a reference to the struct at an index of a base that consists of consecutive structs.
    ///
    /// @param index the index of the struct
    /// @return the reference, for components of type [Ref] and [Ref32]
    /// @throws IndexOutOfBoundsException if the index is negative or too large
    public final Ref32<T> refAtIndex(long index) {
        return ref(Objects.checkIndex(index, Long.MAX_VALUE / byteSize()) * byteSize());
    }

    /// Returns the structs of a segment as a list, which accesses memory directly. Its size is fixed.
    ///
    /// A list of records can be written. [List#set] reads the previous record in order to return it, and fails if the
    /// bytes in memory have no meaning for a component, for example zeros for an enum without a constant of value 0:
    /// use [#fill] for the first write. In a list of views, it throws an [UnsupportedOperationException].
    ///
    /// @param segment the segment
    /// @return the list
    /// @throws IllegalArgumentException if the size of the segment is not a multiple of the size of the struct, or if
    ///                                  the segment contains more than [Integer#MAX_VALUE] structs
    public final List<T> list(MemorySegment segment) {
        long count = count(segment);
        if (count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("Segment has more structs than a list: count=" + count + ", layout="
                    + type.name() + "; use stream, or a slice");
        }
        return templates.list(Templates.LIST, segment);
    }

    /// Returns a sequential stream over the structs of a segment. A parallel stream requires a segment that all threads
    /// may access.
    ///
    /// @param segment the segment
    /// @return the stream
    /// @throws IllegalArgumentException if the size of the segment is not a multiple of the size of the struct
    public final Stream<T> stream(MemorySegment segment) {
        return StreamSupport.stream(spliterator(segment), false);
    }

    /// Returns a spliterator over the structs of a segment. It is ordered, sized and subsized.
    ///
    /// @param segment the segment
    /// @return the spliterator
    /// @throws IllegalArgumentException if the size of the segment is not a multiple of the size of the struct
    public final Spliterator<T> spliterator(MemorySegment segment) {
        return templates.spliterator(Templates.SPLITERATOR, segment, count(segment));
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
            AccessExceptions.checkScope(type, from, fromIndex);
            AccessExceptions.checkScope(type, to, toIndex);
        }
        try {
            MemorySegment.copy(from, fromIndex * byteSize(), to, toIndex * byteSize(), count * byteSize());
        } catch (RuntimeException e) {
            RuntimeException ofTarget = AccessExceptions.ofCopy(e, type, to, toIndex, count);
            throw !ofTarget.equals(e) ? ofTarget : AccessExceptions.ofCopy(e, type, from, fromIndex, count);
        }
    }

    /// Writes one record, or the bytes of one view, to every index of a segment.
    ///
    /// @param segment the segment
    /// @param value   the record, or a view that this mapper has created
    /// @throws IllegalArgumentException if the size of the segment is not a multiple of the size of the struct, if the
    ///                                  segment is misaligned or read-only, or if the value does not fit
    public final void fill(MemorySegment segment, T value) {
        fill(segment, 0, count(segment), value);
    }

    /// Writes one record, or the bytes of one view, to a range of indices.
    ///
    /// @param segment   the segment
    /// @param fromIndex the first index
    /// @param count     the number of structs
    /// @param value     the record, or a view that this mapper has created
    /// @throws IndexOutOfBoundsException if the range is not within the segment
    /// @throws IllegalArgumentException  if the segment is misaligned or read-only, or if the value does not fit
    public final void fill(MemorySegment segment, long fromIndex, long count, T value) {
        checkRange(Objects.requireNonNull(segment, "segment"), fromIndex, count);
        if (count == 0) {
            Objects.requireNonNull(value, "value");
            copy(segment, fromIndex, segment, fromIndex, 0);
            return;
        }
        store(segment, fromIndex, value);
        long done = 1;
        while (done < count) {
            long next = Math.min(done, count - done);
            copy(segment, fromIndex, segment, fromIndex + done, next);
            done += next;
        }
    }

    /// Returns the field at a path.
    ///
    /// @param path the names of members from the outermost one, in C or in Java, and indices of arrays: `price`,
    ///             `header.size`, `points[3].x`
    /// @return the field
    /// @throws IllegalArgumentException if there is no such field
    public final Field field(String path) {
        return new Field(fields.path(path));
    }

    /// Returns the access to a field that is a `byte`.
    ///
    /// @param path the path, as in [#field]
    /// @return the access, always the same one for a path
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    public final ByteField byteField(String path) {
        return fields.field(FieldKind.BYTE, ByteField.class, path);
    }

    /// Returns the access to a field that is a `short`.
    ///
    /// @param path the path, as in [#field]
    /// @return the access, always the same one for a path
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    public final ShortField shortField(String path) {
        return fields.field(FieldKind.SHORT, ShortField.class, path);
    }

    /// Returns the access to a field that is a `char`.
    ///
    /// @param path the path, as in [#field]
    /// @return the access, always the same one for a path
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    public final CharField charField(String path) {
        return fields.field(FieldKind.CHAR, CharField.class, path);
    }

    /// Returns the access to a field that is an `int`.
    ///
    /// @param path the path, as in [#field]
    /// @return the access, always the same one for a path
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    public final IntField intField(String path) {
        return fields.field(FieldKind.INT, IntField.class, path);
    }

    /// Returns the access to a field that is a `long`.
    ///
    /// @param path the path, as in [#field]
    /// @return the access, always the same one for a path
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    public final LongField longField(String path) {
        return fields.field(FieldKind.LONG, LongField.class, path);
    }

    /// Returns the access to a field that is a `float`.
    ///
    /// @param path the path, as in [#field]
    /// @return the access, always the same one for a path
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    public final FloatField floatField(String path) {
        return fields.field(FieldKind.FLOAT, FloatField.class, path);
    }

    /// Returns the access to a field that is a `double`.
    ///
    /// @param path the path, as in [#field]
    /// @return the access, always the same one for a path
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    public final DoubleField doubleField(String path) {
        return fields.field(FieldKind.DOUBLE, DoubleField.class, path);
    }

    /// Returns the access to a field that is a `boolean`.
    ///
    /// @param path the path, as in [#field]
    /// @return the access, always the same one for a path
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    public final BooleanField booleanField(String path) {
        return fields.field(FieldKind.BOOLEAN, BooleanField.class, path);
    }

    /// Returns the access to a field that is an address.
    ///
    /// @param path the path, as in [#field]
    /// @return the access, always the same one for a path
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    public final AddressField addressField(String path) {
        return fields.field(FieldKind.ADDRESS, AddressField.class, path);
    }

    /// Returns the access to a field that is an enum.
    ///
    /// @param path the path, as in [#field]
    /// @param type the enum
    /// @param <E>  the enum
    /// @return the access, always the same one for a path
    /// @throws IllegalArgumentException if there is no such field, if it is of another type, or if the enum has other
    ///                                  constants than the type in memory
    @SuppressWarnings("unchecked") // The values are of the given class.
    public final <E extends Enum<E>> EnumField<E> enumField(String path, Class<E> type) {
        return fields.field(FieldKind.ENUM, EnumField.class, type, path);
    }

    /// Returns the access to the elements of a field that is an array of `int`.
    ///
    /// @param path the path of the array, as in [#field]
    /// @return the access, always the same one for a path
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    public final IntElements intElements(String path) {
        return fields.field(FieldKind.INT_ELEMENTS, IntElements.class, path);
    }

    /// Returns the access to the elements of a field that is an array of `long`.
    ///
    /// @param path the path of the array, as in [#field]
    /// @return the access, always the same one for a path
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    public final LongElements longElements(String path) {
        return fields.field(FieldKind.LONG_ELEMENTS, LongElements.class, path);
    }

    /// Throws a checked exception that a constructor or an accessor throws without a declaration.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // The type is not checked at run time.
    static <E extends Throwable> E undeclared(Throwable e) throws E {
        throw (E) e;
    }

    private long count(MemorySegment segment) {
        long byteSize = Objects.requireNonNull(segment, "segment").byteSize();
        if (byteSize % byteSize() != 0) {
            throw new IllegalArgumentException(
                    "Size of the segment is not a multiple of the layout: segment.byteSize=" + byteSize
                            + ", layout=" + type.name() + ", layout.byteSize=" + byteSize()
                            + "; take a slice of the structs alone");
        }
        return byteSize / byteSize();
    }

    private void checkRange(MemorySegment segment, long index, long count) {
        long present = segment.byteSize() / byteSize();
        if (index < 0 || count < 0 || index > present - count) {
            throw new IndexOutOfBoundsException("Range is not within the segment: index=" + index + ", count=" + count
                    + ", layout=" + type.name() + ", layout.byteSize=" + byteSize() + ", segment.byteSize="
                    + segment.byteSize() + ", segment.count=" + present + AccessExceptions.remedy(segment));
        }
    }
}
