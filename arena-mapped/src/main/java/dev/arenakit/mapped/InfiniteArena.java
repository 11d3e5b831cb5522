package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.diagnostics.budget.Budget;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.arena.ArenaOptions;
import dev.arenakit.mapped.internal.arena.ChunkAllocator;
import dev.arenakit.mapped.internal.arena.DataFileWriter;
import dev.arenakit.mapped.internal.arena.GrowableAllocator;
import dev.arenakit.mapped.internal.arena.GrowableMemory;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.arena.OwnedImage;
import dev.arenakit.mapped.internal.arena.ResidentMemory;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.LockKind;
import dev.arenakit.mapped.internal.image.AllocationSealer;
import dev.arenakit.mapped.internal.image.ArenaParts;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.structure.Structures;
import dev.arenakit.mapped.internal.table.LongTable;
import dev.arenakit.mapped.internal.tree.TreeKeyForm;
import dev.arenakit.mapped.internal.tree.TreeStore;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// An arena whose memory is in sparse files, which remain after the arena is closed and after the process has died. It
/// can allocate as many terabytes as the address space holds.
///
/// **Backing.** The *base* of an arena is a path such as `dir/memory`. The arena creates the data files `dir/memory-0`,
/// `dir/memory-1` and so on, and maps each of them as a whole. Only the user who runs the process may read and write
/// them. The files are sparse: a page occupies disk space only after it has been written to. A plain arena creates a
/// file for each allocation, which contains nothing else. A [chunked][Builder#chunked()] arena creates large files, the
/// *chunks*, of 1 TiB by default, and slices allocations from them in ascending order. Segments are
/// [mapped][MemorySegment#isMapped()]. An allocation of size 0 has no file, unless it has a name
/// and the arena is plain: it can be [resized][#resize], and has an empty file.
///
/// An allocation may be larger than the files that the file system allows, which are smaller than 16 TiB on ext4. On
/// Linux with native access, the arena then reserves a range of addresses and maps several files into it, side by side.
/// The allocation is one segment. Each file counts as a mapping. The JDK does not know that the segment is mapped:
/// write it to the device by [#force(MemorySegment)] or [#force()]. Its segment can be neither advised, nor prefaulted,
/// nor measured. A [reserved][Builder#reserved()] arena has no such allocations.
///
/// **Image.** The catalog `dir/memory.catalog` records each allocation. Data files and catalog together are an *image*:
/// an [ArenaImage] lists its allocations at any time, in any process. An allocation that is made [with a
/// name][#allocate(String, StructType, long)] can be found by the name, also by a later process that reopens the image,
/// and its fields can be printed. The [catalog level][Builder#catalog] determines how much is recorded of the other
/// allocations. An image has at most one owner at a time, which holds a lock on `dir/memory.lock`. With native access
/// on Linux, the owner holds the lock until it closes the arena or its process ends, and locks the catalog, too, so
/// that files under other names have the same owner. Otherwise, a process loses the lock if any of its code closes a
/// channel on `dir/memory.lock`: do not open that file.
///
/// **Lifetime.** [#close()] invalidates all segments and unmaps the files. The files remain, even if the process dies.
/// They contain all stored bytes. If the machine itself fails, they contain the bytes that were stored before the last
/// [#force()]; [MemorySegment#force()] is not enough, because it writes a segment, but neither the catalog nor the
/// directory. A new arena never opens, overwrites or deletes an existing file: with a catalog, it skips the numbers of
/// data files that exist, and without, it refuses the allocation. To run a program again, [reopen][Builder#reopen()]
/// the image, use a [unique base][Builder#uniqueBase()], [delete the files on close][Builder#deleteOnClose()], or
/// remove the files of the previous run. [Builder#openOrCreate()] reopens the image of the previous run if there is
/// one.
///
/// **Threads.** All threads may use a shared arena at the same time. Only the thread that creates a confined arena may
/// use it.
///
/// **Contents.** Memory is zeroed. That takes no time, because new memory is a hole in a file.
///
/// **Alignment.** The largest alignment of an address is the page size of the machine, which is at least 4,096, and 2
/// MiB in a chunked arena.
///
/// **Exhaustion.** If an allocation does not fit into the rest of a chunk, the arena creates the next chunk. An
/// allocation larger than a chunk gets a file of its own. If the file system or the address space refuses a chunk, its
/// size is halved, down to 1 GiB. An allocation that fails has no effect:
///
/// | cause | exception |
/// |---|---|
/// | the file system refuses to create a file or to give it its size | [UncheckedIOException] |
/// | the address space is exhausted, for example by a second range of 64 TiB | [OutOfMemoryError], which says how large a range is free |
/// | the process has reached the limit of 10,000 file mappings | [CapacityExceededException] |
/// | the disk is full when a file is created or the catalog grows | [DiskFullException] |
///
/// **A full disk is not reported by an allocation,** unless the arena is [reserved][Builder#reserved()]: files are
/// sparse, and a page gets its space at the first store. If there is none, the store throws [InternalError]. Do not
/// rely on catching it: compiled code may run on and throw later, outside of the handler. If native code makes the
/// store, the process is terminated. Methods of this class that store a text or an array throw [DiskFullException]
/// instead. In a reserved arena, the allocation throws [DiskFullException], and stores need no space.
///
/// **Errors of the JVM.** After a [StackOverflowError], or an [OutOfMemoryError] of the Java heap, no memory is
/// allocated twice, and none is unmapped before the arena is closed. The interrupted call may have allocated memory
/// that it has not returned. It may leave an empty data file, which [Builder#deleteOnClose()] or the next owner
/// deletes. An interrupted [#close()] may leave files, and the image without another owner until the process ends.
///
/// **Cost.** A plain allocation creates a file and a mapping, in 20 to 150 microseconds. A chunked allocation bumps a
/// pointer, in some 5 nanoseconds, and is recorded, which takes 10 to 30 nanoseconds at either level. The first store
/// to a page takes microseconds. With a catalog, opening and closing an arena creates two more files, in a millisecond;
/// the first arena of a process also links the native calls for its lock, in a fifth of a second. An allocation in
/// eight files takes some 4 milliseconds, and the first such allocation of a process also links its native calls.
/// Closing a shared arena stops all threads for some 20 microseconds. When addresses are scarce, the JDK collects
/// garbage and waits for a tenth of a second before each refusal: choose a smaller chunk if `ulimit -v` is tight.
///
/// **Flags.** Native access is used for the locks of images and for allocations in several files, on Linux (x86-64 and
/// aarch64), and a reserved arena needs it. Pass `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class
/// path, to avoid Java's warning. If it is denied, the arena works, with locks that other code can release, and an
/// allocation that is larger than a file is refused. An interrupt ends no call of an arena, but without native access
/// it can leave a file mapped until the process ends. With native access, that can happen only while an existing file
/// of a reopened image, or a catalog that grows, is mapped. Such a mapping remains in the count of mappings.
///
/// {@snippet file="dev/arenakit/mapped/InfiniteArenaExample.java" region="example"}
public final class InfiniteArena implements Arena {
    private final ArenaParts open;
    private final DataFileWriter files;
    private final ChunkAllocator memory;
    private final GrowableAllocator growing;
    private final NamedAllocations names;
    private final ResidentMemory pages;
    private final Structures structures;

