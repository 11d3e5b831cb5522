package dev.arenakit.mapped;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.CatalogEntry.Text;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The image of an open arena: its lock, its catalog, and the names in use.
final class OwnedImage {
    private final Path base;
    private final ImageLock lock;
    private final CatalogWriter catalog;
    private final long chunkByteSize;
    private final boolean isReopened;
    private final ReopenedState reopenedState;
    private final NamedAllocations names;
    private final AllocationIndex index;
    /// Converting a layout, and printing a type, takes longer than all the rest of an allocation.
    private final IdentityCache<MemoryLayout, StructType> structs = new IdentityCache<>();
    private final IdentityCache<StructType, String> typeTexts = new IdentityCache<>();
    private final IdentityCache<StructType, Text> recordedTypes = new IdentityCache<>();
    private final Function<StructType, Text> recordType;
    private boolean isClosed;

    private OwnedImage(Path base, ImageLock lock, CatalogWriter catalog, long chunkByteSize, boolean isReopened,
            ReopenedState reopenedState) {
        this.base = base;
        this.lock = lock;
        this.catalog = catalog;
        this.chunkByteSize = chunkByteSize;
        this.isReopened = isReopened;
        this.reopenedState = reopenedState;
        names = reopenedState.names();
        index = new AllocationIndex(catalog);
        recordType = type -> catalog.type(typeTexts.get(type, LayoutText::print));
    }

    /// Creates an image.
    ///
    /// @param arena the arena whose scope the mapping of the catalog gets
    static OwnedImage create(Path base, Arena arena, ArenaOptions options) {
        return own(base, options, lock -> {
            deleteUnfinished(base, lock);
            return create(base, arena, options, lock);
        });
    }

    /// Reopens an image.
    ///
    /// @param arena the arena whose scope the mapping of the catalog gets
    static OwnedImage reopen(Path base, Arena arena, ArenaOptions options) {
        if (!exists(base)) {
            throw FileErrors.noImage(ImageFiles.catalog(base));
        }
        return own(base, options, lock -> reopen(base, arena, options, lock));
    }

    /// Reopens an image, or creates it if there is none.
    ///
    /// @param arena the arena whose scope the mapping of the catalog gets
    static OwnedImage reopenOrCreate(Path base, Arena arena, ArenaOptions options) {
        return own(base, options, lock -> {
            deleteUnfinished(base, lock);
            return exists(base) ? reopen(base, arena, options, lock) : create(base, arena, options, lock);
        });
    }

    private static OwnedImage own(Path base, ArenaOptions options, Function<ImageLock, OwnedImage> opening) {
        ImageLock lock = acquire(base, options);
        boolean owned = false;
        try {
            OwnedImage image = opening.apply(lock);
            owned = true;
            return image;
        } finally {
            if (!owned) {
                lock.discard();
            }
        }
    }

    private static boolean exists(Path base) {
        return Files.exists(ImageFiles.catalog(base), LinkOption.NOFOLLOW_LINKS);
    }

    /// Without a lock, the process that creates the image may still be running.
    private static void deleteUnfinished(Path base, ImageLock lock) {
        try {
            if (lock.isLocked()) {
                UnfinishedImage.delete(base);
            }
        } catch (IOException e) {
            throw FileErrors.reopen(base, e);
        }
    }

    private static OwnedImage create(Path base, Arena arena, ArenaOptions options, ImageLock lock) {
        CatalogWriter catalog = CatalogWriter.create(base, arena, options.newLevel(), options.chunkByteSize,
                options.mode);
        boolean owned = false;
        try {
            lockCatalog(base, lock);
            OwnedImage image = new OwnedImage(base, lock, catalog, options.chunkByteSize, false, ReopenedState.none());
            owned = true;
            return image;
        } finally {
            if (!owned) {
                catalog.release();
                SafeFiles.delete(ImageFiles.catalog(base));
            }
        }
    }

    private static OwnedImage reopen(Path base, Arena arena, ArenaOptions options, ImageLock lock) {
        lockCatalog(base, lock);
        Path file = ImageFiles.catalog(base);
        try {
            return SafeFiles.uninterrupted(() -> {
                Object key = FileTrust.check(file);
                try (CatalogReader reader = CatalogReader.open(file)) {
                    reader.checkHeader();
                    CatalogLevel level = options.level == null ? reader.level() : options.level;
                    CatalogWriter catalog = CatalogWriter.map(base, arena, level);
                    boolean owned = false;
                    try {
                        // The files that were locked, read and mapped are the same one.
                        FileTrust.checkSame(file, key);
                        ReopenedState state = catalog.takeOver(() -> ReopenedState.read(base, reader));
                        OwnedImage image = new OwnedImage(base, lock, catalog,
                                reader.isChunked() ? reader.chunkByteSize() : 0, true, state);
                        owned = true;
                        return image;
                    } finally {
                        if (!owned) {
                            catalog.release();
                        }
                    }
                }
            });
        } catch (IOException e) {
            throw FileErrors.reopen(base, e);
        }
    }

