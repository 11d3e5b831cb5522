package dev.arenakit.collection;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.collection.CollectionMessages;
import dev.arenakit.internal.collection.ElementArray;
import dev.arenakit.internal.collection.Growth;
import dev.arenakit.internal.collection.StructFields;
import dev.arenakit.internal.collection.TableMemory;
import dev.arenakit.layout.DoubleField;
import dev.arenakit.layout.Field;
import dev.arenakit.layout.IntField;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ConcurrentModificationException;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// A growing list of structs, in off-heap memory.
///
/// ```java
/// static final RecordMapper<Trade> TRADES = RecordMapper.of(Trade.class);
/// static final LongField ID = TRADES.longField("id");
/// static final DoubleField PRICE = TRADES.doubleField("price");
///
/// try (RecordList<Trade> trades = RecordList.owning(MallocArena::ofConfined, TRADES)) {
///     trades.add(new Trade(42, 3, 9.5));
///     trades.sort(ID);
///     long index = trades.binarySearch(ID, 42);
///     double price = trades.getDouble(PRICE, index); // reads the price alone
/// }
/// ```
///
/// The structs are consecutive. [#segment()] returns all of them, for loops over a field, for native code and for
/// [RecordMapper#stream].
///
/// ## Memory
///
/// The structs are in a table, whose capacity grows by 3/5 when it is full. A list made by [#create] takes its tables
/// from an allocator. A list made by [#owning] opens an arena for each table.
///
/// | created by | an old table | [#close()] |
/// |---|---|---|
/// | `create`, a [dev.arenakit.BlockAllocator] | is freed, or grows in place | frees the table |
/// | `create`, another allocator | remains until the allocator's lifetime ends | frees nothing |
/// | `owning` | is freed with its arena | closes the arena |
///
/// **Growth makes views and segments stale:** they access the old table. If the list owns its arenas, such an access
/// throws an [IllegalStateException]. If the allocator frees blocks, the access is undefined, as the allocator's
/// description says.
///
/// If the memory is exhausted, [#add] throws the exception of the allocator, and the list is unchanged. If another Error
/// interrupts a change, such as a [StackOverflowError], the list can be [unusable][dev.arenakit.collection]. The padding
/// of an added record is 0.
///
/// ## Complexity
///
/// Access takes constant time, and `add` takes constant time on average. [#sort] is a stable radix sort: it makes a
/// pass for each byte in which the values differ, besides one to count and one to move the structs. During the sort,
/// each struct takes 32 bytes and its own size of additional memory, from a separate arena. [#binarySearch(Field,long)]
/// takes logarithmic time. Access by fields and views creates no garbage.
///
/// ## Threads
///
/// A list is not synchronized. Several threads can read it at the same time if all of them can access its memory and no
/// thread changes the list. Memory of a confined arena is accessible to one thread. [#get] creates a record directly
/// from the memory of the list. Therefore the constructors of the record and of its nested records must not change the
/// list.
///
/// A closed list throws an [IllegalStateException] from every operation except [#close()] and [#toString()].
///
/// @param <R> the record class
public final class RecordList<R extends Record> implements AutoCloseable {
    private final RecordMapper<R> mapper;
    private final StructType type;
    private final StructFields fields;
    private final long stride;
    private final ElementArray structs;
    /// Whether a mapper writes to the segment. The mapper calls the accessors of a record, which may try to change the
    /// list.
    private boolean isWriting;

    private RecordList(TableMemory memory, RecordMapper<R> mapper, long expectedSize) {
        this.mapper = Objects.requireNonNull(mapper, "mapper");
        this.type = mapper.type();
        this.fields = new StructFields(mapper.type(),
                () -> mapper.field(mapper.type().members().getFirst().name()).struct());
        this.stride = mapper.byteSize();
        this.structs = new ElementArray(memory, "RecordList", stride, mapper.layout().byteAlignment(), expectedSize);
    }

    /// Creates an empty list in memory of an allocator.
    ///
    /// @param allocator the allocator of the table
    /// @param mapper    the mapper of the records
    /// @param <R>       the record class
    /// @return the list
    public static <R extends Record> RecordList<R> create(SegmentAllocator allocator, RecordMapper<R> mapper) {
        return create(allocator, mapper, 0);
    }

