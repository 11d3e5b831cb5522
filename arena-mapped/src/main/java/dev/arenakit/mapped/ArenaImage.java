package dev.arenakit.mapped;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.LayoutParseException;
import dev.arenakit.layout.LayoutText;
import dev.arenakit.layout.StructType;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// What an [InfiniteArena] has left, or is still writing: its allocations, by their names, and the bytes in them.
///
/// An image is the files of an arena: `base.catalog`, which records each allocation, and the data files `base-0`, `base-1` and
/// so on. They may have been copied elsewhere, all under the same base, holes and all (`cp --sparse=always`, `tar -S`).
///
/// **Trust.** Each record has a checksum; what is damaged or unfinished is reported by [#problems] and otherwise left out. An
/// allocation whose data file is missing or shorter than it was is listed as any other, and reported.
///
/// **While the owner runs**, an image shows what was recorded when a method began to read; records whose writer has not come to
/// their end are left out. Bytes are as they are in the moment in which they are read, one here and another there.
///
/// **Memory** does not grow with the image. The catalog is read, never mapped, so that a file that somebody truncates meanwhile
/// ends early and does no harm; so are the bytes of [#source], while [#segment] maps them.
///
/// **Threads.** For one thread at a time. Native access is asked for to skip holes; where it is denied they are read like data
/// ([SparseFile]).
///
/// {@snippet file="dev/arenakit/mapped/ArenaImageExample.java" region="example"}
public final class ArenaImage implements Closeable {
    /// How many types are kept parsed: more than a program has, unless it means to fill the reader's memory.
    private static final int TYPES = 256;

    private final Path base;
    private final CatalogReader catalog;
    private final DataFiles files;
    private final Map<String, StructType> types = new HashMap<>();

    private ArenaImage(Path base, CatalogReader catalog, boolean writable) {
        this.base = base;
        this.catalog = catalog;
        files = new DataFiles(base, writable);
    }

    /// Opens an image for reading. Its owner, if there is one, does not notice.
    ///
    /// @param base the base that the arena was built with, or that its files have been copied to
    /// @return the image, to be closed
    /// @throws IOException if there is no catalog (the arena may have been built without), it cannot be read, or it is of another
    ///                     version
    public static ArenaImage open(Path base) throws IOException {
        return new ArenaImage(base, CatalogReader.open(Catalog.file(base)), false);
    }

    /// Attaches to an image whose owner runs, in this process or another: as [#open], but what [#segment] maps may be written, and is the
    /// owner's memory. Threads and processes that share it communicate by atomic accesses ([java.lang.invoke.VarHandle],
    /// [dev.arenakit.layout.LongField]), as threads do; plain ones may be seen late, or half.
    ///
    /// The owner alone allocates, and it never truncates or moves what it has allocated. Its death, and the end of its arena, leave segments
    /// here as they are, even where it deletes the files; then nobody else sees what is written to them.
    ///
    /// @param base the base that the arena was built with
    /// @return the image, to be closed
    /// @throws IllegalStateException if nobody owns the image
    /// @throws IOException           if there is no catalog, it cannot be read, or it is of another version
    public static ArenaImage attach(Path base) throws IOException {
        ArenaImage image = new ArenaImage(base, CatalogReader.open(Catalog.file(base)), true);
        boolean attached = false;
        try {
            if (!image.ownerIsAlive()) {
                throw new IllegalStateException("No process owns the image: base=" + base
                        + "; own it with InfiniteArena.builder(base).reopen(), or read it with ArenaImage.open");
            }
            attached = true;
            return image;
        } finally {
            if (!attached) {
                image.close();
            }
        }
    }

    /// The path of the files, up to what tells them apart.
    ///
    /// @return the base
    public Path base() {
        return base;
    }

    /// Whether allocations share data files; otherwise each has one of its own.
    ///
    /// @return whether the arena was built with `chunked()`
    public boolean isChunked() {
        return catalog.isChunked();
    }

    /// The order of the bytes in the memory of the machine that wrote the image.
    ///
    /// @return the order of values that were stored without another being named
    public ByteOrder byteOrder() {
        return catalog.isLittleEndian() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }

    /// The processes that have written the image: the one that made it, then those that reopened it. The last one owns it as long
    /// as it lives.
    ///
    /// @return at least one, unless the catalog is damaged
    /// @throws IOException from the file system
    public List<ImageOwner> owners() throws IOException {
        List<ImageOwner> owners = new ArrayList<>();
        CatalogScan scan = new CatalogScan(catalog);
        for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
            if (entry instanceof CatalogEntry.Opened(long pid, long started, long opened, String jvm, int state)) {
                owners.add(new ImageOwner(pid, instant(started), instant(opened), jvm,
                        state == CatalogFormat.STATE_ENDED));
            }
        }
        return owners;
    }

    /// Whether a process has the image open to write it, on this machine. It is asked of the lock that the process holds, which
    /// no process outlives, not of a process id.
    ///
    /// @return whether there is an owner now
    /// @throws IOException if the lock file is there and cannot be read
    public boolean ownerIsAlive() throws IOException {
        return ImageLock.isHeld(base);
    }

    /// The allocations in the order in which they were recorded: read one after the other while the stream is used, which throws
    /// [UncheckedIOException] where that fails.
    ///
    /// @return the allocations that are recorded now
    /// @throws IOException from the file system
    public Stream<Allocation> allocations() throws IOException {
        return new AllocationReader(new CatalogScan(catalog)).stream();
    }

    /// The live allocation of a name, or the allocation of an index as `#7`. The catalog is read up to it: some tenths of a
    /// microsecond for each record.
    ///
    /// @param label a name, or `#` and an index
    /// @return the allocation, or empty
    /// @throws IOException from the file system
    public Optional<Allocation> find(String label) throws IOException {
        if (label.startsWith("#")) {
            try {
                return allocation(Long.parseLong(label, 1, label.length(), 10));
            } catch (NumberFormatException _) {
                return Optional.empty();
            }
        }
        try (Stream<Allocation> all = allocations()) {
            return all.filter(allocation -> allocation.isLive() && allocation.name().filter(label::equals).isPresent())
                    .findFirst();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// The allocation of an index. The time grows with the index.
    ///
    /// @param index its place among the [#allocations], from 0
    /// @return the allocation, or empty where there are not as many
    /// @throws IOException from the file system
    public Optional<Allocation> allocation(long index) throws IOException {
        if (index < 0) {
            return Optional.empty();
        }
        try (Stream<Allocation> all = allocations()) {
            return all.skip(index).findFirst();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// What stands in an allocation: structs of a type, one after the other.
    ///
    /// @param allocation one of this image
    /// @return the type, or empty where none was recorded
    /// @throws LayoutParseException when the text of the type is of a later version
    public Optional<StructType> type(Allocation allocation) {
        if (types.size() == TYPES) {
            types.clear();
        }
        return allocation.typeText().map(text -> types.computeIfAbsent(text, LayoutText::parse));
    }

    /// The bytes of an allocation, to be read without being mapped. Where the data file has been truncated they end early.
    ///
    /// @param allocation one of this image
    /// @return its bytes, valid until the image is closed
    /// @throws IOException if the data file is missing or cannot be read
    public ExtentSource source(Allocation allocation) throws IOException {
        return files.source(allocation);
    }

    /// The memory of an allocation, mapped from its data file: read-only, unless the image is [attached][#attach]. Within an arena a data file is mapped once, however many
    /// of its allocations are asked for.
    ///
    /// Where another process truncates the file afterwards, access throws [InternalError]. On tmpfs, reading a hole gives it memory.
    ///
    /// @param allocation one of this image
    /// @param arena      whose scope the segment gets; it unmaps the file when it is closed
    /// @return the memory
    /// @throws IOException if the data file is missing, is too short for the allocation, or cannot be mapped
    public MemorySegment segment(Allocation allocation, Arena arena) throws IOException {
        return files.segment(allocation, arena);
    }

    /// The path of a data file.
    ///
    /// @param number its number, from 0
    /// @return the path, whether there is such a file or not
    public Path file(int number) {
        return DataFiles.file(base, number);
    }

    /// The paths of the data files that are recorded, whether they are there or not: read one after the other while the stream is
    /// used, which throws [UncheckedIOException] where that fails.
    ///
    /// @return the paths
    /// @throws IOException from the file system
    public Stream<Path> dataFiles() throws IOException {
        CatalogScan scan = new CatalogScan(catalog);
        return Stream.generate(() -> scan.following(CatalogEntry.DataFile.class))
                .takeWhile(Optional::isPresent)
                .map(file -> file(file.orElseThrow().number()));
    }

    /// Deletes an image that nobody owns: the data files that its catalog records, the catalog, and the lock, which is held meanwhile, so
    /// that nobody reopens the image. Nothing else is deleted, whatever its name, and no link is followed.
    ///
    /// Where a data file cannot be deleted, or what stands in its place is no regular file, the others are deleted and the catalog stays, so
    /// that what is left is still recorded.
    ///
    /// @param base the base of the image
    /// @throws IllegalStateException if a process owns the image
    /// @throws IOException           if there is no catalog, it cannot be read, or a file is left
    public static void delete(Path base) throws IOException {
        ImageRemoval.remove(base);
    }

    /// Copies the image, holes as holes, while its owner may be writing it. It is no snapshot: the copy's catalog is a beginning of this one,
    /// up to the first record that is not finished, and its bytes are as they are found, one page after the other. What the owner keeps consistent
    /// by its own means, versions or checksums, is as consistent in the copy as it would be after a `kill -9`. The copy has no owner.
    ///
    /// @param base the base of the copy, whose files do not exist
    /// @throws IOException if a file cannot be read or made; nothing is left of the copy then
    public void copyTo(Path base) throws IOException {
        ImageCopy.copy(catalog, this.base, base, ownerIsAlive());
    }

    /// Everything that is not as it should be: records that are damaged or were not finished, names that are used twice, allocations
    /// that overlap or have no type that can be parsed, data files that are missing or truncated, or that nobody has recorded. While the owner runs, what
    /// it has not finished is no problem.
    ///
    /// Everything is checked while the stream is used, which throws [UncheckedIOException] where the catalog cannot be read.
    ///
    /// @return the problems, none for a sound image
    /// @throws IOException from the file system
    public Stream<ImageProblem> problems() throws IOException {
        return new ImageCheck(this, catalog).stream();
    }

    /// Closes the files. Segments stay valid as long as their arenas.
    ///
    /// @throws IOException from the file system
    @Override
    public void close() throws IOException {
        try (catalog) {
            files.close();
        }
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, 1_000_000_000L), Math.floorMod(nanos, 1_000_000_000L));
    }

    static Optional<Instant> time(long nanos) {
        return nanos == 0 ? Optional.empty() : Optional.of(instant(nanos));
    }

    static OptionalLong thread(long id) {
        return id == 0 ? OptionalLong.empty() : OptionalLong.of(id);
    }
}