    private InfiniteArena(ArenaParts open) {
        this.open = open;
        files = open.files;
        memory = open.memory;
        growing = open.growing;
        names = open.names;
        pages = open.pages;
        structures = open.structures;
    }

    /// {@return a new shared arena, which creates a file for each allocation}
    ///
    /// @param base the path of the files without their numbers; its parent exists
    public static InfiniteArena ofShared(Path base) {
        return builder(base).build();
    }

    /// {@return a new arena confined to the current thread, which creates a file for each allocation}
    ///
    /// @param base the path of the files without their numbers; its parent exists
    public static InfiniteArena ofConfined(Path base) {
        return builder(base).confined().build();
    }

    /// {@return a builder of an arena, which is shared and plain by default}
    ///
    /// @param base the path of the files without their numbers; its parent exists
    /// @throws IllegalArgumentException if the path has no file name to which a number can be appended
    public static Builder builder(Path base) {
        return new Builder(base);
    }

    /// {@return the path of the files without their numbers: the given base, or the unique base derived from it}
    public Path base() {
        return files.base();
    }

    /// Allocates zeroed memory in a file.
    ///
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment of the address in bytes, a power of two, at most the page size (chunked: 2
    ///                      MiB)
    /// @return the memory
    /// @throws IllegalArgumentException  if the size is negative, or the alignment is not as described
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed
    /// @throws UncheckedIOException      if the file system refuses the file
    /// @throws CapacityExceededException if the process has 10,000 file mappings
    /// @throws OutOfMemoryError          if the address space is exhausted
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        memory.checkAlignment(byteAlignment);
        // C2 compiles this method and the allocator to one method, which is too big to be inlined. If the allocator did
        // all of this, there would be two calls.
        try {
            return memory.allocate(byteSize, byteAlignment);
        } catch (DiskFullException | CapacityExceededException e) {
            files.freeSpaceAfter(e);
            return memory.allocate(byteSize, byteAlignment);
        }
    }

    /// Allocates memory for a text as other arenas do.
    ///
    /// @throws DiskFullException if the disk is full when the text is stored
    @Override
    public MemorySegment allocateFrom(String text, Charset charset) {
        try {
            return Arena.super.allocateFrom(text, charset);
        } catch (InternalError e) {
            throw FileErrors.store(base(), e);
        }
    }

    /// Allocates memory for elements as other arenas do. All methods that take arrays use this method.
    ///
    /// @throws DiskFullException if the disk is full when the elements are stored
    @Override
    public MemorySegment allocateFrom(ValueLayout elementLayout, MemorySegment source, ValueLayout sourceElementLayout,
            long sourceOffset, long elementCount) {
        try {
            return Arena.super.allocateFrom(elementLayout, source, sourceElementLayout, sourceOffset, elementCount);
        } catch (InternalError e) {
            throw FileErrors.store(base(), e);
        }
    }

    /// Allocates zeroed memory for structs, and records it with a name and a type.
    ///
    /// ```java
    /// MemorySegment orders = arena.allocate("orders", ORDERS.type(), 1_000_000); // RecordMapper<Order> ORDERS
    /// ```
    ///
    /// @param name  a name that no live allocation of the image has, of 1 to 1,024 characters; it contains no control
    ///              character and does not begin with `#`
    /// @param type  the type of the structs; its text is stored in the image, so that `arena show` can decode them
    /// @param count the number of structs
    /// @return memory for these structs, with their alignment
    /// @throws IllegalArgumentException  if an argument is not as described, the name is in use, or the alignment of
    ///                                   the type is larger than the arena supports
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed, or has no catalog
    /// @throws UncheckedIOException      if the file system refuses the file, or the catalog cannot grow
    /// @throws CapacityExceededException if the process has 10,000 file mappings
    /// @throws OutOfMemoryError          if the address space is exhausted
    public MemorySegment allocate(String name, StructType type, long count) {
        return names.allocate(name, type, count);
    }