    /// Creates an empty list with a capacity, in memory of an allocator.
    ///
    /// @param allocator    the allocator of the table
    /// @param mapper       the mapper of the records
    /// @param expectedSize the number of structs for which the list need not grow
    /// @param <R>          the record class
    /// @return the list
    /// @throws IllegalArgumentException if the size is negative
    public static <R extends Record> RecordList<R> create(SegmentAllocator allocator, RecordMapper<R> mapper,
            long expectedSize) {
        return new RecordList<>(TableMemory.of(allocator), mapper, expectedSize);
    }

    /// Creates an empty list that has an arena for each table.
    ///
    /// @param arenas creates the arenas, for example `MallocArena::ofConfined`
    /// @param mapper the mapper of the records
    /// @param <R>    the record class
    /// @return the list
    public static <R extends Record> RecordList<R> owning(Supplier<? extends Arena> arenas, RecordMapper<R> mapper) {
        return owning(arenas, mapper, 0);
    }

    /// Creates an empty list with a capacity, which has an arena for each table.
    ///
    /// @param arenas       creates the arenas, for example `MallocArena::ofConfined`
    /// @param mapper       the mapper of the records
    /// @param expectedSize the number of structs for which the list need not grow
    /// @param <R>          the record class
    /// @return the list
    /// @throws IllegalArgumentException if the size is negative
    public static <R extends Record> RecordList<R> owning(Supplier<? extends Arena> arenas, RecordMapper<R> mapper,
            long expectedSize) {
        return new RecordList<>(TableMemory.owning(arenas), mapper, expectedSize);
    }

    /// {@return the number of structs}
    public long size() {
        return structs.sizeIfOpen();
    }

    /// {@return whether there are no structs}
    public boolean isEmpty() {
        return size() == 0;
    }

    /// {@return the size of the table in bytes}
    public long byteSize() {
        return structs.byteSize();
    }

    /// {@return the mapper of the records}
    public RecordMapper<R> mapper() {
        return mapper;
    }

    /// Returns all structs.
    ///
    /// @return a segment of exactly the structs, which is valid until the list grows
    public MemorySegment segment() {
        return structs.segment().asSlice(0, size() * stride);
    }

    /// Adds a record at the end.
    ///
    /// @param record the record
    /// @return its index
    /// @throws IllegalArgumentException                  if a component does not fit
    /// @throws java.util.ConcurrentModificationException if an accessor of the record changes the list
    public long add(R record) {
        checkNotWriting();
        long index = structs.end();
        structs.segment().asSlice(index * stride, stride).fill((byte) 0);
        write(index, record);
        structs.setSize(index + 1);
        return index;
    }

