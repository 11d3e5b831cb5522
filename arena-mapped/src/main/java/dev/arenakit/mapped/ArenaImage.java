package dev.arenakit.mapped;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.arena.TypeMismatch;
import dev.arenakit.mapped.internal.catalog.AllocationSpliterator;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import dev.arenakit.mapped.internal.entries.EntrySource;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.image.DataFileBytes;
import dev.arenakit.mapped.internal.image.DataFileReader;
import dev.arenakit.mapped.internal.image.ImageCopy;
import dev.arenakit.mapped.internal.image.TypeCache;
import dev.arenakit.mapped.internal.locks.ImageLock;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.io.SparseFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A reader of an image: the files that an [InfiniteArena] has left, or is still writing. It lists the allocations,
/// finds them by their names, and reads or maps their bytes.
///
/// **Files.** An image consists of a catalog, which records each allocation, and of data files: see [ImageFiles]. A
/// copy of the files under another base is an image, too (`cp --sparse=always`, `tar -S` and [#copyTo] preserve holes).
///
/// **Trust.** Each record has a checksum. Damaged and unfinished records are skipped, and [#integrity()] reports them.
/// An allocation whose data file is missing or truncated is listed like all others, and reported.
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
    private final ImageIntegrity integrity;
    private boolean hasSkippedDamage;

    private ArenaImage(Path base, CatalogReader catalog, boolean writable) {
        this.base = base;
        this.catalog = catalog;
        files = new DataFileReader(base, writable);
        integrity = new ImageIntegrity(base, catalog, files, types);
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
    /// not depend on process ids. While a process reopens the image, the state can still be the state of the last
    /// owner.
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
        return ImageLock.holderOf(base);
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
    /// @see ImageIntegrity#problems()
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

    /// Returns the type of the structs in an allocation: of a row if the allocation is a
    /// [table of columns][dev.arenakit.layout.ColumnTable].
    ///
    /// @param allocation an allocation of this image
    /// @return the type, or empty if none was recorded
    /// @throws LayoutParseException if the text of the type cannot be parsed, for example because a later version wrote
    ///                              it
    public Optional<StructType> type(Allocation allocation) {
        return recordedType(allocation).map(type -> ColumnTableFormat.recordedRow(type).orElse(type));
    }

    private Optional<StructType> recordedType(Allocation allocation) {
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
        StructType type = recordedType(allocation).orElse(null);
        return type != null
                && (StructureKind.isRecordedFor(type) || ColumnTableFormat.recordedRow(type).isPresent())
                        ? Optional.of(new ImageEntries(EntrySource.open(
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

    /// Returns the tables, maps and trees of the image for reading, also while its owner changes them. Nothing is
    /// written to the image. Structures can be used until the arena is closed, and maps and trees also after this image
    /// was closed. After this image was closed, the rows that a table knows can still be read.
    ///
    /// ```java
    /// GrowableTable<Trade> trades = image.structures(arena).table("trades", Trade.class);
    /// trades.stream().mapToDouble(Trade::price).max();
    /// ```
    ///
    /// @param arena the arena whose scope the memory gets; it need not be confined, and keeps each mapping of memory
    ///              that has grown until it is closed
    /// @return the structures
    public ImageStructures structures(Arena arena) {
        return new ImageStructures(new ImageStructures.Reading(this, catalog, files, arena));
    }

    /// {@return the integrity of the image: its problems, seals, and bytes that differ from their seals}
    public ImageIntegrity integrity() {
        return integrity;
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

    /// Copies the image with its holes, while its owner may be writing it. The copy is not a snapshot. Its catalog ends
    /// at the first unfinished record, and its bytes are read page after page while the owner may change them. Data
    /// that the owner protects by versions or checksums is as consistent in the copy as after a `kill -9`. The copy has
    /// no owner.
    ///
    /// **Before an image whose owner has died is moved to another machine,** copy it on the machine of its owner,
    /// before that is restarted: all stored elements count as [forced][GrowableSegment#elementCount()] in the copy, and
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
