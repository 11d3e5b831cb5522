package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.mapped.internal.arena.ElementMemory;
import dev.arenakit.mapped.internal.arena.GrowableMemory;
import dev.arenakit.mapped.internal.files.PageSize;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A table in an image: rows of one record class, to which rows are appended. It survives the process.
///
/// ```java
/// try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
///     GrowableTable<Trade> trades = arena.structures().table("trades", Trade.class); // opens it, or creates it
///     long index = trades.append(new Trade(42, 3, 9.5, "ARNA"));
///     trades.get(index).symbol(); // "ARNA", also after the next start
/// }
/// ```
///
/// [ImageStructures#table(String, Class)] opens the table: from an [InfiniteArena] for the owner of an image, and from
/// an [ArenaImage] for reading, in any process, while the owner may append rows.
///
/// **Memory.** The rows are structs without gaps, in the order in which they were appended: a [GrowableSegment] under
/// the name of the table. The memory grows in place, by a quarter at least. The blocks of the file are reserved when it
/// grows, also in an arena that is not [reserved][InfiniteArenaBuilder#reserved()], so that a full disk is a
/// [DiskFullException] of [#append] and not an error of a store. That needs Linux, native access, a file system that
/// reserves blocks, and one data file; otherwise, the memory is sparse. Rows are never removed.
///
/// **Lifetime.** A table lives as long as its arena. [ArenaNames#free(String)] ends it: later changes throw, and the
/// name can be used again. `arena.free(arena.names().get(name))` also frees its space.
///
/// **Threads.** If the arena is shared, any thread may use the table, and threads may append at the same time. A thread
/// that has got the size of the table, or an index from another thread that has appended the row, sees the rows before
/// it. [#set] is not atomic: a thread that reads a row meanwhile may get a part of it. If the arena is confined, only
/// its thread may use the table. A table that was opened for reading is not thread-safe.
///
/// **If the process is killed,** each row is there whose [#append] has returned, and a row that was being appended is
/// there completely, or not at all: it is stored before it is counted. A row that was being [#set] may be half new and
/// half old. No call is needed for that.
///
/// **If the machine loses power,** the table has the rows that it had at the last [InfiniteArena#force()] or
/// [InfiniteArena#close()]. Rows that were [#set] after the last force may have some of their bytes: closing the arena
/// forces them only if rows were appended, too. An image that was moved to another machine after its owner had died
/// looks the same: see [#acceptUnforced()].
///
/// **Other processes.** A reader sees rows that are appended later. [#size()] reads the number of rows from the
/// catalog, and maps the memory again if it has grown; [#get] does so if it is asked for a row that the table did not
/// have before. Nothing is written into the image. Everything that would change the table throws
/// [UnsupportedOperationException].
///
/// **Cost.** An append takes a lock, sets the row to zero, and stores the row and a count of 8 bytes. [#get] costs what
/// [RecordMapper#getAtIndex] costs, and two checks. A reader asks the kernel for the number of rows, in about a
/// microsecond. Growth changes the size of the file and reserves its blocks; a file system in memory also sets them to
/// zero.
///
/// **Errors.** A call that throws has not changed the table, except for [#appendAll]. If a [StackOverflowError] or an
/// [OutOfMemoryError] of the Java heap ends it, the row is appended, or not.
///
/// | cause | exception |
/// |---|---|
/// | the disk is full when the memory grows | [DiskFullException] |
/// | the table has its largest number of rows, or the budget of a reserved arena is exceeded | [CapacityExceededException] |
/// | the row has a component that does not fit, or null | as [RecordMapper#set] |
/// | the arena is closed, the table was freed, another owner has taken the image over, or the number of rows is damaged or exceeds the memory | [IllegalStateException] |
///
/// @param <R> the record class
public final class GrowableTable<R extends Record> {
    /// The least size by which the memory grows.
    private static final long LEAST_GROWTH = 1 << 16;

    private final String name;
    private final RecordMapper<R> mapper;
    private final ElementMemory memory;
    /// The memory of a table that can be changed, or null.
    private final @Nullable GrowableMemory writable;
    /// The number of rows when it was read last.
    private volatile long known;

