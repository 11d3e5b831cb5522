package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.arena.OwnedImage;
import dev.arenakit.mapped.internal.arena.TypeMismatch;
import dev.arenakit.mapped.internal.catalog.AllocationSpliterator;
import dev.arenakit.mapped.internal.catalog.BlockSums;
import dev.arenakit.mapped.internal.catalog.BootId;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import dev.arenakit.mapped.internal.catalog.SealReader;
import dev.arenakit.mapped.internal.entries.StoredStructure;
import dev.arenakit.mapped.internal.files.ImageLock;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.LockKind;
import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.mapped.internal.image.CountedMemoryReader;
import dev.arenakit.mapped.internal.image.DataFileBytes;
import dev.arenakit.mapped.internal.image.DataFileReader;
import dev.arenakit.mapped.internal.image.ImageCheck;
import dev.arenakit.mapped.internal.image.ImageCopy;
import dev.arenakit.mapped.internal.image.ImageDeletion;
import dev.arenakit.mapped.internal.image.ImageRepairer;
import dev.arenakit.mapped.internal.image.TypeCache;
import dev.arenakit.mapped.internal.structure.AttachedMemory;
import dev.arenakit.mapped.internal.structure.StoredHeader;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.table.LongTableReader;
import dev.arenakit.mapped.internal.tree.TreeKeyForm;
import dev.arenakit.mapped.internal.tree.TreeReader;
import dev.arenakit.mapped.io.SparseFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A reader of an image: the files that an [InfiniteArena] has left, or is still writing. It lists the allocations,
/// finds them by their names, and reads or maps their bytes.
///
/// **Files.** An image consists of a catalog, which records each allocation, and of data files: see [ImageFiles]. A
/// copy of the files under another base is an image, too (`cp --sparse=always`, `tar -S` and [#copyTo] preserve holes).
///
/// **Trust.** Each record has a checksum. Damaged and unfinished records are skipped, and [#problems] reports them. An
/// allocation whose data file is missing or truncated is listed like all others, and reported.
///
/// **Concurrency with the owner.** Each method sees the records that exist when it begins to read, and skips unfinished
/// records. The owner may change bytes while they are read, so two bytes may be from different times.
///
/// **Memory.** The memory that a reader needs does not depend on the size of the image. The catalog is read and not
/// mapped: if another process truncates it, reading ends early. [#source] reads data files, too, and [#segment] maps
/// them.
///
/// **Threads.** Instances are not thread-safe. An interrupt ends a copy that is being written, and no other call.
///
/// **Flags.** Native access is used to skip holes. If it is denied, holes are read as zeros: see [SparseFile].
///
/// {@snippet file="dev/arenakit/mapped/ArenaImageExample.java" region="example"}
public final class ArenaImage implements Closeable {
    /// The number of names in a message.
    private static final int LISTED_NAMES = 5;

    private final Path base;
    private final CatalogReader catalog;
    private final DataFileReader files;
    private final TypeCache types = new TypeCache();
    private @Nullable SealReader seals;
    private boolean hasSkippedDamage;

    private ArenaImage(Path base, CatalogReader catalog, boolean writable) {
        this.base = base;
        this.catalog = catalog;
        files = new DataFileReader(base, writable);
    }

    /// Opens an image for reading. This does not affect its owner, if there is one.
    ///
    /// @param base the base of the arena, or of a copy of its files
    /// @return the image, which the caller closes
    /// @throws IOException if there is no catalog (the arena may have been built without one), it cannot be read, or it
    ///                     has another version
    public static ArenaImage open(Path base) throws IOException {
        return new ArenaImage(base, CatalogReader.open(ImagePaths.catalog(base)), false);
    }

    /// Opens an image as if the machine had been started another time, for tests.
    static ArenaImage open(Path base, long boot) throws IOException {
        return new ArenaImage(base, CatalogReader.open(ImagePaths.catalog(base), boot), false);
    }

