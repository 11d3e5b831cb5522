package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.ColumnMapper;
import dev.arenakit.layout.ColumnTable;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.arena.GrowableMemory;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.catalog.BootId;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.mapped.internal.image.CountedMemoryReader;
import dev.arenakit.mapped.internal.image.DataFileReader;
import dev.arenakit.mapped.internal.structure.AttachedMemory;
import dev.arenakit.mapped.internal.structure.StoredHeader;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.structure.Structures;
import dev.arenakit.mapped.internal.table.LongTable;
import dev.arenakit.mapped.internal.table.LongTableReader;
import dev.arenakit.mapped.internal.tree.TreeKeyForm;
import dev.arenakit.mapped.internal.tree.TreeReader;
import dev.arenakit.mapped.internal.tree.TreeStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.NoSuchElementException;

/// The structures of an image: tables, maps and trees, which have names. [InfiniteArena#structures()] opens them for
/// their owner, and creates them. [ArenaImage#structures(Arena)] opens them for reading.
///
/// ```java
/// try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
///     ImageTree<Long, Order> orders = arena.structures().tree("orders", Long.class, Order.class); // or creates it
///     orders.put(4711L, order);
/// }
/// ```
///
/// **For the owner.** A structure is an allocation of the image that grows. Its memory is in files of its own, is
/// zeroed before it is used, and belongs to the arena: a structure can be used until the arena is closed, and
/// [ArenaNames#free] ends it. All objects for one name share the structure. The methods describe what they throw.
///
/// **For readers.** Nothing is created, and nothing is written to the image. Methods that would change a structure
/// throw [UnsupportedOperationException], and so does [#repair]. A method that opens a structure throws:
///
/// | cause | exception |
/// |---|---|
/// | no live allocation has the name | [NoSuchElementException] |
/// | the structure has another type, is damaged, or is being created | [IllegalStateException] |
/// | a map was open when the machine failed | [IllegalStateException] |
/// | a table was not made to grow, or its number of rows exceeds the memory or was never stored | [IllegalStateException] |
/// | the record has no mapper or no components, or a class is not one for keys or values | [IllegalArgumentException] |
/// | the catalog cannot be read, or the data file is missing or truncated, or cannot be mapped | [UncheckedIOException] |
///
/// **Threads.** This object may be used by the threads that may use the arena or the image. The class of a structure
/// says which threads may use it.
///
/// **Cost.** An owner that opens a tree reads its inner pages. After the previous owner was killed, it reads all of a tree
/// or a map.
public final class ImageStructures {
    private final Opening opening;

    ImageStructures(Opening opening) {
        this.opening = opening;
    }

    /// Opens a table of rows: the table that has the name, in this arena or in a
    /// [reopened][InfiniteArenaBuilder#reopen()] image, or else a new one, which can grow to 256 GiB unless the
    /// builder of the arena [sets another size][InfiniteArenaBuilder#maxStructureByteSize(long)].
    ///
    /// ```java
    /// GrowableTable<Trade> trades = arena.structures().table("trades", Trade.class);
    /// trades.append(trade);
    /// ```
    ///
    /// Otherwise, this method behaves as [ArenaNames#growable(String, StructType, long)] does.
    ///
    /// @param name the name
    /// @param type the record class of the rows, as [RecordMapper#of(Class)] takes it
    /// @param <R>  the record class
    /// @return the table
    /// @throws IllegalArgumentException also if the record has no mapper, or no components
    /// @throws IllegalStateException    also if the number of rows is damaged or exceeds the memory, or was never
    ///                                  stored for memory that is not empty
    public <R extends Record> GrowableTable<R> table(String name, Class<R> type) {
        return table(name, RecordMapper.of(type));
    }

    /// Opens a table of rows as [#table(String, Class)] does, with a mapper.
    ///
    /// @param name   the name
    /// @param mapper the mapper of the rows
    /// @param <R>    the record class
    /// @return the table
    public <R extends Record> GrowableTable<R> table(String name, RecordMapper<R> mapper) {
        return opening.table(name, GrowableTable.checked(mapper), opening.maxByteSize(), 1);
    }

    /// Opens a table of rows as [#table(String, Class)] does, which can grow to a number of rows. A table that is
    /// opened for reading grows as far as its owner permits.
    ///
    /// @param name     the name
    /// @param mapper   the mapper of the rows
    /// @param maxCount the number of rows up to which the table can grow at least, above 0
    /// @param <R>      the record class
    /// @return the table
    public <R extends Record> GrowableTable<R> table(String name, RecordMapper<R> mapper, long maxCount) {
        long maxByteSize = NamedAllocations.byteSize(name, GrowableTable.checked(mapper).type(), maxCount);
        return opening.table(name, mapper, maxByteSize, maxByteSize);
    }