    private GrowableTable(String name, RecordMapper<R> mapper, ElementMemory memory,
            @Nullable GrowableMemory writable) {
        this.name = name;
        this.mapper = mapper;
        this.memory = memory;
        this.writable = writable;
        known = size();
    }

    /// The table of the owner of an image.
    GrowableTable(String name, RecordMapper<R> mapper, GrowableMemory memory) {
        this(name, mapper, memory, memory);
    }

    /// A table that can only be read.
    GrowableTable(String name, RecordMapper<R> mapper, ElementMemory memory) {
        this(name, mapper, memory, null);
    }

    /// The mapper of a record class for a table, whose rows have a size.
    static <R extends Record> RecordMapper<R> checked(RecordMapper<R> mapper) {
        if (mapper.byteSize() == 0) {
            throw new IllegalArgumentException("Record has no components: type=" + mapper.type().name());
        }
        return mapper;
    }

    /// {@return the mapper of the rows}
    public RecordMapper<R> mapper() {
        return mapper;
    }

    /// Returns the number of rows, which never decreases. Rows that others have appended are counted.
    ///
    /// @return the number of rows
    /// @throws WrongThreadException  if the arena is confined to another thread
    /// @throws IllegalStateException if the arena is closed, or the number is damaged or exceeds the memory
    /// @throws UncheckedIOException  if the table was opened for reading, and the image cannot be read, or was closed
    public long size() {
        long count = memory.elementCount();
        long byteSize = memory.segment().byteSize();
        if (count > byteSize / mapper.byteSize()) {
            throw new IllegalStateException("Number of rows exceeds the memory: name=" + name + ", count=" + count
                    + ", byteSize=" + byteSize + "; verify the image");
        }
        known = count;
        return count;
    }

    /// {@return whether there are no rows}
    public boolean isEmpty() {
        return size() == 0;
    }

    /// Appends a row.
    ///
    /// @param row the row
    /// @return its index
    /// @throws CapacityExceededException     if the table has its largest number of rows, or a budget is exceeded
    /// @throws DiskFullException             if the disk has no room for more memory
    /// @throws UncheckedIOException          if the file system refuses the size, or the file was removed or replaced
    /// @throws IllegalArgumentException      if a component does not fit
    /// @throws WrongThreadException          if the arena is confined to another thread
    /// @throws IllegalStateException         if the arena is closed, the table was freed, or another owner has taken
    ///                                       the image over
    /// @throws UnsupportedOperationException if the table was opened for reading
    public long append(R row) {
        GrowableMemory to = writable();
        Objects.requireNonNull(row, "row");
        synchronized (to) {
            to.checkLive();
            long index = size();
            reserve(to, index + 1);
            if (to.hasUnforced()) {
                replaceUnforced(to, index, row);
            } else {
                MemorySegment rows = to.segment();
                // A process that was killed may have left a part of a row here, and a mapper does not write padding.
                rows.asSlice(index * mapper.byteSize(), mapper.byteSize()).fill((byte) 0);
                mapper.setAtIndex(rows, index, row);
            }
            to.elementCount(index + 1);
            known = index + 1;
            return index;
        }
    }