    /// Attaches to an image that has an owner, in this process or in another one. Unlike the segments of an image that
    /// was [opened][#open], the segments that [#segment] returns are writable: they share the memory of the owner.
    /// Threads and processes that share memory communicate by atomic accesses ([java.lang.invoke.VarHandle],
    /// [dev.arenakit.layout.LongField]), as the threads of one process do. Plain stores may become visible late, or in
    /// parts.
    ///
    /// Only the owner allocates, and it never truncates or moves an allocation. Segments stay valid when the owner
    /// closes its arena, ends, or deletes the files. After the files are deleted, no other process sees later stores.
    ///
    /// @param base the base of the arena
    /// @return the image, which the caller closes
    /// @throws IllegalStateException if the image has no owner
    /// @throws IOException           if there is no catalog, it cannot be read, or it has another version
    public static ArenaImage attach(Path base) throws IOException {
        ArenaImage image = new ArenaImage(base, CatalogReader.open(ImagePaths.catalog(base)), true);
        try {
            if (image.holder() == ImageLock.Holder.NONE) {
                throw new IllegalStateException("No process owns the image: base=" + base
                        + "; reopen it with InfiniteArena.builder(base).reopen(), or read it with ArenaImage.open");
            }
            return image;
        } catch (Throwable t) {
            image.close();
            throw t;
        }
    }

    /// {@return the path of the files without their suffixes}
    public Path base() {
        return base;
    }

    /// Returns whether allocations share data files. Otherwise, each allocation has a data file of its own.
    ///
    /// @return whether the arena was built with `chunked()`
    public boolean isChunked() {
        return catalog.isChunked();
    }

    /// Returns the native byte order of the machine that wrote the image.
    ///
    /// @return the order of values that were stored without an explicit order
    public ByteOrder byteOrder() {
        return catalog.isLittleEndian() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }

    /// Returns the processes that have owned the image: the process that created it, followed by the processes that
    /// reopened it. The last process is the owner, or was the last owner.
    ///
    /// @return the processes, at least one unless the catalog is damaged
    /// @throws IOException if the catalog cannot be read
    public List<OwnerRecord> owners() throws IOException {
        return catalog.owners();
    }

    /// Returns whether a process on this machine, including the current one, owns the image, and otherwise how its last
    /// owner ended. This method checks the lock of the image, which the system releases when its process ends, and does
    /// not depend on process ids. While a process reopens the image, the state can still be the state of the last owner.
    ///
    /// @return the current state
    /// @throws IOException if the lock file exists and cannot be read, or if the catalog cannot be read
    public OwnerState ownerState() throws IOException {
        // The lock is read before the records: otherwise an owner that closes the image in between would count as dead.
        ImageLock.Holder holder = holder();
        List<OwnerRecord> owners = owners();
        if (!owners.isEmpty() && owners.getLast().isClosed()) {
            return OwnerState.CLOSED;
        }
        return switch (holder) {
            case PROCESS -> OwnerState.ALIVE;
            case NONE -> OwnerState.DIED;
            case UNKNOWN -> OwnerState.UNKNOWN;
        };
    }

    private ImageLock.Holder holder() throws IOException {
        return ImageLock.holder(base, LockKind.of(base));
    }

    /// Returns whether a process on this machine is known to own the image.
    ///
    /// @return whether the lock of the image is held
    /// @throws IOException if the lock file exists and cannot be read
    public boolean ownerIsAlive() throws IOException {
        return holder() == ImageLock.Holder.PROCESS;
    }

    /// Returns the allocations in the order in which they were recorded. They are read while the stream is used, and
    /// the stream throws [UncheckedIOException] if the catalog cannot be read.
    ///
    /// @return the allocations that are recorded now
    /// @throws IOException if the catalog cannot be read
    public Stream<Allocation> allocations() throws IOException {
        return new AllocationSpliterator(CatalogScan.of(catalog), () -> hasSkippedDamage = true).stream();
    }

    /// Returns whether this reader has skipped damaged records. If it has, allocations may be missing in its results.
    /// This method reads nothing: the stream of [#allocations] finds all damaged records when it is read to the end.
    ///
    /// @return whether a record that was read so far is damaged
    /// @see #problems()
    public boolean hasSkippedDamage() {
        return hasSkippedDamage;
    }

