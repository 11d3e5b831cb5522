package dev.arenakit.layout.type;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// The format of a table of columns: where the members of its rows are in memory.
/// [dev.arenakit.layout.ColumnMapper] creates tables and accesses their rows.
///
/// ```text
///   0  magic        int64  stored last by the creator
///   8  row size     int64  bytes of a row in all columns
///  16  fingerprint  int64  of the names, types and offsets of the members of a row
///  24  capacity     int64  rows that have space, a multiple of 64
///  32  count        int64  rows, stored last by each append
///  40  zero
///  64  the first column: capacity elements
///      64 bytes that are not used, and the next column
/// ```
///
/// The numbers of the header are little-endian. Each column begins at a multiple of 64 bytes. The unused bytes keep the
/// elements of a row in different sets of a processor's cache if the capacity is a power of two.
///
/// Each member of a row has a column of its own, except that members which refer to each other share a column: a
/// counted array and its count, a union and its discriminator, and consecutive bit fields. Members between them share
/// it too. The elements of a shared column are structs of these members.
public final class ColumnTableFormat {
    /// The size of the header, and the alignment of columns: the size of a cache line.
    public static final long HEADER_BYTE_SIZE = 64;

    /// Sums of sizes of columns do not overflow, whatever type an image has recorded.
    private static final long LARGEST_ROW = 1L << 40;
    private static final String NAME = "ColumnTable";
    private static final String ROW = "row";
    private static final long MAGIC = 0x0a0d_4e4d_554c_4f83L;
    private static final long ROW_SIZE = 8;
    private static final long FINGERPRINT = 16;
    private static final long CAPACITY = 24;
    private static final long COUNT = 32;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    /// The alignment is checked last: more may be wrong.
    private static final ValueLayout.OfLong UNALIGNED = LONG.withByteAlignment(1);
    private static final VarHandle LONG_HANDLE = LONG.varHandle().withInvokeExactBehavior();

    private final StructType row;
    private final List<Column> columns;
    private final long rowByteSize;
    private final long fingerprint;