    private static void lockCatalog(Path base, ImageLock lock) {
        try {
            if (lock.lockCatalog()) {
                return;
            }
        } catch (IOException e) {
            throw FileErrors.lock(ImageFiles.catalog(base), e);
        }
        throw owned(base, ", or pass another base");
    }

    private static ImageLock acquire(Path base, ArenaOptions options) {
        try {
            ImageLock lock = ImageLock.acquire(base, options.lock(base));
            if (lock != null) {
                return lock;
            }
        } catch (IOException e) {
            throw FileErrors.lock(ImageFiles.lock(base), e);
        }
        throw owned(base, ", or pass another base");
    }

    /// The exception for an image that has an owner.
    ///
    /// @param alternative what the user can do instead of closing the image, or an empty string
    static IllegalStateException owned(Path base, String alternative) {
        try {
            Optional<OwnerRecord> owner = ownerOf(base);
            return new IllegalStateException(
                    ImageLock.isHeldByThisProcess(base) || owner.filter(OwnedImage::isThisProcess).isPresent()
                            ? "Image is owned by this process: base=" + base + "; close the arena that owns it"
                                    + alternative
                            : "Image is owned by another process: base=" + base + ", pid="
                                    + owner.map(other -> Long.toString(other.pid())).orElse("unknown")
                                    + "; wait until that process closes the image or ends" + alternative);
        } catch (IOException e) {
            throw FileErrors.lock(ImageFiles.lock(base), e);
        }
    }

    /// The last owner, unless it has locked the image and not recorded itself yet.
    private static Optional<OwnerRecord> ownerOf(Path base) {
        try (ArenaImage image = ArenaImage.open(base)) {
            return Optional.of(image.owners().getLast());
        } catch (IOException | RuntimeException _) {
            return Optional.empty();
        }
    }

    /// Whether a copy of this class in this process owns the image, which another class loader has loaded.
    private static boolean isThisProcess(OwnerRecord owner) {
        ProcessHandle self = ProcessHandle.current();
        return owner.pid() == self.pid()
                && self.info().startInstant().equals(Optional.of(owner.start()));
    }

    CatalogWriter catalog() {
        return catalog;
    }

    /// The struct type of a layout.
    StructType structOf(MemoryLayout layout) {
        return structs.get(layout, NamedAllocations::structOf);
    }

    /// Allocates memory for a name.
    ///
    /// @param utf8Name the name in UTF-8
    MemorySegment allocate(String name, byte[] utf8Name, StructType type, long byteSize, ChunkAllocator memory) {
        // Types stay in memory until the arena is closed. Names stay until they are freed.
        Text typeText = recordedTypes.get(type, recordType);
        NamedAllocations.Named named = names.reserve(name, typeText.text());
        boolean made = false;
        try {
            Text nameText = catalog.name(name, utf8Name);
            int line = catalog.reserve();
            MemorySegment segment = memory.allocateNamed(line, byteSize, type.byteAlignment(), nameText, typeText);
            named.allocated(line, segment);
            made = true;
            return segment;
        } finally {
            if (!made) {
                names.remove(name, named);
            }
        }
    }

    /// Reserves addresses for a name.
    ///
    /// @param utf8Name the name in UTF-8
    GrowableSegment growable(String name, byte[] utf8Name, StructType type, long maxByteSize, ChunkAllocator memory) {
        Text typeText = recordedTypes.get(type, recordType);
        NamedAllocations.Named named = names.reserve(name, typeText.text());
        boolean made = false;
        try {
            GrowableSegment growable = memory.growable(maxByteSize, type.byteAlignment(), catalog.name(name, utf8Name),
                    typeText);
            named.reserved(growable.line(), growable);
            made = true;
            return growable;
        } finally {
            if (!made) {
                names.remove(name, named);
            }
        }
    }

    /// Grows an allocation to a number of structs of its type, unless it has as many.
    MemorySegment resize(String name, long count, ChunkAllocator memory) {
        NamedAllocations.Named named = names.get(name);
        return named.grow(name, NamedAllocations.byteSize(name, LayoutText.parse(named.type()), count), memory);
    }

    Optional<MemorySegment> find(String name, ChunkAllocator memory) {
        NamedAllocations.Named named = names.find(name);
        return named == null ? Optional.empty() : Optional.of(named.segment(memory));
    }