    /// Finds the live allocation with a name, or the allocation with a number such as `#27`. This method reads the
    /// catalog up to the allocation, in some tenths of a microsecond for each record.
    ///
    /// @param label a name, or `#` followed by a number
    /// @return the allocation, or empty if there is none
    /// @throws IOException if the catalog cannot be read
    public Optional<Allocation> find(String label) throws IOException {
        if (label.startsWith("#")) {
            try {
                return allocation(Long.parseLong(label, 1, label.length(), 10));
            } catch (NumberFormatException _) {
                return Optional.empty();
            }
        }
        byte[] name = label.getBytes(UTF_8);
        CatalogScan scan = CatalogScan.of(catalog);
        for (CatalogEntry entry = scan.next(); entry != null && !label.isEmpty(); entry = scan.next()) {
            if (entry instanceof CatalogEntry.Allocated allocated && allocated.isLive()
                    && allocated.name().isEncodedAs(name)) {
                return Optional.of(AllocationSpliterator.allocation(allocated));
            }
        }
        return Optional.empty();
    }

    /// Returns the live allocation with a name, and checks its type as the owner of the image does.
    ///
    /// ```java
    /// Allocation trades = image.get("trades", TRADES.type()); // RecordMapper<Trade> TRADES
    /// MemorySegment segment = image.segment(trades, arena);
    /// ```
    ///
    /// @param name the name
    /// @param type the expected type
    /// @return the allocation
    /// @throws NoSuchElementException if no live allocation has that name; the message has some of the existing names
    /// @throws IllegalStateException  if it was allocated with another type; the message names the first member that
    ///                                differs
    /// @throws IOException            if the catalog cannot be read
    /// @see ArenaNames#get(String, StructType)
    public Allocation get(String name, StructType type) throws IOException {
        Allocation found = find(name).orElse(null);
        if (found == null) {
            throw new NoSuchElementException("No live allocation has the name: name=" + name + ", base=" + base
                    + ", names=" + firstNames() + "; pass the name of an allocation of this image");
        }
        TypeMismatch.check(name, found.typeText().orElse(""), type);
        return found;
    }

    private List<String> firstNames() throws IOException {
        try (Stream<Allocation> all = allocations()) {
            return all.filter(Allocation::isLive).flatMap(each -> each.name().stream()).limit(LISTED_NAMES).toList();
        }
    }