    /// A column.
    ///
    /// @param element       the type of its elements: a struct of the members that the column has
    /// @param rowByteOffset the offset in a row of the bytes that the column has of it
    /// @param byteOffset    the offset of these bytes in an element
    /// @param byteSize      the number of these bytes
    /// @param precedingByteSize the number of bytes of a row that preceding columns have
    /// @param unused        the size of the header and of the unused bytes before the column
    public record Column(StructType element, long rowByteOffset, long byteOffset, long byteSize,
            long precedingByteSize, long unused) {
        /// Returns the offset of the element of a row in the table.
        ///
        /// @param capacity the capacity of the table
        /// @param index    the index of the row
        /// @return the offset in bytes
        public long byteOffset(long capacity, long index) {
            return unused + precedingByteSize * capacity + index * element.byteSize();
        }

        /// Copies elements to rows, which follow one another. The bytes of other columns, and of padding, remain.
        ///
        /// @param elements    the table, or the elements
        /// @param byteOffset  the offset of the first element
        /// @param count       the number of rows
        /// @param rows        receives the rows
        /// @param rowByteSize the size of a row
        public void copyToRows(MemorySegment elements, long byteOffset, long count, MemorySegment rows,
                long rowByteSize) {
            long at = byteOffset + this.byteOffset;
            long to = rowByteOffset;
            long stride = element.byteSize();
            for (long i = 0; i < count; i++, at += stride, to += rowByteSize) {
                // These sizes are most frequent, and a copy of so few bytes takes longer.
                if (byteSize == Long.BYTES) {
                    rows.set(ValueLayout.JAVA_LONG_UNALIGNED, to, elements.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
                } else if (byteSize == Integer.BYTES) {
                    rows.set(ValueLayout.JAVA_INT_UNALIGNED, to, elements.get(ValueLayout.JAVA_INT_UNALIGNED, at));
                } else {
                    MemorySegment.copy(elements, at, rows, to, byteSize);
                }
            }
        }
    }

    private ColumnTableFormat(StructType row) {
        this.row = row;
        List<Column> all = new ArrayList<>();
        List<Member> members = row.members();
        int[] limits = limits(members);
        long preceding = 0;
        for (int first = 0; first < members.size(); first += all.getLast().element().members().size()) {
            int limit = first + 1;
            for (int i = first; i < limit; i++) {
                limit = Math.max(limit, limits[i]);
            }
            all.add(column(members.subList(first, limit), preceding, (all.size() + 1) * HEADER_BYTE_SIZE));
            preceding += Math.min(all.getLast().element().byteSize(), LARGEST_ROW + 1);
        }
        if (preceding == 0 || preceding > LARGEST_ROW) {
            throw new IllegalArgumentException("Row has no size, or is too large: row=" + row.name()
                    + ", rowByteSize=" + preceding + ", largest=" + LARGEST_ROW);
        }
        columns = List.copyOf(all);
        rowByteSize = preceding;
        fingerprint = fingerprint(MAGIC, row);
    }

    /// Returns the format of tables whose rows are structs of a type.
    ///
    /// @param row the type of a row
    /// @return the format
    /// @throws IllegalArgumentException if a row has no size, or a member is aligned to more than 64 bytes
    public static ColumnTableFormat of(StructType row) {
        return new ColumnTableFormat(row);
    }

    /// Returns the type of a row by the type that was recorded for a table.
    ///
    /// @param type the type of an allocation
    /// @return the type of a row, or empty if the type is not the [type][#type] of a table of columns
    public static Optional<StructType> recordedRow(StructType type) {
        return type.name().equals(NAME) && type.members().size() == 1
                && type.members().getFirst() instanceof Member(String name, long _, StructType row) && name.equals(ROW)
                        ? Optional.of(row)
                        : Optional.empty();
    }

    /// Returns the type to record for a table: a struct with the name `ColumnTable` whose member `row` is a row.
    ///
    /// @return the type, which has the alignment of a table
    public StructType type() {
        return new StructType(NAME, List.of(new Member(ROW, 0, row)), row.byteSize(),
                Math.max(HEADER_BYTE_SIZE, row.byteAlignment()));
    }

    /// {@return the type of a row}
    public StructType row() {
        return row;
    }

    /// {@return the columns, in the order of the members of a row}
    public List<Column> columns() {
        return columns;
    }

    /// Returns the column of a member.
    ///
    /// @param member the name of the member
    /// @return the column
    /// @throws IllegalArgumentException if rows have no such member
    public Column column(String member) {
        for (Column column : columns) {
            if (column.element().member(member).isPresent()) {
                return column;
            }
        }
        throw new IllegalArgumentException("Rows have no such member: name=" + member + ", row=" + row.name()
                + ", members=" + row.members().stream().map(Member::name).toList());
    }

    /// Returns the size of a table.
    ///
    /// @param capacity the number of rows, which is rounded up to a multiple of 64
    /// @return the size in bytes
    /// @throws IllegalArgumentException if the capacity is negative, or the size is larger than [Long#MAX_VALUE]
    public long byteSize(long capacity) {
        long empty = byteSizeOfEmpty();
        if (capacity < 0 || capacity > (Long.MAX_VALUE - empty) / rowByteSize - HEADER_BYTE_SIZE) {
            throw new IllegalArgumentException("Capacity is out of range: capacity=" + capacity + ", row="
                    + row.name() + ", rowByteSize=" + rowByteSize);
        }
        return empty + Sizes.alignUp(capacity, HEADER_BYTE_SIZE) * rowByteSize;
    }

    private long byteSizeOfEmpty() {
        return (columns.size() + 1) * HEADER_BYTE_SIZE;
    }

    /// Writes the header of an empty table. The magic is stored last.
    ///
    /// @param table the memory; the capacity is the largest one for which it suffices
    /// @return the capacity
    /// @throws IllegalArgumentException if the memory is too small, misaligned or read-only
    public long create(MemorySegment table) {
        long capacity = largestCapacity(table.byteSize());
        if (capacity == 0) {
            throw new IllegalArgumentException("Segment is too small for a table of columns: segment.byteSize="
                    + table.byteSize() + ", required=" + byteSize(1) + ", row=" + row.name()
                    + "; allocate byteSize(capacity) bytes");
        }
        checkAlignment(table);
        table.set(LONG, 0, 0);
        VarHandle.storeStoreFence();
        table.set(LONG, ROW_SIZE, rowByteSize);
        table.set(LONG, FINGERPRINT, fingerprint);
        table.set(LONG, CAPACITY, capacity);
        table.asSlice(COUNT, HEADER_BYTE_SIZE - COUNT).fill((byte) 0);
        LONG_HANDLE.setRelease(table, 0L, MAGIC);
        return capacity;
    }

    /// Checks a table in memory.
    ///
    /// @param table the memory
    /// @return the capacity
    /// @throws IllegalArgumentException if the memory is no table of this format, is too small for its capacity, or is
    ///                                  misaligned
    public long check(MemorySegment table) {
        long capacity = check(table, table.byteSize());
        checkAlignment(table);
        return capacity;
    }

    /// Checks the header of a table.
    ///
    /// @param header   the header, aligned to 8 bytes
    /// @param byteSize the size of the memory of the table
    /// @return the capacity
    /// @throws IllegalArgumentException if the memory is no table of this format, or is too small for its capacity
    public long check(MemorySegment header, long byteSize) {
        if (byteSize < HEADER_BYTE_SIZE || !isCreated(header)) {
            throw new IllegalArgumentException("Segment has no table of columns: segment.byteSize=" + byteSize
                    + ", row=" + row.name() + "; create one by ColumnMapper.create, or pass the beginning of a table");
        }
        // Another process may create the table.
        VarHandle.loadLoadFence();
        long magic = header.get(UNALIGNED, 0);
        long size = header.get(UNALIGNED, ROW_SIZE);
        long print = header.get(UNALIGNED, FINGERPRINT);
        if (magic != MAGIC || size != rowByteSize || print != fingerprint) {
            throw new IllegalArgumentException("Table has other columns: row=" + row.name() + ", magic=0x"
                    + Long.toHexString(magic) + ", rowByteSize=" + size + ", expected=" + rowByteSize
                    + ", fingerprint=0x" + Long.toHexString(print) + ", expected=0x" + Long.toHexString(fingerprint)
                    + "; use the record that it was created with");
        }
        long capacity = header.get(UNALIGNED, CAPACITY);
        if (capacity < 0 || capacity % HEADER_BYTE_SIZE != 0 || capacity > largestCapacity(byteSize)) {
            throw new IllegalArgumentException("Segment ends within the table, or its header is damaged: capacity="
                    + capacity + ", segment.byteSize=" + byteSize + ", largestCapacity=" + largestCapacity(byteSize)
                    + ", row=" + row.name() + "; pass the whole table");
        }
        long count = header.get(UNALIGNED, COUNT);
        if (count < 0 || count > capacity) {
            throw new IllegalArgumentException("Header of a table is damaged: count=" + count + ", capacity="
                    + capacity + ", row=" + row.name() + "; restore the table from a copy");
        }
        return capacity;
    }

    private void checkAlignment(MemorySegment table) {
        long required = Math.max(Long.BYTES, row.byteAlignment());
        if (table.maxByteAlignment() < required) {
            throw new IllegalArgumentException("Segment is misaligned for a table of columns: maxByteAlignment="
                    + table.maxByteAlignment() + ", required=" + required + ", row=" + row.name()
                    + "; allocate it with an alignment of " + HEADER_BYTE_SIZE);
        }
    }

    private long largestCapacity(long byteSize) {
        long rows = Math.max(0, byteSize - byteSizeOfEmpty()) / rowByteSize;
        return rows - rows % HEADER_BYTE_SIZE;
    }

    /// Returns whether a table was created in memory. Otherwise, its creator may have been killed.
    ///
    /// @param header the header, or the whole table
    /// @return whether the memory begins with a magic
    public static boolean isCreated(MemorySegment header) {
        return header.get(UNALIGNED, 0) != 0;
    }

    /// Returns the number of rows, with acquire semantics: their bytes are visible.
    ///
    /// @param header the header, or the whole table
    /// @return the number of rows
    public static long count(MemorySegment header) {
        return (long) LONG_HANDLE.getAcquire(header, COUNT);
    }

    /// Returns the number of rows that the thread which appends has stored. It costs less than [#count].
    ///
    /// @param table the table
    /// @return the number of rows
    public static long countOfWriter(MemorySegment table) {
        return (long) LONG_HANDLE.get(table, COUNT);
    }

    /// Stores the number of rows, with release semantics.
    ///
    /// @param table the table
    /// @param count the number of rows
    public static void publish(MemorySegment table, long count) {
        LONG_HANDLE.setRelease(table, COUNT, count);
    }

    /// Returns for each member the end of the members that are in the same column because of it.
    private static int[] limits(List<Member> members) {
        Map<String, Integer> indices = new HashMap<>();
        members.forEach(member -> indices.put(member.name(), indices.size()));
        int[] limits = new int[members.size()];
        for (int i = 0; i < limits.length; i++) {
            MemoryType type = members.get(i).type();
            if (i > 0 && type instanceof BitFieldType && members.get(i - 1).type() instanceof BitFieldType) {
                limits[i - 1] = Math.max(limits[i - 1], i + 1);
            }
            Set<String> references = new HashSet<>();
            while (type instanceof ArrayType array) {
                array.count().ifPresent(references::add);
                type = array.element();
            }
            if (type instanceof UnionType union) {
                union.discriminator().ifPresent(named -> references.add(named.member().split("\\.", 2)[0]));
            }
            for (String name : references) {
                int other = Objects.requireNonNull(indices.get(name));
                int first = Math.min(i, other);
                limits[first] = Math.max(limits[first], Math.max(i, other) + 1);
            }
        }
        return limits;
    }

    private static Column column(List<Member> members, long preceding, long unused) {
        long byteAlignment = members.stream().mapToLong(member -> member.type().byteAlignment()).max().orElseThrow();
        long limit = members.stream().mapToLong(Member::limit).max().orElseThrow();
        long first = members.getFirst().byteOffset();
        if (byteAlignment > HEADER_BYTE_SIZE) {
            throw new IllegalArgumentException("Member is aligned to more bytes than a column: member="
                    + members.getFirst().name() + ", byteAlignment=" + byteAlignment + ", largest="
                    + HEADER_BYTE_SIZE + "; align it to fewer bytes");
        }
        long start = first - first % byteAlignment;
        List<Member> moved = members.stream()
                .map(member -> new Member(member.name(), member.byteOffset() - start, member.type()))
                .toList();
        StructType element = new StructType("", moved, Sizes.alignUpExact(limit - start, byteAlignment),
                byteAlignment);
        return new Column(element, first, first - start, limit - first, preceding, unused);
    }

    /// Adds a type to a fingerprint. It depends on nothing that another version of the library or of the JDK changes.
    private static long fingerprint(long before, MemoryType type) {
        String detail = switch (type) {
            case ValueType value -> value.cName();
            case BitFieldType bits -> bits.bitOffset() + ":" + bits.bitSize();
            case StringType text -> text.charset().name() + text.length() + text.padding().name();
            case ArrayType array -> array.length() + array.count().orElse("");
            case UnionType union -> union.discriminator().map(UnionType.Discriminator::member).orElse("");
            default -> String.valueOf(type.integer().map(StoredInteger::isSigned).orElse(false));
        };
        boolean isLittleEndian = type.equals(type.withOrder(ByteOrder.LITTLE_ENDIAN));
        long print = mix(mix(before, (type.getClass().getSimpleName() + isLittleEndian + detail).hashCode()),
                type.byteSize());
        for (Member member : type.members()) {
            print = fingerprint(mix(mix(print, member.name().hashCode()), member.byteOffset()), member.type());
        }
        return type instanceof ArrayType array ? fingerprint(print, array.element()) : print;
    }

    private static long mix(long hash, long word) {
        long mixed = (hash ^ word) * 0x9e37_79b9_7f4a_7c15L;
        return mixed ^ mixed >>> 32;
    }
}