    /// Stores the first row that replaces rows that do not count. If the row does not fit, they stay.
    private void replaceUnforced(GrowableMemory to, long index, R row) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment written = mapper.allocateFrom(arena, List.of(row));
            to.discardUnforced();
            MemorySegment.copy(written, 0, to.segment(), index * mapper.byteSize(), mapper.byteSize());
        }
    }

    /// Appends rows, one after the other. If the process is killed, or an exception is thrown, the first rows may have
    /// been appended and the others not. Rows that other threads append meanwhile are between them.
    ///
    /// Memory for the rows of a [Collection] is reserved first.
    ///
    /// @param rows the rows
    /// @throws CapacityExceededException     as [#append]
    /// @throws DiskFullException             as [#append]
    /// @throws UnsupportedOperationException if the table was opened for reading
    public void appendAll(Iterable<? extends R> rows) {
        GrowableMemory to = writable();
        if (rows instanceof Collection<?> collection) {
            synchronized (to) {
                to.checkLive();
                reserve(to, size() + collection.size());
            }
        }
        for (R row : rows) {
            append(row);
        }
    }

    /// Grows the memory for a number of rows, and by a quarter at least, or by less if the disk has no room for that or
    /// a budget does not allow it.
    private void reserve(GrowableMemory to, long count) {
        long needed = count * mapper.byteSize();
        long present = to.byteSize();
        if (needed <= present) {
            return;
        }
        long step = Math.max(present / 4, LEAST_GROWTH);
        while (true) {
            long rounded = (present + step) & -PageSize.BYTES;
            long byteSize = Math.max(needed, Math.min(rounded, to.maxByteSize()));
            try {
                to.growStored(byteSize);
                return;
            } catch (DiskFullException | CapacityExceededException e) {
                if (byteSize == needed) {
                    throw e;
                }
                step /= 2;
            }
        }
    }

    /// Returns a row.
    ///
    /// @param index the index of the row, from 0
    /// @return the row
    /// @throws IndexOutOfBoundsException if there is no such row
    /// @throws IllegalArgumentException  if the bytes in memory have no meaning for the record
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed
    public R get(long index) {
        checkIndex(index);
        return mapper.getAtIndex(memory.segment(), index);
    }

    /// Counts the rows that were stored by a previous owner, and not forced before the image was moved. The machine of
    /// the previous owner must not have failed: after a power loss, these rows can be old, incomplete, or zero. Until a
    /// row is appended, they stay in the memory and do not count, because the image does not tell a move from a power
    /// loss. Opening such a table logs a warning with both numbers.
    ///
    /// If all stored rows count, this method changes nothing.
    ///
    /// @return the number of rows
    /// @throws WrongThreadException          if the arena is confined to another thread
    /// @throws IllegalStateException         if the arena is closed, the table was freed, another owner has taken the
    ///                                       image over, or the rows are not in the memory
    /// @throws UnsupportedOperationException if the table was opened for reading
    public long acceptUnforced() {
        GrowableMemory to = writable();
        synchronized (to) {
            to.acceptUnforced();
            return size();
        }
    }

    /// Replaces a row. If the process is killed meanwhile, the row may be half new and half old.
    ///
    /// @param index the index of the row, from 0
    /// @param row   the row
    /// @throws IndexOutOfBoundsException     if there is no such row
    /// @throws IllegalArgumentException      if a component does not fit
    /// @throws WrongThreadException          if the arena is confined to another thread
    /// @throws IllegalStateException         if the arena is closed, the table was freed, or another owner has taken
    ///                                       the image over
    /// @throws UnsupportedOperationException if the table was opened for reading
    public void set(long index, R row) {
        GrowableMemory to = writable();
        to.checkLive();
        checkIndex(index);
        mapper.setAtIndex(to.segment(), index, row);
    }

    private void checkIndex(long index) {
        if (index < 0 || index >= known) {
            Objects.checkIndex(index, size());
        }
    }

    private GrowableMemory writable() {
        if (writable == null) {
            throw new UnsupportedOperationException("Table was opened for reading: name=" + name
                    + "; only the owner of the image, which has an InfiniteArena, changes it");
        }
        return writable;
    }

    /// Passes all rows to an action, in their order. Rows that are appended meanwhile are not passed.
    ///
    /// @param action the action
    public void forEach(Consumer<? super R> action) {
        long size = size();
        for (long index = 0; index < size; index++) {
            action.accept(get(index));
        }
    }

    /// {@return the rows that the table has now, in their order; they are read while the stream is used}
    public Stream<R> stream() {
        return LongStream.range(0, size()).mapToObj(this::get);
    }

    /// Returns the memory of the rows that the table has now, for loops over a [field][RecordMapper], views and native
    /// code. Later rows are not in it. If the table was opened for reading, it is read-only.
    ///
    /// @return the rows, without a gap
    public MemorySegment segment() {
        long byteSize = size() * mapper.byteSize();
        return memory.segment().asSlice(0, byteSize);
    }

    /// {@return the name of the table and of the record class}
    @Override
    public String toString() {
        return "GrowableTable[name=" + name + ", type=" + mapper.type().name() + "]";
    }
}
