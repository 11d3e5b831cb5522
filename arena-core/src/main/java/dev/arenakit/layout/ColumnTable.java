package dev.arenakit.layout;

import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.ColumnTableFormat.Column;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// A table of records in memory, with a column for each component. A [ColumnMapper] creates and opens tables.
///
/// ## Threads and processes
///
/// One thread at a time appends. Threads and processes that share the memory read meanwhile: [#append] stores the
/// number of records last, with release semantics, and readers load it with acquire semantics. They see each record
/// whole, and so does whoever opens the table after its writer was killed. [#set] is not atomic.
///
/// ## Performance
///
/// A record that does not escape is not allocated, and components that are not used are not read, as described for
/// [RecordMapper]. Reading records that were appended after the table was opened loads their number each time: open the
/// table again, or use [#column], for a loop over many of them. Each column has checks of its own: beyond about eight
/// columns, the compiler does not inline [#set] and [#append], and beyond twelve not [#get], so that a record that is
/// created for the call is allocated. A record at a random index is in as many cache lines as it has columns. Records
/// with more than 32 components are read and written through an array.
///
/// @param <R> the record class
public abstract class ColumnTable<R> {
    private final ColumnMapper<R> mapper;
    private final ColumnTableFormat format;
    final MemorySegment segment;
    final long capacity;

    ColumnTable(ColumnTableFormat format) {
        this.mapper = new ColumnMapper<>(this, format);
        this.format = format;
        this.segment = MemorySegment.NULL;
        this.capacity = 0;
    }

    ColumnTable(ColumnTable<R> unbound, MemorySegment segment, long capacity) {
        this.mapper = unbound.mapper;
        this.format = unbound.format;
        this.segment = segment;
        this.capacity = capacity;
    }

    /// Returns the table in a segment that was checked.
    abstract ColumnTable<R> bind(MemorySegment segment, long capacity);

    final ColumnMapper<R> mapper() {
        return mapper;
    }

    /// Reads a record.
    ///
    /// @param index the index of the record
    /// @return the record
    /// @throws IndexOutOfBoundsException if there is no record at the index
    /// @throws IllegalArgumentException  if the bytes in memory have no meaning for a component
    public abstract R get(long index);

    /// Replaces a record. Readers may see components of both records. If this method throws anything but a
    /// [VirtualMachineError], no byte has been written.
    ///
    /// @param index  the index of the record
    /// @param record the record
    /// @throws IndexOutOfBoundsException if there is no record at the index
    /// @throws IllegalArgumentException  if a component does not fit, or the memory is read-only
    public abstract void set(long index, R record);

    /// Appends a record. If this method throws, the number of records has not changed.
    ///
    /// @param record the record
    /// @return the index of the record
    /// @throws IllegalStateException    if the table is full
    /// @throws IllegalArgumentException if a component does not fit, or the memory is read-only
    public abstract long append(R record);

    /// Returns the number of records. Their bytes are visible to the caller.
    ///
    /// @return the number of records
    /// @throws IllegalStateException if the header was damaged since the table was opened
    public final long count() {
        return checked(ColumnTableFormat.count(segment));
    }

    final long checked(long count) {
        if (count < 0 || count > capacity) {
            throw new IllegalStateException("Header of a table is damaged: count=" + count + ", capacity=" + capacity
                    + ", row=" + format.row().name() + "; restore the table from a copy");
        }
        return count;
    }

    /// {@return the largest number of records, a multiple of 64}
    public final long capacity() {
        return capacity;
    }

    /// {@return the memory of the table}
    public final MemorySegment segment() {
        return segment;
    }

    /// Returns the column of a component, without a copy. Its elements follow one another, in the byte order and with
    /// the size of the component.
    ///
    /// ```java
    /// MemorySegment prices = trades.column("price");
    /// DoubleVector some = DoubleVector.fromMemorySegment(SPECIES, prices, 0, ByteOrder.nativeOrder());
    /// ```
    ///
    /// The column of components that share one contains structs, as [ColumnTableFormat#column] describes.
    ///
    /// @param name the name of the component in C
    /// @return the elements of the present records
    /// @throws IllegalArgumentException if there is no such component
    public final MemorySegment column(String name) {
        Column column = format.column(Objects.requireNonNull(name, "name"));
        return segment.asSlice(column.byteOffset(capacity, 0), count() * column.element().byteSize());
    }

    final void checkIndex(long index) {
        long count = count();
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("Table has no such record: index=" + index + ", count=" + count
                    + ", row=" + format.row().name());
        }
    }

    final IllegalStateException full() {
        return new IllegalStateException("Table is full: capacity=" + capacity + ", segment.byteSize="
                + segment.byteSize() + ", row=" + format.row().name()
                + "; create a larger table, and append the records of this one to it");
    }
}