    /// Opens a map from longs to longs: the live structure that has the name, in this arena or in a
    /// [reopened][InfiniteArenaBuilder#reopen()] image, or else a new one. It reserves 256 GiB of addresses, or what the
    /// builder of the arena [sets][InfiniteArenaBuilder#maxStructureByteSize(long)], and grows within them.
    ///
    /// @param name the name
    /// @return the map
    /// @throws IllegalArgumentException  if the name is not as described for [ArenaNames#allocate(String, StructType,
    ///                                   long)]
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed, or has no catalog; if the live allocation has another
    ///                                   type, or is damaged; or if the machine failed while the map was open: call
    ///                                   [#repair]
    /// @throws UncheckedIOException      if the file system refuses the file, or the catalog cannot grow
    /// @throws CapacityExceededException if the process has 10,000 file mappings
    /// @throws OutOfMemoryError          if the address space is exhausted
    public ImageLongMap longMap(String name) {
        return opening.longMap(name);
    }

    /// Opens a tree from longs to longs: the live structure that has the name, in this arena or in a
    /// [reopened][InfiniteArenaBuilder#reopen()] image, or else a new one. If the machine failed while the tree was
    /// open, it is the tree of the last [InfiniteArena#force()].
    ///
    /// Otherwise, this method behaves as [#longMap] does.
    ///
    /// @param name the name
    /// @return the tree
    public ImageLongTree longTree(String name) {
        return opening.longTree(name);
    }

