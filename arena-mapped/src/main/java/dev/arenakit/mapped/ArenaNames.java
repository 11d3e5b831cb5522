package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.image.AllocationSealer;
import dev.arenakit.mapped.internal.image.ArenaParts;
import java.io.UncheckedIOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// The allocations of an [InfiniteArena] that have names. [InfiniteArena#names()] returns this object.
///
/// ```java
/// try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
///     MemorySegment orders = arena.names().getOrAllocate("orders", ORDERS.type(), 1_000_000); // zeros at first
///     ORDERS.setAtIndex(orders, 7, order); // RecordMapper<Order> ORDERS
/// }
/// ```
///
/// A name identifies an allocation of the image: in this process, in a later process that
/// [reopens][InfiniteArenaBuilder#reopen()] the image, and for an [ArenaImage] in any process. The catalog records it
/// with its type, so that its fields can be printed. [ImageStructures] have names, too.
///
/// **Memory.** All memory belongs to the arena: it is zeroed at first, has the scope of the arena, and is in its files.
///
/// **Threads.** This object may be used by the threads that may use the arena.
///
/// **Cost.** Names are in a hash table of the Java heap. The first look-up of an allocation of a previous owner maps
/// its data file.
public final class ArenaNames {
    private final ArenaParts open;
    private final NamedAllocations names;

    ArenaNames(ArenaParts open) {
        this.open = open;
        names = open.names;
    }

    /// Allocates zeroed memory for structs, and records it with a name and a type.
    ///
    /// ```java
    /// MemorySegment orders = arena.names().allocate("orders", ORDERS.type(), 1_000_000); // RecordMapper<Order> ORDERS
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
    /// @param byteAlignment the alignment of the address in bytes, as in [InfiniteArena#allocate(long, long)]
    /// @return the memory
    public MemorySegment allocate(String name, long byteSize, long byteAlignment) {
        return names.allocate(name, byteSize, byteAlignment);
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

    /// Returns the structs that have the name, of this arena or of a previous owner of a
    /// [reopened][InfiniteArenaBuilder#reopen()] image, or else allocates them and records them with the name. Of
    /// several threads that ask for a new name at the same time, one allocates, and all get its memory.
    ///
    /// ```java
    /// MemorySegment orders = arena.names().getOrAllocate("orders", ORDERS.type(), 1_000_000); // zeros at first
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

    /// Finds an allocation of this arena, or of a previous owner of a [reopened][InfiniteArenaBuilder#reopen()] image,
    /// by its name.
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

    /// Returns an allocation of this arena, or of a previous owner of a [reopened][InfiniteArenaBuilder#reopen()]
    /// image.
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
    /// MemorySegment orders = arena.names().get("orders", ORDERS.type()); // RecordMapper<Order> ORDERS
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
    /// [reopened][InfiniteArenaBuilder#reopen()] image. The list is a snapshot. It is copied and sorted from the names
    /// in the heap: the catalog is not read.
    ///
    /// @return the names in alphabetical order
    /// @throws WrongThreadException  if the arena is confined to another thread
    /// @throws IllegalStateException if the arena is closed, or has no catalog
    public List<String> list() {
        return names.names();
    }

    /// Opens structs whose number grows: the live allocation that has the name, in this arena or in a
    /// [reopened][InfiniteArenaBuilder#reopen()] image, or else new memory that grows from a size of 0, which is
    /// recorded with the name and the type.
    ///
    /// The memory that is opened has its present size, and grows in place up to the largest size that was recorded when
    /// it was allocated, or up to `maxCount` if the process has no more addresses. A smaller `maxCount` is accepted. All objects for one name share the
    /// memory. A [reserved][InfiniteArenaBuilder#reserved()] arena reserves memory of a previous owner up to its
    /// present size.
    ///
    /// ```java
    /// GrowableSegment trades = arena.names().growable("trades", TRADES.type(), 1L << 40); // RecordMapper TRADES
    /// long count = trades.elementCount();                                         // 0 if it is new
    /// TRADES.setAtIndex(trades.grow((count + 1) * TRADES.byteSize()), count, trade);
    /// trades.elementCount(count + 1);
    /// ```
    ///
    /// Otherwise, this method behaves as [InfiniteArena#growable(long)] and [#allocate(String, StructType, long)] do.
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
    /// @throws DiskFullException         if the arena is [reserved][InfiniteArenaBuilder#reserved()] and the disk has
    ///                                   no room for the new structs; nothing has changed
    /// @throws CapacityExceededException if the process has 10,000 file mappings, the memory was made to grow and its
    ///                                   largest size is smaller, or the budget of a reserved arena is exceeded
    public MemorySegment resize(String name, long count) {
        return names.resize(name, count);
    }

    /// Frees the name of an allocation. Readers list the allocation as freed, and its name may be used again; each use
    /// adds the name to the catalog. Its memory keeps its contents and its space: [InfiniteArena#free(MemorySegment)]
    /// frees contents, space and name.
    ///
    /// **Memory that grows** is freed wholly: structures, tables and growable segments give back contents, space and
    /// addresses, as described for [InfiniteArena#free(MemorySegment)]. **Do not use them afterwards:** most calls
    /// throw [IllegalStateException], and others find no entries. On other systems than Linux on x86-64 or aarch64, or
    /// if native access is denied, they keep contents and space.
    ///
    /// @param name the name
    /// @throws IllegalArgumentException if no live allocation has the name
    /// @throws WrongThreadException     if the arena is confined to another thread
    /// @throws IllegalStateException    if the arena is closed, or has no catalog
    public void free(String name) {
        names.free(name);
    }

    /// Records checksums of the contents of an allocation, with which [ImageIntegrity#damage] and `arena verify --data`
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
    /// valid that was followed by [InfiniteArena#force()].
    ///
    /// ```java
    /// TRADES.setAtIndex(trades, 7, trade);
    /// arena.names().seal("trades");
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
    /// @see ImageFiles#seal(java.nio.file.Path, java.util.function.Predicate)
    public Seal seal(String name) {
        Objects.requireNonNull(name, "name");
        try {
            return sealer(name).seal(names.line(name));
        } catch (UncheckedIOException e) {
            // If the arena was closed meanwhile and its files were deleted, report that.
            open.memory.checkOpen();
            throw e;
        }
    }

    /// Seals allocations of the image, which need not have names, and writes the image to the device.
    ///
    /// @param force writes the image to the device
    /// @return the number of allocations
    long sealAll(Stream<Allocation> allocations, Runnable force) {
        return sealer("").sealAll(allocations, force);
    }

    private AllocationSealer sealer(String label) {
        return new AllocationSealer(open.files.base(), names.catalog(label));
    }
}