    /// Allocates zeroed bytes, and records them with a name and without a type. `arena show` decodes them by the type
    /// that its option `--type` gives.
    ///
    /// Otherwise, this method behaves as [#allocate(String, StructType, long)] does.
    ///
    /// @param name          the name
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment of the address in bytes, as in [#allocate(long, long)]
    /// @return the memory
    public MemorySegment allocate(String name, long byteSize, long byteAlignment) {
        return names.allocate(name, byteSize, byteAlignment);
    }

    /// Returns the structs that have the name, of this arena or of a previous owner of a [reopened][Builder#reopen()]
    /// image, or else allocates them and records them with the name. Of several threads that ask for a new name at the
    /// same time, one allocates, and all get its memory.
    ///
    /// ```java
    /// MemorySegment orders = arena.getOrAllocate("orders", ORDERS.type(), 1_000_000); // zeros in the first run
    /// ```
    ///
    /// Otherwise, this method behaves as [#get(String, StructType)] and [#allocate(String, StructType, long)] do.
    ///
    /// @param name  the name
    /// @param type  the type of the structs
    /// @param count the number of structs
    /// @return memory for these structs
    /// @throws IllegalArgumentException if an argument is not as described, or the alignment of the type is larger than
    ///                                  the arena supports
    /// @throws IllegalStateException    also if the live allocation has another type or another number of structs:
    ///                                  [#resize] changes the number in a plain arena, and
    ///                                  [#growable(String, StructType, long)] is for structs whose number grows
    public MemorySegment getOrAllocate(String name, StructType type, long count) {
        return names.getOrAllocate(name, type, count);
    }

    /// Reserves addresses for memory that grows in place, from a size of 0. It has a data file of its own, also in a
    /// chunked arena.
    ///
    /// In a [reserved][Builder#reserved()] arena, the blocks of new memory are reserved whenever it grows, and there is
    /// one file: the file system must allow a file of the largest size.
    ///
    /// @param maxByteSize the size in bytes up to which it can grow, above 0
    /// @return the memory, whose address is aligned to the page size
    /// @throws IllegalArgumentException  if the size is not positive
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed
    /// @throws UncheckedIOException      if the file system refuses the file
    /// @throws CapacityExceededException if the process has 10,000 file mappings
    /// @throws OutOfMemoryError          if the address space has no range of this size
    public GrowableSegment growable(long maxByteSize) {
        // The object is allocated first: nothing can fail after the memory is recorded.
        return new GrowableSegment(growing.allocate(maxByteSize));
    }

    /// Opens structs whose number grows: the live allocation that has the name, in this arena or in a
    /// [reopened][Builder#reopen()] image, or else new memory that grows from a size of 0, which is recorded with the
    /// name and the type.
    ///
    /// The memory that is opened has its present size, and grows in place up to the largest size that was recorded when
    /// it was allocated. A smaller `maxCount` is accepted, and changes nothing. All objects for one name share the
    /// memory. A [reserved][Builder#reserved()] arena reserves memory of a previous owner up to its present size.
    ///
    /// ```java
    /// GrowableSegment trades = arena.growable("trades", TRADES.type(), 1L << 40); // RecordMapper<Trade> TRADES
    /// long count = trades.elementCount();                                         // 0 if it is new
    /// TRADES.setAtIndex(trades.grow((count + 1) * TRADES.byteSize()), count, trade);
    /// trades.elementCount(count + 1);
    /// ```
    ///
    /// Otherwise, this method behaves as [#growable(long)] and [#allocate(String, StructType, long)] do.
    ///
    /// @param name     the name
    /// @param type     the type of the structs
    /// @param maxCount the number of structs up to which the memory can grow at least, above 0
    /// @return the memory
    /// @throws IllegalArgumentException if an argument is not as described, or the alignment of the type is larger than
    ///                                  a page
    /// @throws IllegalStateException    also if the live allocation has another type, was not made to grow, or has a
    ///                                  smaller largest size than requested; if an earlier version of the format
    ///                                  records it, it was not made to grow
    public GrowableSegment growable(String name, StructType type, long maxCount) {
        long maxByteSize = NamedAllocations.byteSize(name, type, maxCount);
        return new GrowableSegment(names.growable(name, type, maxByteSize, maxByteSize));
    }

    /// Opens a table of rows: the table that has the name, in this arena or in a [reopened][Builder#reopen()] image, or
    /// else a new one, which can grow to 256 GiB.
    ///
    /// ```java
    /// GrowableTable<Trade> trades = arena.table("trades", Trade.class);
    /// trades.append(trade);
    /// ```
    ///
    /// Otherwise, this method behaves as [#growable(String, StructType, long)] does.
    ///
    /// @param name the name
    /// @param type the record class of the rows, as [RecordMapper#of(Class)] takes it
    /// @param <R>  the record class
    /// @return the table
    /// @throws IllegalArgumentException also if the record has no mapper, or no components
    /// @throws IllegalStateException    also if the number of rows is damaged or exceeds the memory, or was never stored
    ///                                  for memory that is not empty
    public <R extends Record> GrowableTable<R> table(String name, Class<R> type) {
        return table(name, GrowableTable.checked(RecordMapper.of(type)), GrowableTable.MAX_BYTE_SIZE, 1);
    }

    /// Opens a table of rows as [#table(String, Class)] does, which can grow to a number of rows.
    ///
    /// @param name     the name
    /// @param mapper   the mapper of the rows
    /// @param maxCount the number of rows up to which the table can grow at least, above 0
    /// @param <R>      the record class
    /// @return the table
    public <R extends Record> GrowableTable<R> table(String name, RecordMapper<R> mapper, long maxCount) {
        long maxByteSize = NamedAllocations.byteSize(name, GrowableTable.checked(mapper).type(), maxCount);
        return table(name, mapper, maxByteSize, maxByteSize);
    }

    private <R extends Record> GrowableTable<R> table(String name, RecordMapper<R> mapper, long maxByteSize,
            long leastMaxByteSize) {
        GrowableMemory rows = names.growable(name, mapper.type(), maxByteSize, leastMaxByteSize);
        rows.requireCount(name);
        return new GrowableTable<>(name, mapper, rows);
    }

    /// Opens a map from longs to longs: the live structure that has the name, in this arena or in a
    /// [reopened][Builder#reopen()] image, or else a new one. It reserves 256 GiB of addresses, and grows within them.
    ///
    /// @param name the name
    /// @return the map
    /// @throws IllegalArgumentException  if the name is not as described for [#allocate(String, StructType, long)]
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed, or has no catalog; if the live allocation has another
    ///                                   type, or is damaged; or if the machine failed while the map was open: call
    ///                                   [#repairStructure]
    /// @throws UncheckedIOException      if the file system refuses the file, or the catalog cannot grow
    /// @throws CapacityExceededException if the process has 10,000 file mappings
    /// @throws OutOfMemoryError          if the address space is exhausted
    public ImageLongMap longMap(String name) {
        return new ImageLongMap(structures.open(name, ImageLongMap.TYPE, LongTable.class, LongTable::open));
    }

    /// Opens a tree from longs to longs: the live structure that has the name, in this arena or in a
    /// [reopened][Builder#reopen()] image, or else a new one. If the machine failed while the tree was open, it is the
    /// tree of the last [#force()].
    ///
    /// Otherwise, this method behaves as [#longMap] does.
    ///
    /// @param name the name
    /// @return the tree
    public ImageLongTree longTree(String name) {
        return new ImageLongTree(structures.open(name, ImageLongTree.TYPE, TreeStore.class,
                owned -> TreeStore.open(owned, Long.BYTES, Long.BYTES)));
    }

    /// Opens a tree, or creates it, as [#longTree] does.
    ///
    /// ```java
    /// ImageTree<String, Order> orders = arena.tree("orders", String.class, Order.class); // record Order(…)
    /// ```
    ///
    /// @param name   the name
    /// @param keys   the class of the keys: `Long.class`, `String.class`, `byte[].class`, or a record class
    /// @param values the class of the values: `Long.class`, or a record class that [RecordMapper#of(Class)] maps
    /// @param <K>    the class of the keys
    /// @param <V>    the class of the values
    /// @return the tree
    /// @throws IllegalArgumentException also if a class is not as described, or the values are larger than a tree
    ///                                  supports
    public <K, V> ImageTree<K, V> tree(String name, Class<K> keys, Class<V> values) {
        return tree(name, ImageTree.Form.of(TreeKeyForm.of(keys), values));
    }

    /// Opens a tree whose values are records, or creates it, as [#tree(String, Class, Class)] does. In a module, use
    /// this method: `RecordMapper.of(lookup(), Order.class)`.
    ///
    /// @param name   the name
    /// @param keys   the class of the keys: `Long.class`, `String.class`, `byte[].class`, or a record class
    /// @param values the mapper of the values
    /// @param <K>    the class of the keys
    /// @param <V>    the class of the values
    /// @return the tree
    /// @throws IllegalArgumentException also if a class is not as described, or the values are larger than a tree
    ///                                  supports
    public <K, V> ImageTree<K, V> tree(String name, Class<K> keys, RecordMapper<V> values) {
        return tree(name, ImageTree.Form.of(TreeKeyForm.of(keys), values));
    }

    /// Opens a tree whose keys and values are records, or creates it, as [#tree(String, Class, RecordMapper)] does.
    ///
    /// @param name   the name
    /// @param keys   the mapper of the keys
    /// @param values the mapper of the values
    /// @param <K>    the class of the keys
    /// @param <V>    the class of the values
    /// @return the tree
    /// @throws IllegalArgumentException also if a component of the keys has no order, if keys can be longer than 512
    ///                                  bytes, or if the values are larger than a tree supports
    public <K, V> ImageTree<K, V> tree(String name, RecordMapper<K> keys, RecordMapper<V> values) {
        return tree(name, ImageTree.Form.of(TreeKeyForm.of(keys), values));
    }

    /// Opens a tree whose keys are records, or creates it, as [#tree(String, RecordMapper, RecordMapper)] does.
    ///
    /// @param name   the name
    /// @param keys   the mapper of the keys
    /// @param values the class of the values
    /// @param <K>    the class of the keys
    /// @param <V>    the class of the values
    /// @return the tree
    /// @throws IllegalArgumentException as in [#tree(String, RecordMapper, RecordMapper)]
    public <K, V> ImageTree<K, V> tree(String name, RecordMapper<K> keys, Class<V> values) {
        return tree(name, ImageTree.Form.of(TreeKeyForm.of(keys), values));
    }

    private <K, V> ImageTree<K, V> tree(String name, ImageTree.Form<K, V> form) {
        return new ImageTree<>(form, structures.open(name, form.type(), TreeStore.class,
                owned -> TreeStore.open(owned, form.keys().keyByteSize(), form.values().byteSize())));
    }

    /// Repairs a structure that was open when the machine failed, or whose bytes were changed by something else than its
    /// owner. Entries are kept that can be verified.
    ///
    /// Each entry of an [ImageLongMap] that is kept was in the map once, and after a failure of the machine, it may have
    /// been removed or replaced since. There is one check for up to three entries. A tree that was open when the machine
    /// failed is the tree of the last [#force()]. If pages of a tree are damaged, the tree is built anew from the other
    /// pages, and the ranges of the lost keys are returned. A structure that is complete, or that this arena has open,
    /// stays as it is: if it is open and damaged, reopen the image, and call this method first.
    ///
    /// If the process is killed meanwhile, call this method again.
    ///
    /// @param name the name of the structure
    /// @return the numbers of entries
    /// @throws NoSuchElementException   if no live allocation has the name
    /// @throws IllegalArgumentException if the allocation is not a structure, or is of a kind that this build does not
    ///                                  read
    /// @throws WrongThreadException     if the arena is confined to another thread
    /// @throws IllegalStateException    if the arena is closed, or has no catalog, or the header or the
    ///                                  root is damaged; nothing has changed
    public StructureRepair repairStructure(String name) {
        StructType type = names.typeOf(name);
        StructureKind kind = StructureKind.of(name, type.name());
        return structures.repair(name, type, StructureRepair.NONE, owned -> switch (kind) {
            case LONG_MAP -> LongTable.repair(owned);
            case TREE -> TreeStore.repair(owned);
        });
    }

    /// Grows an allocation with a name to a number of structs of its type, or of bytes if it has no type. Earlier
    /// segments stay valid and share its memory. A number that is not larger than the present one has no effect.
    ///
    /// An allocation that was made by [#growable(String, StructType, long)] grows in place, up to the largest size that
    /// was given then, from the moment at which [#growable(String, StructType, long)] or this method first opens it.
    /// Any other allocation of a plain arena may have any size, also 0 at first. It gets another address, and each call
    /// takes one of the 10,000 mappings. Any other allocation of a chunked arena cannot be resized.
    ///
    /// @param name  the name
    /// @param count the number of structs or bytes
    /// @return its memory, of at least this number of structs or bytes
    /// @throws NoSuchElementException    if no live allocation has the name
    /// @throws IllegalArgumentException  if the number is negative
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed, or has no catalog, or the allocation has no data file
    ///                                   of its own, or several
    /// @throws UncheckedIOException      if the file system refuses the size, or its file is missing, truncated or
    ///                                   replaced
    /// @throws DiskFullException         if the arena is [reserved][Builder#reserved()] and the disk has no room for
    ///                                   the new structs; nothing has changed
    /// @throws CapacityExceededException if the process has 10,000 file mappings, the memory was made to grow and its
    ///                                   largest size is smaller, or the budget of a reserved arena is exceeded
    public MemorySegment resize(String name, long count) {
        return names.resize(name, count);
    }

    /// Allocates zeroed memory for values of a JDK layout, and records it with a name and a type. A struct layout is
    /// converted by [StructType#of]. Any other layout is recorded as a struct without a name whose only member is
    /// `value`.
    ///
    /// Otherwise, this method behaves as [#allocate(String, StructType, long)] does.
    ///
    /// @param name   the name
    /// @param layout the layout of a value
    /// @param count  the number of values
    /// @return memory for these values
    /// @throws IllegalArgumentException also if [MemoryType#of] refuses the layout
    public MemorySegment allocate(String name, MemoryLayout layout, long count) {
        return names.allocate(name, names.typeOf(layout), count);
    }

    /// Finds an allocation of this arena, or of a previous owner of a [reopened][Builder#reopen()] image, by its name.
    ///
    /// @param name the name
    /// @return its memory, or empty if no live allocation has that name
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed, or has no catalog
    /// @throws UncheckedIOException      if its data file is missing, truncated, or cannot be mapped
    /// @throws CapacityExceededException if the process has 10,000 file mappings
    public Optional<MemorySegment> find(String name) {
        return names.find(name);
    }

    /// Finds an allocation by its name, and checks its type. The check detects structs that an earlier release of a
    /// program has written with another layout.
    ///
    /// Otherwise, this method behaves as [#find(String)] does.
    ///
    /// @param name the name
    /// @param type the expected type
    /// @return its memory, or empty if no live allocation has that name
    /// @throws IllegalStateException also if it was allocated with another type; the message names the first member
    ///                               that differs
    public Optional<MemorySegment> find(String name, StructType type) {
        return names.find(name, type);
    }

    /// Returns an allocation of this arena, or of a previous owner of a [reopened][Builder#reopen()] image.
    ///
    /// @param name the name
    /// @return its memory
    /// @throws NoSuchElementException    if no live allocation has that name; the message has some of the existing
    ///                                   names
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed, or has no catalog
    /// @throws UncheckedIOException      if its data file is missing, truncated, or cannot be mapped
    /// @throws CapacityExceededException if the process has 10,000 file mappings
    /// @see #find(String)
    public MemorySegment get(String name) {
        return names.get(name);
    }

    /// Returns an allocation, and checks its type as [#find(String, StructType)] does.
    ///
    /// Otherwise, this method behaves as [#get(String)] does.
    ///
    /// ```java
    /// MemorySegment orders = arena.get("orders", ORDERS.type()); // RecordMapper<Order> ORDERS
    /// ```
    ///
    /// @param name the name
    /// @param type the expected type
    /// @return its memory
    /// @throws IllegalStateException also if it was allocated with another type; the message names the first member
    ///                               that differs
    public MemorySegment get(String name, StructType type) {
        return names.get(name, type);
    }

    /// Returns the names of the live allocations of this arena, and of previous owners of a
    /// [reopened][Builder#reopen()] image. The list is a snapshot. It is copied and sorted from the names in the heap:
    /// the catalog is not read.
    ///
    /// @return the names in alphabetical order
    /// @throws WrongThreadException  if the arena is confined to another thread
    /// @throws IllegalStateException if the arena is closed, or has no catalog
    public List<String> names() {
        return names.names();
    }

    /// Frees the name of an allocation. Readers list the allocation as freed, and its name may be used again; each use
    /// adds the name to the catalog. Its memory keeps its contents and its space: [#free(MemorySegment)] frees contents,
    /// space and name.
    ///
    /// **Memory that grows** is freed wholly: structures, tables and growable segments give back contents, space and
    /// addresses, as described for [#free(MemorySegment)]. **Do not use them afterwards:** most calls throw
    /// [IllegalStateException], and others find no entries. On other systems than Linux on x86-64 or aarch64, or if native
    /// access is denied, they keep contents and space.
    ///
    /// @param name the name
    /// @throws IllegalArgumentException if no live allocation has the name
    /// @throws WrongThreadException     if the arena is confined to another thread
    /// @throws IllegalStateException    if the arena is closed, or has no catalog
    public void free(String name) {
        names.free(name);
    }

    /// Frees an allocation: its name is free, readers list it as freed, and its contents and its space go.
    ///
    /// **The space comes back later,** for many allocations at a time, because the catalog is written to the device
    /// first: when 1,000 allocations or 64 MiB have been freed, when [#force()] or [#close()] is called, and when an
    /// allocation finds the disk full or no mapping left. Until then, the bytes can still be read.
    ///
    /// | the allocation | what becomes of it |
    /// |---|---|
    /// | has data files of its own, as in a plain arena | the files are removed, and their mappings are given up |
    /// | has 1 MiB or more of a chunk | it becomes a hole of the file |
    /// | has less of a chunk | the written bytes are set to zero |
    /// | is in a [reserved][Builder#reserved()] arena | the written bytes are set to zero, and the blocks are kept |
    ///
    /// The range, or the number of the file, is never used again. Addresses that memory which grows has reserved, and not
    /// used, are used again.
    ///
    /// **Do not use the segment, or a slice of it, afterwards.** A scope cannot end for a single segment: until the
    /// arena is closed, an access succeeds, here and in processes that are [attached][ArenaImage#attach]. A store takes
    /// space again, which nobody will free. If the file was removed, this process reads zeros, and a store goes to
    /// memory of its own; an attached process keeps the file, and its space, until it closes its arena.
    ///
    /// If the memory has grown, only the segment of its present size can be freed. It cannot grow afterwards.
    ///
    /// If the process dies, the next owner frees the space of what it has freed. If the machine fails, an allocation is
    /// live and complete, or it is freed; the space of the allocations that were freed last may be lost until the image
    /// is deleted.
    ///
    /// The first call reads the catalog, and each later call reads the records that were added since. The index takes
    /// some 60 bytes of heap for each allocation that has a record of its own, or for up to 503 that share one.
    ///
    /// @param segment a segment exactly as this arena returned it, of a size above 0
    /// @throws IllegalArgumentException      if the segment is a slice, foreign, read-only, of size 0, or already
    ///                                       freed, also by [#free(String)]
    /// @throws WrongThreadException          if the arena is confined to another thread
    /// @throws IllegalStateException         if the arena is closed, or has no catalog
    /// @throws UncheckedIOException          if the file system fails, or a file was replaced, so that the space of this
    ///                                       allocation, or of one freed before, cannot be freed; it is freed
    ///                                       nevertheless
    /// @throws UnsupportedOperationException if the system is not Linux on x86-64 or aarch64
    /// @throws IllegalCallerException        if native access is denied
    public void free(MemorySegment segment) {
        names.free(segment);
    }

    /// Records checksums of the contents of an allocation, with which [ArenaImage#damage] and `arena verify --data`
    /// detect bytes that have changed since.
    ///
    /// A seal describes one moment. Bytes that are stored later differ from it until the allocation is sealed again.
    /// Bytes that any thread stores while this method reads may differ from it, too. Seal memory that nobody stores to.
    /// Memory that [grows][#resize] later is not sealed. The seal of a freed allocation has no effect, and another
    /// allocation with the same name is not sealed.
    ///
    /// The memory is divided into blocks of 1 MiB. The catalog gets 8 bytes for each block that has other bytes than
    /// zeros (CRC-32C), and some 128 for each seal; the space of earlier seals is not freed. Holes are not read, and
    /// stay holes. All other bytes are read once from the file, at some GB per second if they are in memory. Without
    /// native access, holes are read as zeros, which takes minutes for a terabyte.
    ///
    /// If the process dies or the disk is full meanwhile, the previous seal is valid. If the machine fails, a seal is
    /// valid that was followed by [#force()].
    ///
    /// ```java
    /// TRADES.setAtIndex(trades, 7, trade);
    /// arena.seal("trades");
    /// arena.force();
    /// ```
    ///
    /// @param name the name
    /// @return the seal
    /// @throws NoSuchElementException    if no live allocation has the name
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed, also meanwhile, or has no catalog
    /// @throws UncheckedIOException      if a data file is missing, truncated or cannot be read, or the catalog cannot
    ///                                   grow
    /// @throws CapacityExceededException if the catalog is full, or must grow and the process has 10,000 file mappings
    /// @see ArenaImage#seal(Path, java.util.function.Predicate)
    public Seal seal(String name) {
        Objects.requireNonNull(name, "name");
        try {
            return sealer(name).seal(names.line(name));
        } catch (UncheckedIOException e) {
            // If the arena was closed meanwhile and its files were deleted, report that.
            memory.checkOpen();
            throw e;
        }
    }

    /// Seals allocations of the image, which need not have names, and writes the image to the device.
    ///
    /// @return the number of allocations
    long sealAll(Stream<Allocation> allocations) {
        return sealer("").sealAll(allocations, this::force);
    }

    /// Tells the kernel how memory is going to be used. The advice holds for all pages that the segment touches.
    ///
    /// [Advice#RANDOM], [Advice#SEQUENTIAL] and [Advice#NORMAL] are properties of a mapping. If they are given for a
    /// part of a file, they split its mapping, which then counts as several of the 10,000 mappings of the process: give
    /// them for large segments, or build the arena with [Builder#randomAccess()].
    ///
    /// @param segment a segment of this arena, or a slice of such a segment
    /// @param advice  how the memory is going to be used
    /// @throws IllegalArgumentException      if the segment is not in a file of this arena
    /// @throws WrongThreadException          if the arena is confined to another thread
    /// @throws IllegalStateException         if the arena is closed
    /// @throws CapacityExceededException     if the process has 10,000 file mappings
    /// @throws UnsupportedOperationException if the segment has several files, or the kernel does not know the advice
    /// @throws IllegalCallerException        if native access is denied
    public void advise(MemorySegment segment, Advice advice) {
        Objects.requireNonNull(advice, "advice");
        memory.checkOpen();
        pages.advise(segment, advice.use(), advice.isProperty());
    }

    /// Reads memory into the main memory and prepares its pages for stores, so that the first store to a page is as
    /// fast as later ones. **Holes become data:** afterwards, the segment takes as much space on the disk as it is
    /// large. Its contents do not change.
    ///
    /// @param segment a segment of this arena, or a slice of such a segment
    /// @throws IllegalArgumentException      if the segment is not in a file of this arena
    /// @throws WrongThreadException          if the arena is confined to another thread
    /// @throws IllegalStateException         if the arena is closed
    /// @throws DiskFullException             if the disk has no space for all pages; some have got theirs
    /// @throws UnsupportedOperationException if the segment has several files, the kernel is older than Linux 5.14, or
    ///                                       the system is not Linux on x86-64 or aarch64
    /// @throws IllegalCallerException        if native access is denied
    public void prefault(MemorySegment segment) {
        memory.checkOpen();
        pages.prefault(segment);
    }

    /// Returns how many bytes of a segment are in the main memory now. The time is proportional to the size: some tens
    /// of nanoseconds for each page, also in holes.
    ///
    /// @param segment a segment of this arena, or a slice of such a segment
    /// @return the number of bytes, at most the size of the segment
    /// @throws IllegalArgumentException      if the segment is not in a file of this arena
    /// @throws WrongThreadException          if the arena is confined to another thread
    /// @throws IllegalStateException         if the arena is closed
    /// @throws UnsupportedOperationException if the segment has several files, or the system is not Linux on x86-64 or
    ///                                       aarch64
    /// @throws IllegalCallerException        if native access is denied
    public long residentBytes(MemorySegment segment) {
        memory.checkOpen();
        return pages.residentBytes(segment);
    }

    /// Writes the data files, the catalog and their directory entries to the device, so that they survive a failure of
    /// the machine. Concurrent stores may or may not be written. The space of [freed][#free(MemorySegment)] allocations
    /// is freed.
    ///
    /// The [counts of elements][GrowableSegment#elementCount()] that had been stored when this method began are written
    /// last: after a failure of the machine, all elements that are counted are there.
    ///
    /// What a killed owner has left in this boot of the machine is written, too, whether this process has opened it or
    /// not. A damaged structure does not prevent that all others are written.
    ///
    /// @throws WrongThreadException    if the arena is confined to another thread
    /// @throws ImageTakenOverException if another owner has taken the image over
    /// @throws IllegalStateException   if the arena is closed, or structures are damaged; everything else was written
    /// @throws UncheckedIOException    if the device fails, or the space of a freed allocation cannot be freed
    public void force() {
        memory.checkOpen();
        files.freeSpace();
        structures.force();
    }

    /// Writes the contents of a segment to the device. Unlike [#force()], this method writes neither other memory, nor
    /// the catalog with its counts of elements, nor the directory.
    ///
    /// [MemorySegment#force()] does the same, except for a segment that has several files, which the JDK does not know
    /// to be mapped.
    ///
    /// @param segment memory of this arena
    /// @throws IllegalArgumentException if the segment has another scope
    /// @throws WrongThreadException     if the arena is confined to another thread
    /// @throws IllegalStateException    if the arena is closed
    /// @throws UncheckedIOException     if the device fails
    public void force(MemorySegment segment) {
        files.force(segment);
    }

    /// {@return the scope of all segments of this arena}
    @Override
    public MemorySegment.Scope scope() {
        return open.scope();
    }

    /// Closes the arena: frees the space of freed allocations, invalidates all segments, and unmaps the files. They are
    /// deleted if the arena was built with [Builder#deleteOnClose()]. If structures or numbers of elements have changed
    /// since the last [#force()], or a killed owner has left such changes, everything is written to the device first: any
    /// machine trusts them then. Other stores, such as [GrowableTable#set], are not a reason to write. A change that another
    /// thread makes during this call has happened and is kept, or throws an [IllegalStateException].
    ///
    /// @throws WrongThreadException  if the arena is confined to another thread
    /// @throws IllegalStateException if the arena is already closed, or a segment is in use; nothing has changed. Also if
    ///                               structures are damaged: all others are complete, and the arena is closed
    /// @throws UncheckedIOException  if a file could not be deleted, or the space of a freed allocation could not be
    ///                               freed; all others were, and the arena is closed. Also if the device fails, or the
    ///                               directory was removed, while structures or numbers of elements are written: the
    ///                               arena is closed, and the image is as after a kill
    @Override
    public void close() {
        open.close();
    }

    private AllocationSealer sealer(String label) {
        return new AllocationSealer(base(), names.catalog(label));
    }

    /// Configures and builds an arena.
    public static final class Builder {
        private final Path base;
        private final ArenaOptions options = new ArenaOptions();

        private Builder(Path base) {
            Path name = base.getFileName();
            if (name == null || name.toString().isEmpty()) {
                throw new IllegalArgumentException(
                        "Base has no file name: base=" + base + "; pass a directory and the beginning of a file name");
            }
            this.base = base;
        }

        /// Slices allocations from chunks of 1 TiB, instead of creating a file for each.
        ///
        /// @return this builder
        public Builder chunked() {
            return chunked(ArenaOptions.DEFAULT_CHUNK_BYTE_SIZE);
        }

        /// Slices allocations from chunks of the given size, instead of creating a file for each.
        ///
        /// @param chunkByteSize the size of a chunk in bytes; it is halved, down to 1 GiB, while the system refuses it
        /// @return this builder
        /// @throws IllegalArgumentException if the size is not positive, or larger than an address space
        public Builder chunked(long chunkByteSize) {
            if (chunkByteSize <= 0 || chunkByteSize > Sizes.ADDRESSABLE) {
                throw new IllegalArgumentException("Chunk size out of range: chunkByteSize=" + chunkByteSize
                        + ", smallest=1, largest=" + Sizes.ADDRESSABLE);
            }
            options.chunkByteSize = chunkByteSize;
            return this;
        }

        /// Confines the arena to the thread that builds it. By default, it is shared.
        ///
        /// @return this builder
        public Builder confined() {
            options.confined = true;
            return this;
        }

        /// Deletes the files when the arena is closed. If the process dies first, or another owner has taken the image
        /// over, they remain.
        ///
        /// @return this builder
        public Builder deleteOnClose() {
            options.deleteOnClose = true;
            return this;
        }

        /// Appends the current time and the process id to the base when the arena is built, so that a program can run
        /// again while the files of its previous runs remain. [InfiniteArena#base()] returns that base.
        ///
        /// @return this builder
        public Builder uniqueBase() {
            options.uniqueBase = true;
            return this;
        }

        /// Sets how much the catalog records of each allocation. The default is [CatalogLevel#FULL] if each allocation
        /// has a file, and [CatalogLevel#SIZES] if the arena is chunked.
        ///
        /// @param level how much is recorded
        /// @return this builder
        public Builder catalog(CatalogLevel level) {
            options.level = Objects.requireNonNull(level, "level");
            return this;
        }

        /// Allows a base in a directory in which other users may replace the files of the arena.
        ///
        /// By default, the directory and its parents must belong to the effective user of the process or to root. If
        /// everybody, or a group other than the private group of the user, which has the user's name, may write to one
        /// of them, it must have the sticky bit, as directories for temporary files do. The same holds for the
        /// directories and the owners of symbolic links in the path. A directory that only the user may access is
        /// allowed wherever it is, for example in a volume of a container. This method allows any other directory, for
        /// example one that a group shares. Where files have no owners, all directories are allowed.
        ///
        /// @return this builder
        public Builder unsafeDirectory() {
            options.unsafeDirectory = true;
            return this;
        }

        /// Sets the permissions of the files that the arena creates, whatever the umask is. By default, only the user
        /// who runs the process may read them. Reading an image needs no more than the permission to read its files:
        ///
        /// ```java
        /// builder.fileMode(PosixFilePermissions.fromString("rw-r-----")) // The group may read the image.
        /// ```
        ///
        /// This has no effect where files have no POSIX attributes.
        ///
        /// @param permissions `OWNER_READ` and `OWNER_WRITE`, with or without `GROUP_READ` and `OTHERS_READ`
        /// @return this builder
        /// @throws IllegalArgumentException if the permissions are not as described
        public Builder fileMode(Set<PosixFilePermission> permissions) {
            options.mode = new FileMode(permissions);
            return this;
        }

        /// Allows an image on a file system that has no locks. Otherwise, the arena is refused there, because nobody
        /// can know whether another process owns the image. The caller makes sure that there is no other owner: two
        /// owners would hand out the same memory. Where there are locks, this has no effect.
        ///
        /// @return this builder
        public Builder withoutLock() {
            options.withoutLock = true;
            return this;
        }

        /// Reserves the blocks of memory before it is handed out, so that no store to it needs space on the disk: if
        /// the disk is full, an allocation throws [DiskFullException], and all memory that was allocated before stays
        /// usable. An allocation that a [reopened][#reopen()] arena finds by its name is reserved when it is first
        /// found.
        ///
        /// The blocks of a chunk are reserved in units of 2 to 16 MiB ahead of the allocations: a chunk takes up to 16
        /// MiB more than was allocated from it, and its arena refuses allocations when less than 2 MiB are free. Other
        /// files are reserved as a whole. If the disk refuses a part of a unit, the rest is given back. An allocation
        /// of a previous owner keeps the blocks that it has got, because other processes may have stored to them.
        ///
        /// Memory that [grows][InfiniteArena#growable(long)] has no blocks at first. They are reserved whenever it
        /// grows, for the new range alone, before the new size is recorded. If the disk has no room, it keeps its size.
        /// A data file ends where its reserved blocks end.
        ///
        /// An allocation has one file, and so has memory that grows. An allocation of a previous owner that has several
        /// files cannot be found: that throws [UnsupportedOperationException].
        ///
        /// **A reservation is no promise on a file system that copies on write:** on btrfs and ZFS, and on XFS where a
        /// file shares its blocks with a copy (`cp --reflink`), and on volumes that allocate space later (thin
        /// provisioning), a store may need a new block all the same. It holds on ext4, tmpfs, and XFS without such
        /// copies.
        ///
        /// Native access is needed, and Linux on x86-64 or aarch64. `build`, `reopen` and `openOrCreate` throw
        /// [IllegalCallerException] if native access is denied, and [UnsupportedOperationException] if the system or the
        /// file system cannot reserve blocks.
        ///
        /// @return this builder
        public Builder reserved() {
            options.reserved = true;
            return this;
        }

        /// Counts the disk space that this arena [reserves][#reserved()], on the disk limit of a budget, until the arena
        /// is closed. The files keep their space after that, and an image that was there before is not counted, except
        /// for space that it lacks. What is reserved ahead counts, and so does the space of freed allocations.
        ///
        /// If the budget is exceeded, an allocation throws a [dev.arenakit.diagnostics.BudgetExceededException].
        ///
        /// @param budget the budget
        /// @return this builder; without `reserved()`, it throws an [IllegalStateException] when it builds an arena
        public Builder budget(MemoryBudget budget) {
            options.disk = Budget.diskOf(budget);
            return this;
        }

        /// Advises [Advice#RANDOM] for all memory. Without it, a store to a page of a large file that is not in memory
        /// makes the kernel look at the pages around it.
        ///
        /// Native access is needed, and Linux on x86-64 or aarch64, as for [#reserved()].
        ///
        /// @return this builder
        public Builder randomAccess() {
            options.randomAccess = true;
            return this;
        }

        /// {@return a new arena with a new image}
        ///
        /// If the process dies meanwhile, its remains do not prevent another call from building the image.
        ///
        /// @throws UncheckedIOException  if the catalog cannot be created, for example because it exists, if the
        ///                               [directory is not safe][#unsafeDirectory()], if a process that does not own the
        ///                               image holds a lock on one of its files, or if the file system has no locks
        /// @throws DiskFullException     if the file system has no space for the catalog
        /// @throws IllegalStateException if another arena owns the image, in this process or in another one; the
        ///                               message says which
        public InfiniteArena build() {
            return open(options.uniqueBase ? ImagePaths.uniqueBase(base) : base,
                    options.level == CatalogLevel.OFF ? (_, _, _) -> null : OwnedImage::create);
        }

        /// Reopens the image of a closed arena, or of a process that has ended. The new arena owns the image, and adds
        /// its allocations to the allocations of the image. [InfiniteArena#find(String)] finds the existing allocations
        /// by their names.
        ///
        /// The image determines whether the arena is chunked. A chunk size of this builder applies to new chunks only.
        ///
        /// The files of the image must be regular files of the effective user, without other names (hard links), to
        /// which no other user may write. The catalog and the lock file are checked now, and each data file when it is
        /// mapped. To continue with an image of another user, [copy][ArenaImage#copyTo] it.
        ///
        /// The catalog is read once, in some tenths of a microsecond for each record, and more while the code is cold.
        /// If records are damaged, the free range of existing chunks is not used, because it may contain lost
        /// allocations.
        ///
        /// @return an arena that owns the image
        /// @throws UncheckedIOException     if there is no image, it cannot be read, it has another version, its header
        ///                                  is damaged, its files are not as described, its
        ///                                  [directory is not safe][#unsafeDirectory()], a process that does not own the
        ///                                  image holds a lock on one of its files, or the file system has no locks
        /// @throws IllegalArgumentException if this builder is chunked and the image is not
        /// @throws IllegalStateException    if another arena owns the image, or this builder has a unique base or no
        ///                                  catalog
        public InfiniteArena reopen() {
            options.checkReopen(base);
            return open(base, OwnedImage::reopen);
        }

        /// Reopens the image if there is one, and otherwise builds it. A program that may run again at any time calls
        /// this method. If several processes call this method at the same time, one process owns the image, and the
        /// others are refused.
        ///
        /// Otherwise, this method behaves as [#reopen()] and [#build()] do.
        ///
        /// @return an arena that owns the image
        /// @throws UncheckedIOException     if the image cannot be reopened or created
        /// @throws IllegalArgumentException if this builder is chunked and the existing image is not
        /// @throws IllegalStateException    if another arena owns the image, or this builder has a unique base or no
        ///                                  catalog
        public InfiniteArena openOrCreate() {
            options.checkReopen(base);
            return open(base, OwnedImage::reopenOrCreate);
        }

        /// Pretends that the machine was started another time, for tests.
        Builder boot(long boot) {
            options.boot = boot;
            return this;
        }

        /// Uses a kind of locks, for tests.
        Builder lockKind(LockKind kind) {
            options.lockKind = kind;
            return this;
        }

        private InfiniteArena open(Path base, ArenaParts.ImageSource source) {
            // The object is allocated first: nothing can fail after the image is opened.
            return new InfiniteArena(new ArenaParts(base, options, source));
        }
    }
}