    /// Finds the allocation with a number. This method reads the catalog up to the allocation.
    ///
    /// @param number the [number][Allocation#number] of the allocation
    /// @return the allocation, or empty if none has that number
    /// @throws IOException if the catalog cannot be read
    public Optional<Allocation> allocation(long number) throws IOException {
        CatalogScan scan = CatalogScan.of(catalog);
        for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
            if (entry instanceof CatalogEntry.Allocated allocated && allocated.number() >= number) {
                return allocated.number() == number
                        ? Optional.of(AllocationSpliterator.allocation(allocated))
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /// Returns the type of the structs in an allocation.
    ///
    /// @param allocation an allocation of this image
    /// @return the type, or empty if none was recorded
    /// @throws LayoutParseException if the text of the type cannot be parsed, for example because a later version wrote
    ///                              it
    public Optional<StructType> type(Allocation allocation) {
        return allocation.typeText().map(types::get);
    }

    /// Returns the bytes of an allocation, which are read and not mapped. If the data file is truncated, they end
    /// early.
    ///
    /// @param allocation an allocation of this image
    /// @return its bytes, which can be read until the image is closed
    /// @throws IOException if the data file is missing or cannot be read
    public ExtentSource source(Allocation allocation) throws IOException {
        return files.source(allocation);
    }

    /// Returns the entries of a structure, such as an [ImageLongMap]. They are read and not mapped.
    ///
    /// @param allocation an allocation of this image
    /// @return the entries, or empty if the allocation is not a structure by its recorded type
    /// @throws LayoutParseException if the text of the type cannot be parsed
    /// @throws IOException          if the data file is missing, truncated or cannot be read, or this build does not
    ///                              read structures of its kind
    public Optional<ImageEntries> entries(Allocation allocation) throws IOException {
        StructType type = type(allocation).orElse(null);
        return type != null && StructureKind.isRecordedFor(type)
                ? Optional.of(new ImageEntries(StoredStructure.open(
                        new DataFileBytes(files, allocation, this::allocation), type,
                        holder() != ImageLock.Holder.NONE, catalog.boot())))
                : Optional.empty();
    }

    /// Maps the memory of an allocation. The segment is read-only, unless the image is [attached][#attach]. A data file
    /// is mapped once for an arena, even if several of its allocations are requested.
    ///
    /// If another process truncates the file afterwards, access throws [InternalError]. On tmpfs, reading a hole
    /// allocates memory for it.
    ///
    /// @param allocation an allocation of this image
    /// @param arena      the arena whose scope the segment gets; closing it unmaps the file
    /// @return the memory
    /// @throws IOException if the data file is missing, is truncated before the end of the allocation, or cannot be
    ///                     mapped
    public MemorySegment segment(Allocation allocation, Arena arena) throws IOException {
        return files.segment(allocation, arena);
    }

    /// Opens a map from longs to longs for reading, also while its owner changes it. Nothing is written to the image.
    /// The map can be used until the arena is closed, also after this image was closed.
    ///
    /// @param name  the name
    /// @param arena the arena whose scope the memory gets; it need not be confined, and keeps each mapping of memory that
    ///              has grown until it is closed
    /// @return the map, whose methods that would change it throw [UnsupportedOperationException]
    /// @throws NoSuchElementException if no live allocation has that name
    /// @throws IllegalStateException  if it has another type, is damaged, is being created, or was open when the machine
    ///                                failed
    /// @throws IOException            if the catalog cannot be read, or the data file is missing or cannot be mapped
    public ImageLongMap longMap(String name, Arena arena) throws IOException {
        return new ImageLongMap(LongTableReader.attach(name, mapping(name, ImageLongMap.TYPE, arena)));
    }

    /// Opens a tree from longs to longs for reading, also while its owner changes it. If the machine failed while the
    /// tree was open, it is the tree of the last [InfiniteArena#force()].
    ///
    /// Otherwise, this method behaves as [#longMap] does.
    ///
    /// @param name  the name
    /// @param arena the arena whose scope the memory gets
    /// @return the tree, whose methods that would change it throw [UnsupportedOperationException]
    /// @throws IOException as in [#longMap]
    public ImageLongTree longTree(String name, Arena arena) throws IOException {
        return new ImageLongTree(TreeReader.attach(name, mapping(name, ImageLongTree.TYPE, arena), Long.BYTES,
                Long.BYTES));
    }

    /// Opens a tree for reading, as [#longTree] does.
    ///
    /// @param name   the name
    /// @param keys   the class of the keys
    /// @param values the class of the values
    /// @param arena  the arena whose scope the memory gets
    /// @param <K>    the class of the keys
    /// @param <V>    the class of the values
    /// @return the tree, whose methods that would change it throw [UnsupportedOperationException]
    /// @throws IllegalArgumentException as in [ImageStructures#tree(String, Class, Class)]
    /// @throws IOException              as in [#longMap]
    public <K, V> ImageTree<K, V> tree(String name, Class<K> keys, Class<V> values, Arena arena) throws IOException {
        return tree(name, ImageTree.Form.of(TreeKeyForm.of(keys), values), arena);
    }

    /// Opens a tree whose values are records for reading, as [#longTree] does.
    ///
    /// @param name   the name
    /// @param keys   the class of the keys
    /// @param values the mapper of the values
    /// @param arena  the arena whose scope the memory gets
    /// @param <K>    the class of the keys
    /// @param <V>    the class of the values
    /// @return the tree, whose methods that would change it throw [UnsupportedOperationException]
    /// @throws IllegalArgumentException as in [ImageStructures#tree(String, Class, RecordMapper)]
    /// @throws IOException              as in [#longMap]
    public <K, V> ImageTree<K, V> tree(String name, Class<K> keys, RecordMapper<V> values, Arena arena)
            throws IOException {
        return tree(name, ImageTree.Form.of(TreeKeyForm.of(keys), values), arena);
    }

    /// Opens a tree whose keys are records for reading, as [#longTree] does.
    ///
    /// @param name   the name
    /// @param keys   the mapper of the keys
    /// @param values the mapper of the values
    /// @param arena  the arena whose scope the memory gets
    /// @param <K>    the class of the keys
    /// @param <V>    the class of the values
    /// @return the tree, whose methods that would change it throw [UnsupportedOperationException]
    /// @throws IllegalArgumentException as in [ImageStructures#tree(String, RecordMapper, RecordMapper)]
    /// @throws IOException              as in [#longMap]
    public <K, V> ImageTree<K, V> tree(String name, RecordMapper<K> keys, RecordMapper<V> values, Arena arena)
            throws IOException {
        return tree(name, ImageTree.Form.of(TreeKeyForm.of(keys), values), arena);
    }

    /// Opens a tree whose keys are records for reading, as [#longTree] does.
    ///
    /// @param name   the name
    /// @param keys   the mapper of the keys
    /// @param values the class of the values
    /// @param arena  the arena whose scope the memory gets
    /// @param <K>    the class of the keys
    /// @param <V>    the class of the values
    /// @return the tree, whose methods that would change it throw [UnsupportedOperationException]
    /// @throws IllegalArgumentException as in [ImageStructures#tree(String, RecordMapper, RecordMapper)]
    /// @throws IOException              as in [#longMap]
    public <K, V> ImageTree<K, V> tree(String name, RecordMapper<K> keys, Class<V> values, Arena arena)
            throws IOException {
        return tree(name, ImageTree.Form.of(TreeKeyForm.of(keys), values), arena);
    }

    private <K, V> ImageTree<K, V> tree(String name, ImageTree.Form<K, V> form, Arena arena) throws IOException {
        return new ImageTree<>(form,
                TreeReader.attach(name, mapping(name, form.type(), arena), form.keys().keyByteSize(),
                        form.values().byteSize()));
    }

    /// Maps a structure with its present size at each call.
    private AttachedMemory.Mapping mapping(String name, StructType type, Arena arena) throws IOException {
        long number = get(name, type).number();
        Path base = this.base;
        return () -> {
            try (ArenaImage image = open(base)) {
                Allocation present = image.allocation(number).orElseThrow();
                return image.files.segment(present, structureByteSize(base, present), arena);
            }
        };
    }

    private static long structureByteSize(Path base, Allocation structure) throws IOException {
        return SafeFiles.uninterrupted(() -> {
            try (FileChannel file = SafeFiles.openToRead(ImagePaths.data(base, structure.file()))) {
                return StoredHeader.byteSize(file, structure.byteSize(), BootId.current());
            }
        });
    }

    /// Opens a table for reading, while its owner may append rows. The table can be used until the arena or this image
    /// is closed. After the image was closed, rows that the table knows can still be read.
    ///
    /// ```java
    /// GrowableTable<Trade> trades = image.table("trades", Trade.class, arena);
    /// trades.stream().mapToDouble(Trade::price).max();
    /// ```
    ///
    /// @param name  the name
    /// @param type  the record class of the rows
    /// @param arena the arena whose scope the memory gets; closing it unmaps the memory
    /// @param <R>   the record class
    /// @return the table, whose changing methods throw [UnsupportedOperationException]
    /// @throws NoSuchElementException   if no live allocation has that name; the message has some of the existing names
    /// @throws IllegalArgumentException if the record has no mapper, or no components
    /// @throws IllegalStateException    if it has another type, was not made to grow, or its number of rows is damaged,
    ///                                  exceeds the memory, or was never stored
    /// @throws UncheckedIOException     if the data file is missing or truncated, or cannot be mapped
    /// @throws IOException              if the catalog cannot be read
    /// @see ImageStructures#table(String, Class)
    public <R extends Record> GrowableTable<R> table(String name, Class<R> type, Arena arena) throws IOException {
        return table(name, RecordMapper.of(type), arena);
    }

    /// Opens a table for reading as [#table(String, Class, Arena)] does, with a mapper.
    ///
    /// @param name   the name
    /// @param mapper the mapper of the rows
    /// @param arena  the arena whose scope the memory gets
    /// @param <R>    the record class
    /// @return the table
    /// @throws IOException if the catalog cannot be read
    public <R extends Record> GrowableTable<R> table(String name, RecordMapper<R> mapper, Arena arena)
            throws IOException {
        Allocation allocation = get(name, GrowableTable.checked(mapper).type());
        return new GrowableTable<>(name, mapper,
                new CountedMemoryReader(catalog, files, allocation, mapper.byteSize(), arena));
    }

    /// Returns the latest seal of an allocation. An incomplete or damaged seal does not count. The first call of this
    /// method or of [#damage] reads the catalog, and later calls return the seals that it contained then. If very many
    /// allocations are sealed, the catalog is read again for each half a million of them, in the order of their
    /// numbers.
    ///
    /// @param allocation an allocation of this image
    /// @return the seal, or empty if the allocation is not sealed
    /// @throws IOException if the catalog cannot be read
    /// @see ArenaNames#seal(String)
    public Optional<Seal> seal(Allocation allocation) throws IOException {
        return Optional.ofNullable(seals().find(allocation));
    }

    /// Compares the bytes of an allocation with its latest seal. All bytes except for holes are read. Bytes that were
    /// stored after the seal differ from it, too. Memory by which the allocation has grown since the seal is not
    /// compared. Bytes that a truncated file has lost count as zeros. The state of a copied structure counts as the state
    /// of its original.
    ///
    /// @param allocation an allocation of this image
    /// @return the ranges that differ, in ascending order; none if the allocation is not sealed
    /// @throws IOException if the catalog or a data file is missing or cannot be read
    public List<DamagedRange> damage(Allocation allocation) throws IOException {
        Seal seal = seals().find(allocation);
        BlockSums sealed = seals().sums(allocation);
        if (seal == null || sealed == null) {
            return List.of();
        }
        BlockSums found = new BlockSums();
        source(allocation).transferTo(found, 0, seal.byteSize());
        found.finish(seal.byteSize());
        List<DamagedRange> damage = sealed.differences(found, seal.byteSize());
        if (!damage.isEmpty() && damage.getFirst().byteOffset() == 0
                && allocation.typeText().filter(types::isStructure).isPresent()) {
            ByteBuffer start = ByteBuffer.allocateDirect((int) Math.min(seal.byteSize(), BlockSums.BLOCK));
            if (files.read(allocation, 0, start) && StoredHeader.restore(MemorySegment.ofBuffer(start.clear()))) {
                found.replaceFirst(MemorySegment.ofBuffer(start));
                return sealed.differences(found, seal.byteSize());
            }
        }
        return damage;
    }

    private SealReader seals() {
        SealReader read = seals;
        if (read == null) {
            read = new SealReader(catalog);
            seals = read;
        }
        return read;
    }

    /// Seals allocations of an image that has no owner, as [ArenaNames#seal(String)] does, and writes them to the
    /// device. Meanwhile, this process owns the image, as after [reopening][InfiniteArenaBuilder#reopen()] it, and the
    /// catalog records the process.
    ///
    /// If an allocation cannot be sealed, the allocations before it stay sealed.
    ///
    /// @param base  the base of the image
    /// @param which selects allocations among the live ones, in the order in which they were recorded
    /// @return the number of allocations that were sealed
    /// @throws IllegalStateException     if the image has an owner
    /// @throws CapacityExceededException if the catalog is full, or the process has 10,000 file mappings
    /// @throws IOException               if there is no catalog, the image cannot be reopened, a data file is missing,
    ///                                   truncated or cannot be read, or the disk is full
    public static long seal(Path base, Predicate<? super Allocation> which) throws IOException {
        // Check first: reopening an image writes to it.
        try (ArenaImage image = open(base)) {
            if (image.ownerIsAlive()) {
                throw OwnedImage.owned(base, ", or seal in it with InfiniteArena.names().seal");
            }
            try (InfiniteArena arena = InfiniteArena.builder(base).unsafeDirectory().reopen();
                    Stream<Allocation> allocations = image.allocations()) {
                return arena.names()
                        .sealAll(allocations.filter(Allocation::isLive).filter(which), arena::force);
            }
        } catch (UncheckedIOException e) {
            // Unlike the message of the cause, this message names the operation and the remedy.
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Returns the path of a data file, which need not exist.
    ///
    /// @param number the number of the data file, from 0
    /// @return the path
    public Path file(int number) {
        return ImagePaths.data(base, number);
    }

    /// Returns the paths of the recorded data files, which need not exist: the owner may be creating one, or may have
    /// died before that. Files that were removed after their allocations were freed are not among them. The paths are
    /// read while the stream is used, and the stream throws [UncheckedIOException] if the catalog cannot be read.
    ///
    /// @return the paths
    /// @throws IOException if the catalog cannot be read
    public Stream<Path> dataFiles() throws IOException {
        CatalogScan scan = CatalogScan.of(catalog);
        return Stream.generate(() -> scan.following(CatalogEntry.DataFile.class))
                .takeWhile(Optional::isPresent)
                .map(Optional::orElseThrow)
                .filter(file -> !file.isRemoved())
                .map(file -> file(file.number()));
    }

    /// Deletes an image that has no owner: the data files that its catalog records, the catalog, and the lock file.
    /// This process owns the image meanwhile, so that no other process reopens it. Symbolic links are not followed. A
    /// file that a process was creating when it died is deleted if it contains no data, and so is a file whose record
    /// was lost when the machine failed. Other files that are not recorded are not deleted.
    ///
    /// Catalog, lock file and data files must be regular files of the effective user, without other names (hard links),
    /// to which no other user may write. Otherwise, another user could choose the files that are deleted.
    ///
    /// If a data file cannot be deleted, or is not as described, the other data files are deleted and the catalog
    /// remains, so that the remaining file is still recorded.
    ///
    /// @param base the base of the image
    /// @throws IllegalStateException if the image has an owner
    /// @throws IOException           if there is no catalog, it cannot be read, it is not as described, the file system
    ///                               has no locks, or a file could not be deleted
    public static void delete(Path base) throws IOException {
        ImageDeletion.delete(base);
    }

    /// Copies the image with its holes, while its owner may be writing it. The copy is not a snapshot. Its catalog ends
    /// at the first unfinished record, and its bytes are read page after page while the owner may change them. Data
    /// that the owner protects by versions or checksums is as consistent in the copy as after a `kill -9`. The copy has
    /// no owner.
    ///
    /// **Before an image whose owner has died is moved to another machine,** copy it on the machine of its owner, before
    /// that is restarted: all stored elements count as [forced][GrowableSegment#elementCount()] in the copy, and
    /// structures that the owner had open are complete. If a process reopens the image meanwhile, the structures of the
    /// copy count as [incomplete][StructureState]: copy the image again.
    ///
    /// @param base the base of the copy, whose files must not exist yet
    /// @throws IOException if a file cannot be read or created; no file of the copy remains
    public void copyTo(Path base) throws IOException {
        copyTo(base, _ -> {});
    }

    /// Copies the image and reports the progress. An exception of the consumer ends the copy like any other exception.
    ///
    /// Otherwise, this method behaves as [#copyTo(Path)] does.
    ///
    /// @param base     the base of the copy, whose files must not exist yet
    /// @param progress receives the number of bytes that were written so far, now and then
    /// @throws IOException if a file cannot be read or created; no file of the copy remains
    public void copyTo(Path base, LongConsumer progress) throws IOException {
        ImageCopy.copy(catalog, this.base, base, progress);
    }

    /// Copies a damaged image and mends the copy. The original is only read. The copy has a new header if the header is
    /// damaged. Allocations keep their numbers. A record that cannot be read is replaced by a cancelled record; in a
    /// run, the records behind it are lost as well. A missing part of a data file becomes a hole, and the allocations
    /// of a missing file count as freed. If two live allocations have the same name, the earlier one counts as freed.
    /// Structures that have problems are [repaired][ImageStructures#repair], for which this process owns the copy
    /// meanwhile. If the structures cannot be checked or repaired, the copy remains, and a repair describes the reason.
    ///
    /// The copy can be reopened, and has no owner. [#problems] of the copy reports the problems that could not be
    /// mended: allocations that overlap, types that cannot be parsed, unknown numbers of elements, and structures that
    /// could not be repaired. No process may open the original for writing
    /// meanwhile.
    ///
    /// @param base the base of the damaged image
    /// @param to   the base of the copy, whose files must not exist yet
    /// @return the repairs, in the order in which they were made
    /// @throws IllegalStateException if the image has an owner
    /// @throws IOException           if there is no catalog, nothing of it can be read, a later version has written it,
    ///                               or a file cannot be read or created; no file of the copy remains
    public static List<ImageRepair> repair(Path base, Path to) throws IOException {
        return repair(base, to, _ -> {});
    }

    /// Copies a damaged image, mends the copy, and reports the progress. An exception of the consumer ends the copy
    /// like any other exception.
    ///
    /// Otherwise, this method behaves as [#repair(Path, Path)] does.
    ///
    /// @param base     the base of the damaged image
    /// @param to       the base of the copy, whose files must not exist yet
    /// @param progress receives the number of bytes that were copied so far, now and then
    /// @return the repairs, in the order in which they were made
    /// @throws IllegalStateException if the image has an owner
    /// @throws IOException           if there is no catalog, nothing of it can be read, a later version has written it,
    ///                               or a file cannot be read or created; no file of the copy remains
    public static List<ImageRepair> repair(Path base, Path to, LongConsumer progress) throws IOException {
        List<ImageRepair> repairs = new ArrayList<>(ImageRepairer.repair(base, to, progress));
        try {
            repairStructures(to, repairs);
        } catch (IOException | RuntimeException e) {
            repairs.add(new ImageRepair("Structures of the copy could not be checked: reason=" + e.getMessage(), true));
        }
        return List.copyOf(repairs);
    }

    private static void repairStructures(Path base, List<ImageRepair> repairs) throws IOException {
        Map<String, String> broken = brokenStructures(base);
        if (broken.isEmpty()) {
            return;
        }
        Map<String, StructureRepair> repaired = new LinkedHashMap<>();
        try (InfiniteArena arena = InfiniteArena.builder(base).unsafeDirectory().reopen()) {
            for (String name : broken.keySet()) {
                try {
                    repaired.put(name, arena.structures().repair(name));
                } catch (RuntimeException e) {
                    repairs.add(new ImageRepair("Structure was not repaired: name=" + name + ", reason="
                            + e.getMessage(), true));
                }
            }
        } catch (RuntimeException e) {
            repairs.add(new ImageRepair("Structures of the copy could not be repaired: reason=" + e.getMessage(),
                    true));
        }
        Map<String, String> left = brokenStructures(base);
        repaired.keySet().removeAll(left.keySet());
        repaired.forEach(
                (name, repair) -> repairs.add(new ImageRepair("Structure was repaired: name=" + name + ", kept="
                        + repair.kept() + ", dropped=" + repair.dropped() + ", problem=" + broken.get(name)
                        + (repair.lost().isEmpty() ? "" : ", lost=" + repair.lost()), true)));
        left.forEach((name, problem) -> repairs.add(new ImageRepair("Structure could not be repaired: name=" + name
                + ", problem=" + problem, true)));
    }

    /// The names of the structures that have problems, and the first problem of each.
    private static Map<String, String> brokenStructures(Path base) throws IOException {
        Map<String, String> broken = new LinkedHashMap<>();
        try (ArenaImage image = open(base); Stream<Allocation> allocations = image.allocations()) {
            for (Allocation allocation : (Iterable<Allocation>) allocations.filter(Allocation::isLive)::iterator) {
                try {
                    Optional<ImageEntries> entries = image.entries(allocation);
                    if (entries.isPresent()) {
                        entries.get().check(problem -> broken.putIfAbsent(allocation.label(), problem));
                    }
                } catch (IllegalArgumentException _) {
                    // The type cannot be parsed, which is a problem of the image.
                } catch (IOException e) {
                    broken.putIfAbsent(allocation.label(), String.valueOf(e.getMessage()));
                }
            }
        }
        return broken;
    }

    /// Finds the problems of the image: records that are damaged or unfinished, names that are used twice, allocations
    /// that overlap or whose type cannot be parsed, and data files that are missing, truncated or not recorded. If the
    /// image has an owner, its unfinished records are not a problem. Without an owner, they are a
    /// [note][ImageProblem#isNote]: their writer was killed.
    ///
    /// The image is checked while the stream is used, and the stream throws [UncheckedIOException] if the catalog
    /// cannot be read.
    ///
    /// @return the problems, none for a sound image
    /// @throws IOException if the catalog cannot be read
    public Stream<ImageProblem> problems() throws IOException {
        return new ImageCheck(base, catalog, types).stream();
    }

    /// Finds the problems of the image as [#problems] does, and returns what was checked. Both are from one pass over the
    /// catalog. An exception of the consumer ends the check.
    ///
    /// @param problems receives each problem when it is found
    /// @return the allocations that were checked
    /// @throws IOException if the catalog cannot be read
    public CheckedAllocations check(Consumer<? super ImageProblem> problems) throws IOException {
        ImageCheck check = new ImageCheck(base, catalog, types);
        while (check.tryAdvance(problems)) {
            // Each step finds one problem.
        }
        return new CheckedAllocations(check.count(), check.allByteSize(), check.hasSeals());
    }

    /// Closes the files. Segments stay valid until their arenas are closed.
    ///
    /// @throws IOException if a file cannot be closed
    @Override
    public void close() throws IOException {
        try (catalog) {
            files.close();
        }
    }
}
