package dev.arenakit.layout;

import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.record.ColumnMappers;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

/// Creates and opens tables of records in memory that have a column for each component: a struct of arrays.
///
/// ```java
/// record Trade(long id, int quantity, double price) {}
///
/// static final ColumnMapper<Trade> TRADES = ColumnMapper.of(Trade.class);
///
/// ColumnTable<Trade> trades = TRADES.create(arena, 1_000_000);
/// trades.append(new Trade(42, 3, 9.5));
/// Trade first = trades.get(0);
/// MemorySegment prices = trades.column("price"); // doubles, one after another
/// ```
///
/// A loop over one component reads its column alone, and vector instructions can read it. A program that mostly reads
/// whole records uses a [RecordMapper].
///
/// ## Columns
///
/// Records are declared as for [RecordMapper], and each component has the same bytes as there, in either byte order.
/// A component that is a record is one column of structs: to give its components columns of their own, declare them in
/// the outer record. Arrays and texts are one column, too. A counted array and its count, a union and its
/// discriminator, and consecutive [bit fields][dev.arenakit.layout.annotation.Bits] share one column of structs.
/// Components that are declared between them share it too.
///
/// [ColumnTableFormat] describes the memory of a table. A column begins at a multiple of 64 bytes from the beginning of
/// the table, and there is no padding between its elements, except as in an array of C. A component cannot be aligned
/// to more than 64 bytes.
///
/// ## Capacity
///
/// The capacity of a table is fixed when it is created. In an image, rows that were not written take no space on the
/// disk: create a large table. To enlarge a table, create another one, and append its records.
///
/// ## Images
///
/// The [type][#type] of a table says that it has columns. Readers of an image decode the rows of an allocation with
/// this type, and read the columns that they need.
///
/// ## Threads
///
/// Mappers are immutable, and can be used by any thread. [ColumnTable] describes access by several threads or
/// processes.
///
/// In a module, use `ColumnMapper.of(lookup(), Trade.class)`, where `lookup` is [MethodHandles#lookup].
///
/// @param <R> the record class
public final class ColumnMapper<R> {
    private static final ClassTemplate TEMPLATE = new ClassTemplate(MethodHandles.lookup(), ColumnTableTemplate.class);

    private final ColumnTable<R> unbound;
    private final ColumnTableFormat format;

    ColumnMapper(ColumnTable<R> unbound, ColumnTableFormat format) {
        this.unbound = unbound;
        this.format = format;
    }

    /// Returns the mapper of a record class that is accessible to this library, as [RecordMapper#of(Class)] does.
    ///
    /// @param type the record class
    /// @param <R>  the record class
    /// @return the mapper, always the same one
    /// @throws IllegalArgumentException as by [RecordMapper#of(Class)], or if a component is aligned to more than 64
    ///                                  bytes
    /// @throws IllegalCallerException   as by [RecordMapper#of(Class)]
    public static <R> ColumnMapper<R> of(Class<R> type) {
        return mapper(type, UserLookup.none());
    }

    /// Returns the mapper of a record class that is accessible to a Lookup.
    ///
    /// @param lookup `MethodHandles.lookup()` in a class that can invoke the constructor of the record
    /// @param type   the record class
    /// @param <R>    the record class
    /// @return the mapper, always the same one
    /// @throws IllegalArgumentException as by [#of(Class)]
    /// @throws IllegalCallerException   as by [#of(Class)]
    public static <R> ColumnMapper<R> of(MethodHandles.Lookup lookup, Class<R> type) {
        return mapper(type, UserLookup.of(Objects.requireNonNull(lookup, "lookup")));
    }

    @SuppressWarnings("unchecked") // The table of a class creates records of that class.
    private static <R> ColumnMapper<R> mapper(Class<R> type, UserLookup lookup) {
        return ((ColumnTable<R>) new ColumnMappers(lookup, TEMPLATE, RecordMapper.mappers(lookup)).of(type)).mapper();
    }

    /// Returns the type to record for a table in an image. The count of structs in an allocation is a number of rows:
    ///
    /// ```java
    /// ColumnTable<Trade> trades = TRADES.create(arena.names().allocate("trades", TRADES.type(), 1_000_000));
    /// ```
    ///
    /// @return a struct with the name `ColumnTable`, whose only member `row` is a row
    public StructType type() {
        return format.type();
    }

    /// {@return the type of a row, which is the type of a [RecordMapper] of the record class}
    public StructType rowType() {
        return format.row();
    }

    /// Returns the size of a table.
    ///
    /// @param capacity the number of rows, which is rounded up to a multiple of 64
    /// @return the size in bytes
    /// @throws IllegalArgumentException if the capacity is negative, or the size is larger than [Long#MAX_VALUE]
    public long byteSize(long capacity) {
        return format.byteSize(capacity);
    }

    /// Allocates memory, and creates an empty table in it.
    ///
    /// @param allocator the allocator
    /// @param capacity  the number of rows, which is rounded up to a multiple of 64
    /// @return the table
    /// @throws IllegalArgumentException as by [#byteSize]
    public ColumnTable<R> create(SegmentAllocator allocator, long capacity) {
        return create(Objects.requireNonNull(allocator, "allocator")
                .allocate(Math.max(byteSize(capacity), byteSize(1)),
                        ColumnTableFormat.HEADER_BYTE_SIZE));
    }

    /// Creates an empty table in memory, and overwrites a table that is there. The capacity is the largest multiple of
    /// 64 rows for which there is enough memory.
    ///
    /// @param segment the memory, at least [byteSize(1)][#byteSize] bytes, aligned to 64 bytes or to 8 on the heap
    /// @return the table
    /// @throws IllegalArgumentException if the memory is too small, misaligned or read-only
    public ColumnTable<R> create(MemorySegment segment) {
        return unbound.bind(segment, format.create(Objects.requireNonNull(segment, "segment")));
    }

    /// Checks that a segment begins with a table of this record class, and opens it.
    ///
    /// @param segment the whole memory of the table, which may be read-only
    /// @return the table
    /// @throws IllegalArgumentException if there is no table, if it was created for another record class or is larger
    ///                                  than the segment, if its header is damaged, or if the segment is misaligned;
    ///                                  the message contains the values
    public ColumnTable<R> columns(MemorySegment segment) {
        return unbound.bind(segment, format.check(Objects.requireNonNull(segment, "segment")));
    }

    @Override
    public String toString() {
        return "ColumnMapper of " + format.row().name() + " (" + format.columns().size() + " columns)";
    }
}