    /// Adds structs of zero bytes at the end, to be written by fields or views.
    ///
    /// @param count the number of structs
    /// @return the index of the first new struct
    /// @throws IllegalArgumentException if the count is negative
    public long addZeroed(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("Count is negative: count=" + count);
        }
        checkNotWriting();
        long index = size();
        structs.ensureCapacity(index + Math.min(count, Sizes.ADDRESSABLE));
        structs.segment().asSlice(index * stride, count * stride).fill((byte) 0);
        structs.setSize(index + count);
        return index;
    }

    /// Returns the record at an index.
    ///
    /// @param index the index
    /// @return the record
    /// @throws IndexOutOfBoundsException if there is no such struct
    public R get(long index) {
        return mapper.getAtIndex(structs.segment(), structs.check(index));
    }

    /// Writes the record at an index.
    ///
    /// @param index  the index
    /// @param record the record
    /// @throws IndexOutOfBoundsException                 if there is no such struct
    /// @throws IllegalArgumentException                  if a component does not fit
    /// @throws java.util.ConcurrentModificationException if an accessor of the record changes the list
    public void set(long index, R record) {
        checkNotWriting();
        structs.check(index);
        try {
            write(index, record);
        } catch (VirtualMachineError e) {
            // After any other exception, of the mapper or of an accessor, nothing has changed.
            structs.setSize(ElementArray.CHANGING);
            throw e;
        }
    }

    /// Returns a view of the struct at an index, which is valid until the list grows.
    ///
    /// @param views the mapper of the view, over the type of the structs
    /// @param index the index
    /// @param <V>   the interface of the view
    /// @return the view
    /// @throws IndexOutOfBoundsException if there is no such struct
    /// @throws IllegalArgumentException  if the structs of the view have another size
    public <V> V view(ViewMapper<V> views, long index) {
        if (views.byteSize() != stride) {
            throw new IllegalArgumentException("View has another size than the struct: view=" + views.type().name()
                    + ", view.byteSize=" + views.byteSize() + ", struct=" + type.name() + ", struct.byteSize="
                    + stride);
        }
        return views.view(structs.segment(), structs.check(index) * stride);
    }

    /// Reads a field.
    ///
    /// @param field a field of the structs
    /// @param index the index of the struct
    /// @return the value
    /// @throws IndexOutOfBoundsException if there is no such struct
    /// @throws IllegalArgumentException  if the field does not belong to these structs
    public long getLong(LongField field, long index) {
        fields.check(field.struct(), field);
        return field.get(structs.segment(), structs.check(index) * stride);
    }

    /// Reads a field.
    ///
    /// @param field a field of the structs
    /// @param index the index of the struct
    /// @return the value
    /// @throws IndexOutOfBoundsException if there is no such struct
    /// @throws IllegalArgumentException  if the field does not belong to these structs
    public int getInt(IntField field, long index) {
        fields.check(field.struct(), field);
        return field.get(structs.segment(), structs.check(index) * stride);
    }

    /// Reads a field.
    ///
    /// @param field a field of the structs
    /// @param index the index of the struct
    /// @return the value
    /// @throws IndexOutOfBoundsException if there is no such struct
    /// @throws IllegalArgumentException  if the field does not belong to these structs
    public double getDouble(DoubleField field, long index) {
        fields.check(field.struct(), field);
        return field.get(structs.segment(), structs.check(index) * stride);
    }

    /// Writes a field.
    ///
    /// @param field a field of the structs
    /// @param index the index of the struct
    /// @param value the value
    /// @throws IndexOutOfBoundsException if there is no such struct
    /// @throws IllegalArgumentException  if the field does not belong to these structs
    public void setLong(LongField field, long index, long value) {
        fields.check(field.struct(), field);
        field.set(structs.segment(), structs.check(index) * stride, value);
    }

    /// Writes a field.
    ///
    /// @param field a field of the structs
    /// @param index the index of the struct
    /// @param value the value
    /// @throws IndexOutOfBoundsException if there is no such struct
    /// @throws IllegalArgumentException  if the field does not belong to these structs
    public void setInt(IntField field, long index, int value) {
        fields.check(field.struct(), field);
        field.set(structs.segment(), structs.check(index) * stride, value);
    }

    /// Writes a field.
    ///
    /// @param field a field of the structs
    /// @param index the index of the struct
    /// @param value the value
    /// @throws IndexOutOfBoundsException if there is no such struct
    /// @throws IllegalArgumentException  if the field does not belong to these structs
    public void setDouble(DoubleField field, long index, double value) {
        fields.check(field.struct(), field);
        field.set(structs.segment(), structs.check(index) * stride, value);
    }

    /// Performs an action with the record of each struct. Views and fields do not create records.
    ///
    /// @param action the action
    /// @throws ConcurrentModificationException if the action changes the number of structs
    public void forEach(Consumer<? super R> action) {
        Objects.requireNonNull(action, "action");
        long count = size();
        for (long i = 0; i < count; i++) {
            action.accept(get(i));
            if (size() != count) {
                throw new ConcurrentModificationException("The size has changed: size=" + size());
            }
        }
    }

    /// {@return a stream of the records} The list must not change while the stream is used. A parallel stream needs
    /// memory that all threads may access.
    public Stream<R> stream() {
        return LongStream.range(0, size()).mapToObj(this::get);
    }

    /// Removes all structs. The list keeps its capacity.
    public void clear() {
        truncate(0);
    }

    /// Removes the last struct.
    ///
    /// @return the record of the struct
    /// @throws NoSuchElementException if there are no structs
    public R removeLast() {
        long index = structs.checkLast();
        R last = get(index);
        truncate(index);
        return last;
    }

    /// Removes a struct in constant time: the last struct takes its place.
    ///
    /// @param index the index
    /// @throws IndexOutOfBoundsException if there is no such struct
    public void swapRemove(long index) {
        checkNotWriting();
        structs.swapRemove(index);
    }

    /// Reduces the capacity to the present number of structs, at least 16. A list whose allocator cannot
    /// free, such as `Arena.ofConfined()`, keeps its table.
    public void shrink() {
        checkNotWriting();
        structs.shrink();
    }

    /// Removes the last structs.
    ///
    /// @param newSize the number of structs that remain
    /// @throws IllegalArgumentException if the size is negative or larger than the number of structs
    public void truncate(long newSize) {
        checkNotWriting();
        structs.truncate(newSize);
    }

    /// Sorts the structs in ascending order of a field. Structs with equal values keep their order. Floating-point
    /// values are in the order of [Double#compare], and unsigned integers in the order of their values.
    ///
    /// @param field a field of the structs that is a number
    /// @throws IllegalArgumentException                  if the field does not belong to these structs, or is not a
    ///                                                   number
    /// @throws OutOfMemoryError                          if there is no memory for the sort; the list is unchanged
    /// @throws java.util.ConcurrentModificationException if an accessor of a record that is written sorts the list
    public void sort(Field field) {
        sort(field, 0, size());
    }

    /// Sorts a range of structs, as [#sort(Field)] does.
    ///
    /// @param field a field of the structs that is a number
    /// @param from  the index of the first struct
    /// @param to    the index after the last struct
    /// @throws IndexOutOfBoundsException                 if the list does not have the range
    /// @throws IllegalArgumentException                  if the field does not belong to these structs, or is not a
    ///                                                   number
    /// @throws OutOfMemoryError                          if there is no memory for the sort; the list is unchanged
    /// @throws java.util.ConcurrentModificationException if an accessor of a record that is written sorts the list
    public void sort(Field field, long from, long to) {
        checkNotWriting();
        StructOrder order = order(field);
        Objects.checkFromToIndex(from, to, size());
        if (to - from > 1) {
            order.sort(structs.segment().asSlice(from * stride), stride, to - from);
        }
    }

    /// Returns the index of a struct whose field has a value. The structs are in ascending order of the field.
    ///
    /// For an unsigned field that is as large as its type in Java, the value can be the number or its bit pattern:
    /// 4294967295 or -1 for an [IntField] of 4 bytes. For an unsigned field of 8 bytes, the value is the bit pattern.
    ///
    /// @param field a field of the structs that is a number; a floating-point field is compared with the `double`
    ///              nearest to the value
    /// @param value the value
    /// @return the index of the first such struct, or `-(i + 1)`, where `i` is the index at which such a struct would
    ///         be inserted
    /// @throws IllegalArgumentException if the field does not belong to these structs, or is not a number
    public long binarySearch(Field field, long value) {
        StructOrder order = order(field);
        return search(order, order.of(value));
    }

    /// Returns the index of a struct whose field has a value. The structs are in ascending order of the field.
    ///
    /// @param field a field of the structs that is a floating-point number
    /// @param value the value
    /// @return the index of the first such struct, or `-(i + 1)`, where `i` is the index at which such a struct would
    ///         be inserted
    /// @throws IllegalArgumentException if the field does not belong to these structs, or is not a floating-point
    ///                                  number
    public long binarySearch(Field field, double value) {
        StructOrder order = order(field);
        if (!order.isFloating()) {
            throw new IllegalArgumentException("Field is not a floating-point number: " + field + "; pass a long");
        }
        return search(order, StructOrder.of(value));
    }

    /// Frees the memory, as the table in the description of this class says. A second call has no effect.
    ///
    /// @throws IllegalStateException if memory is in use, for example by a native call; a further call tries again
    @Override
    public void close() {
        if (isWriting) {
            throw new IllegalStateException("Closed by an accessor of a record that is written: RecordList");
        }
        structs.close();
    }

    @Override
    public String toString() {
        return CollectionMessages.of(this, this::size, "of " + type.name(), this::byteSize);
    }

    private StructOrder order(Field field) {
        structs.checkOpen();
        fields.check(field.struct(), field);
        return new StructOrder(field);
    }

    private long search(StructOrder order, long number) {
        MemorySegment segment = structs.segment();
        long size = structs.size();
        long low = 0;
        long high = size;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (Long.compareUnsigned(order.number(segment, middle * stride), number) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < size && order.number(segment, low * stride) == number ? low : -(low + 1);
    }

    private void write(long index, R record) {
        isWriting = true;
        try {
            mapper.setAtIndex(structs.segment(), index, record);
        } finally {
            isWriting = false;
        }
    }

    private void checkNotWriting() {
        if (isWriting) {
            throw new ConcurrentModificationException(
                    "Changed by an accessor of a record that is written: RecordList");
        }
    }
}