    /// Opens a tree, or creates it, as [#longTree] does.
    ///
    /// ```java
    /// ImageTree<String, Order> orders = arena.structures().tree("orders", String.class, Order.class); // a record
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
        return opening.tree(name, ImageTree.Form.of(TreeKeyForm.of(keys), values));
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
        return opening.tree(name, ImageTree.Form.of(TreeKeyForm.of(keys), values));
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
        return opening.tree(name, ImageTree.Form.of(TreeKeyForm.of(keys), values));
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
        return opening.tree(name, ImageTree.Form.of(TreeKeyForm.of(keys), values));
    }

    /// Opens a table of columns: the live allocation that has the name, or else a new one. The table ends with the
    /// arena.
    ///
    /// ```java
    /// ColumnTable<Trade> trades = arena.structures().columns("trades", TRADES, 1_000_000); // ColumnMapper<Trade>
    /// trades.append(trade); // The row survives a kill when this call has returned.
    /// ```
    ///
    /// A row that was appended survives a failure of the machine after the next [InfiniteArena#force()].
    ///
    /// Otherwise, this method behaves as [ArenaNames#getOrAllocate(String, StructType, long)] does.
    ///
    /// @param name     the name
    /// @param mapper   the mapper of the rows
    /// @param capacity the capacity of a new table, which is rounded up to a multiple of 64; rows that were not written
    ///                 take no space on the disk
    /// @param <R>      the record class
    /// @return the table
    /// @throws IllegalStateException if there is an allocation of another type, or the table is damaged
    public <R> ColumnTable<R> columns(String name, ColumnMapper<R> mapper, long capacity) {
        MemorySegment memory = opening.columns(name, mapper, capacity);
        try {
            return mapper.columns(memory);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("Table is damaged: name=" + name + ", reason=" + e.getMessage(), e);
        }
    }

    /// Repairs a structure that was open when the machine failed, or whose bytes were changed by something else than
    /// its owner. Entries are kept that can be verified.
    ///
    /// Each entry of an [ImageLongMap] that is kept was in the map once, and after a failure of the machine, it may
    /// have been removed or replaced since. There is one check for up to three entries. A tree that was open when the
    /// machine failed is the tree of the last [InfiniteArena#force()]. If pages of a tree are damaged, the tree is
    /// built anew from the other pages, and the ranges of the lost keys are returned. A structure that is complete, or
    /// that this arena has open, stays as it is: if it is open and damaged, reopen the image, and call this method
    /// first.
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
    public StructureRepair repair(String name) {
        return opening.repair(name);
    }

    /// Opens structures: for their owner, or for reading.
    interface Opening {
        /// The size up to which a table can grow whose largest number of rows is not given.
        long maxByteSize();

        <R extends Record> GrowableTable<R> table(String name, RecordMapper<R> mapper, long maxByteSize,
                long leastMaxByteSize);

        ImageLongMap longMap(String name);

        ImageLongTree longTree(String name);

        <K, V> ImageTree<K, V> tree(String name, ImageTree.Form<K, V> form);

        /// The memory of a table of columns.
        <R> MemorySegment columns(String name, ColumnMapper<R> mapper, long capacity);

        StructureRepair repair(String name);
    }

    /// Opens or creates the structures of an arena.
    record Owning(NamedAllocations names, Structures structures) implements Opening {
        @Override
        public long maxByteSize() {
            return structures.maxByteSize();
        }

        @Override
        public <R extends Record> GrowableTable<R> table(String name, RecordMapper<R> mapper, long maxByteSize,
                long leastMaxByteSize) {
            GrowableMemory rows = names.growable(name, mapper.type(), maxByteSize, leastMaxByteSize);
            rows.requireCount(name);
            return new GrowableTable<>(name, mapper, rows);
        }

        @Override
        public ImageLongMap longMap(String name) {
            return new ImageLongMap(structures.open(name, ImageLongMap.TYPE, LongTable.class, LongTable::open));
        }

        @Override
        public ImageLongTree longTree(String name) {
            return new ImageLongTree(structures.open(name, ImageLongTree.TYPE, TreeStore.class,
                    owned -> TreeStore.open(owned, Long.BYTES, Long.BYTES)));
        }

        @Override
        public <K, V> ImageTree<K, V> tree(String name, ImageTree.Form<K, V> form) {
            return new ImageTree<>(form, structures.open(name, form.type(), TreeStore.class,
                    owned -> TreeStore.open(owned, form.keys().keyByteSize(), form.values().byteSize())));
        }

        @Override
        public <R> MemorySegment columns(String name, ColumnMapper<R> mapper, long capacity) {
            StructType type = mapper.type();
            long count = Math.ceilDiv(Math.max(mapper.byteSize(capacity), mapper.byteSize(1)), type.byteSize());
            MemorySegment memory = names.find(name, type).orElseGet(() -> names.getOrAllocate(name, type, count));
            // The creator may have been killed before it stored the header, or be another thread.
            synchronized (structures) {
                if (!ColumnTableFormat.isCreated(memory)) {
                    mapper.create(memory);
                }
            }
            return memory;
        }

        @Override
        public StructureRepair repair(String name) {
            StructType type = names.typeOf(name);
            StructureKind kind = StructureKind.of(name, type.name());
            return switch (kind) {
                case LONG_MAP -> structures.repair(name, type, LongTable::repair);
                case TREE -> structures.repair(name, type, TreeStore::repair);
                case COLUMN_TABLE -> throw new IllegalArgumentException("Table of columns has no checks by which it"
                        + " could be repaired: name=" + name + "; compare it with a seal, or with a copy");
            };
        }
    }

    /// Opens the structures of an image that this process reads.
    ///
    /// @param arena the arena whose scope the memory gets
    record Reading(ArenaImage image, CatalogReader catalog, DataFileReader files, Arena arena) implements Opening {
        @Override
        public long maxByteSize() {
            return Sizes.ADDRESSABLE;
        }

        @Override
        public <R extends Record> GrowableTable<R> table(String name, RecordMapper<R> mapper, long maxByteSize,
                long leastMaxByteSize) {
            return read(name, () -> new GrowableTable<>(name, mapper, new CountedMemoryReader(catalog, files,
                    image.get(name, mapper.type()), mapper.byteSize(), arena)));
        }

        @Override
        public ImageLongMap longMap(String name) {
            return read(name, () -> new ImageLongMap(LongTableReader.attach(name, mapping(name, ImageLongMap.TYPE))));
        }

        @Override
        public ImageLongTree longTree(String name) {
            return read(name, () -> new ImageLongTree(
                    TreeReader.attach(name, mapping(name, ImageLongTree.TYPE), Long.BYTES, Long.BYTES)));
        }

        @Override
        public <K, V> ImageTree<K, V> tree(String name, ImageTree.Form<K, V> form) {
            return read(name, () -> new ImageTree<>(form, TreeReader.attach(name, mapping(name, form.type()),
                    form.keys().keyByteSize(), form.values().byteSize())));
        }

        @Override
        public <R> MemorySegment columns(String name, ColumnMapper<R> mapper, long capacity) {
            return read(name, () -> image.segment(image.get(name, mapper.type()), arena));
        }

        @Override
        public StructureRepair repair(String name) {
            throw new UnsupportedOperationException("Image is opened for reading: base=" + image.base()
                    + "; repair a copy of it by ImageFiles.repair, or reopen it by InfiniteArena.builder(base).reopen()");
        }

        private <T> T read(String name, SafeFiles.Action<T> opening) {
            try {
                return opening.run();
            } catch (IOException e) {
                throw FileErrors.structure(name, image.base(), e);
            }
        }

        /// Maps a structure with its present size at each call.
        private AttachedMemory.Mapping mapping(String name, StructType type) throws IOException {
            long number = image.get(name, type).number();
            Path base = image.base();
            return () -> {
                try (ArenaImage present = ArenaImage.open(base);
                        DataFileReader mapped = new DataFileReader(base, false)) {
                    Allocation structure = present.allocation(number).orElseThrow();
                    return mapped.segment(structure, byteSize(base, structure), arena);
                }
            };
        }

        private static long byteSize(Path base, Allocation structure) throws IOException {
            return SafeFiles.uninterrupted(() -> {
                try (FileChannel file = SafeFiles.openToRead(ImagePaths.data(base, structure.file()))) {
                    return StoredHeader.byteSize(file, structure.byteSize(), BootId.current());
                }
            });
        }
    }
}