    Optional<MemorySegment> find(String name, StructType type, ChunkAllocator memory) {
        NamedAllocations.Named named = names.find(name);
        if (named == null) {
            return Optional.empty();
        }
        checkType(name, named, type);
        return Optional.of(named.segment(memory));
    }

    MemorySegment get(String name, ChunkAllocator memory) {
        return names.get(name).segment(memory);
    }

    MemorySegment get(String name, StructType type, ChunkAllocator memory) {
        NamedAllocations.Named named = names.get(name);
        checkType(name, named, type);
        return named.segment(memory);
    }

    private void checkType(String name, NamedAllocations.Named named, StructType type) {
        if (!named.type().equals(typeTexts.get(type, LayoutText::print)) && !TypeMismatch.isSame(named.type(), type)) {
            throw new IllegalStateException("Allocation is of another type: name=" + name + ", "
                    + TypeMismatch.describe(named.type(), type)
                    + "; copy its structs to a new allocation, and free this one");
        }
    }

    void free(String name) {
        NamedAllocations.Named named = names.find(name);
        if (named == null) {
            throw noSuchName(name);
        }
        // If several threads free it at the same time, one of them succeeds.
        if (!catalog.end(named.line() * CatalogFormat.LINE, false)) {
            throw noSuchName(name);
        }
        names.remove(name, named);
    }

    /// Seals the allocation that has a name.
    Seal seal(String name) {
        int line = names.get(name).line();
        return sealed(() -> new Sealer(base, catalog).seal(line));
    }

    /// Seals an allocation.
    Seal seal(Allocation allocation) {
        return sealed(() -> new Sealer(base, catalog).seal(allocation));
    }

    private Seal sealed(SafeFiles.Action<Seal> sealing) {
        try {
            return sealing.run();
        } catch (IOException e) {
            throw FileErrors.seal(base, e);
        }
    }

    /// Records that an allocation has ended, and frees its name.
    ///
    /// @throws IllegalArgumentException if the range is not that of an allocation, or it has ended before
    void end(MappedFiles.Range range) {
        AllocationIndex.Found found = index.find(range.number(), range.byteOffset(), range.byteSize());
        if (found == null) {
            throw notALiveAllocation(range, "it is a slice, or is not recorded");
        }
        if (!catalog.end(found.at(), found.isSlot())) {
            throw notALiveAllocation(range, "it was freed before");
        }
        if (!found.isSlot()) {
            String name = catalog.nameOf(found.at());
            NamedAllocations.Named named = names.find(name);
            if (named != null && named.line() == found.at() / CatalogFormat.LINE) {
                names.remove(name, named);
            }
        }
    }

    private static IllegalArgumentException notALiveAllocation(MappedFiles.Range range, String reason) {
        return new IllegalArgumentException("Segment is no live allocation: file=" + range.number() + ", byteOffset="
                + range.byteOffset() + ", byteSize=" + range.byteSize() + ", reason=" + reason);
    }

    private static IllegalArgumentException noSuchName(String name) {
        return new IllegalArgumentException("No live allocation has the name: name=" + name);
    }

    /// The size of a chunk, or 0 if each allocation has a file.
    long chunkByteSize() {
        return chunkByteSize;
    }

    /// Whether there was a previous owner, which may have made files that are not recorded.
    boolean isReopened() {
        return isReopened;
    }

    /// The state that previous owners have left.
    ReopenedState reopenedState() {
        return reopenedState;
    }

    /// Writes the catalog, and the names of all files, to the device.
    void force() throws IOException {
        catalog.force();
        SafeFiles.forceDirectory(base);
    }

    /// Whether no other owner has taken the image over or made it anew, so that its files may be deleted.
    ///
    /// @throws java.io.UncheckedIOException if the catalog cannot be read
    boolean isOwn() {
        try {
            return catalog.isOwn();
        } catch (IOException e) {
            throw FileErrors.close(ImageFiles.catalog(base), 0, e);
        }
    }

    /// Releases the image after the arena and its data files. A second call has no effect: the files may have another
    /// owner by then.
    ///
    /// @param delete whether the catalog and the lock file are deleted
    /// @param runs   the runs that were written
    /// @throws java.io.UncheckedIOException if a file could not be written or deleted; the image is released
    synchronized void close(boolean delete, List<CatalogRun> runs) {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try (lock) {
            if (delete) {
                catalog.release();
                SafeFiles.delete(ImageFiles.catalog(base));
                lock.delete();
            } else {
                catalog.close(runs);
            }
        } catch (IOException e) {
            throw FileErrors.close(ImageFiles.catalog(base), 0, e);
        }
    }
}
