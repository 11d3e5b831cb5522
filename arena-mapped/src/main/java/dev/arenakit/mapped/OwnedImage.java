package dev.arenakit.mapped;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.CatalogEntry.Text;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The image of an open arena: its lock, its catalog, and the names in use.
final class OwnedImage {
    private final Path base;
    private final ImageLock lock;
    private final CatalogWriter catalog;
    private final long chunkByteSize;
    private final boolean isReopened;
    private final ReopenedState reopenedState;
    private final NamedAllocations names;
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
    }

    /// Creates an image.
    ///
    /// @param arena         the arena whose scope the mapping of the catalog gets
    /// @param chunkByteSize the size of a chunk, or 0 if each allocation has a file
    static OwnedImage create(Path base, Arena arena, CatalogLevel level, long chunkByteSize) {
        ImageLock lock = acquire(base);
        boolean owned = false;
        try {
            CatalogWriter catalog = CatalogWriter.create(base, arena, level, chunkByteSize);
            owned = true;
            return new OwnedImage(base, lock, catalog, chunkByteSize, false, ReopenedState.none());
        } finally {
            if (!owned) {
                release(lock);
            }
        }
    }

    /// Reopens an image.
    ///
    /// @param level how much is recorded, or null for the level with which the image was created
    static OwnedImage reopen(Path base, Arena arena, @Nullable CatalogLevel level) {
        if (!Files.exists(ImageFiles.catalog(base))) {
            throw FileErrors.noImage(ImageFiles.catalog(base));
        }
        ImageLock lock = acquire(base);
        boolean owned = false;
        try {
            OwnedImage image = SafeFiles.uninterrupted(() -> {
                try (CatalogReader reader = CatalogReader.open(ImageFiles.catalog(base))) {
                    ReopenedState reopenedState = ReopenedState.read(base, reader);
                    CatalogWriter catalog = CatalogWriter.reopen(base, arena, level == null ? reader.level() : level,
                            reopenedState.end(), reopenedState.texts());
                    return new OwnedImage(base, lock, catalog, reader.isChunked() ? reader.chunkByteSize() : 0, true,
                            reopenedState);
                }
            });
            owned = true;
            return image;
        } catch (IOException e) {
            throw FileErrors.reopen(base, e);
        } finally {
            if (!owned) {
                release(lock);
            }
        }
    }

    private static ImageLock acquire(Path base) {
        try {
            ImageLock lock = ImageLock.acquire(base);
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
            return new IllegalStateException(ImageLock.isHeldByThisProcess(base)
                    ? "Image is owned by this process: base=" + base + "; close the arena that owns it" + alternative
                    : "Image is owned by another process: base=" + base + ", pid=" + ownerOf(base)
                            + "; wait until that process closes the image or ends" + alternative);
        } catch (IOException e) {
            throw FileErrors.lock(ImageFiles.lock(base), e);
        }
    }

    private static String ownerOf(Path base) {
        try (ArenaImage image = ArenaImage.open(base)) {
            return Long.toString(image.owners().getLast().pid());
        } catch (IOException | RuntimeException _) {
            // The owner has locked the image, but has not recorded itself yet.
            return "unknown";
        }
    }

    private static void release(ImageLock lock) {
        try {
            lock.close();
        } catch (IOException _) {
            // Another exception is on its way, and is the one to report.
        }
    }

    CatalogWriter catalog() {
        return catalog;
    }

    /// Allocates memory for a name.
    ///
    /// @param type the text of its type
    MemorySegment allocate(String name, String type, long byteSize, long byteAlignment, ChunkAllocator memory) {
        NamedAllocations.Named named = names.reserve(name, type);
        boolean made = false;
        try {
            Text nameText = catalog.text(name);
            Text typeText = catalog.text(type);
            int line = catalog.reserve();
            MemorySegment segment = memory.allocateNamed(line, byteSize, byteAlignment, nameText, typeText);
            named.allocated(line, segment);
            made = true;
            return segment;
        } finally {
            if (!made) {
                names.remove(name, named);
            }
        }
    }

    Optional<MemorySegment> find(String name, ChunkAllocator memory) {
        return names.find(name).map(named -> named.segment(memory));
    }

    Optional<MemorySegment> find(String name, StructType type, ChunkAllocator memory) {
        String text = LayoutText.print(type);
        return names.find(name).map(named -> {
            if (!named.type().equals(text)) {
                throw new IllegalStateException("Allocation is of another type: name=" + name + ", "
                        + TypeMismatch.describe(named.type(), type)
                        + "; copy its structs to a new allocation, and free this one");
            }
            return named.segment(memory);
        });
    }

    void free(String name) {
        NamedAllocations.Named named = names.find(name).orElseThrow(() -> noSuchName(name));
        catalog.free(named.line());
        // If several threads free it at the same time, one of them succeeds.
        if (!names.remove(name, named)) {
            throw noSuchName(name);
        }
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

    /// Releases the image after the arena and its data files. A second call has no effect: the files may have another
    /// owner by then.
    ///
    /// @param delete whether the catalog and the lock file are deleted
    /// @throws java.io.UncheckedIOException if a file could not be written or deleted; the image is released
    synchronized void close(boolean delete) {
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
                catalog.close();
            }
        } catch (IOException e) {
            throw FileErrors.close(ImageFiles.catalog(base), 0, e);
        }
    }
}
