package dev.arenakit.mapped;

import dev.arenakit.mapped.CatalogEntry.Text;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An image as its owner holds it: the lock, the catalog, and the names in use.
final class OwnImage {
    private final Path base;
    private final ImageLock lock;
    private final Catalog catalog;
    private final long chunkByteSize;
    private final boolean isReopened;
    private final Inheritance inheritance;
    private final NamedAllocations names;
    private boolean isClosed;

    private OwnImage(Path base, ImageLock lock, Catalog catalog, long chunkByteSize, boolean isReopened,
            Inheritance inheritance) {
        this.base = base;
        this.lock = lock;
        this.catalog = catalog;
        this.chunkByteSize = chunkByteSize;
        this.isReopened = isReopened;
        this.inheritance = inheritance;
        names = inheritance.names();
    }

    /// Makes a new image.
    ///
    /// @param arena         whose scope the mapping of the catalog gets
    /// @param chunkByteSize 0 where each allocation has a file
    static OwnImage create(Path base, Arena arena, CatalogLevel level, long chunkByteSize) {
        ImageLock lock = acquire(base);
        boolean owned = false;
        try {
            Catalog catalog = Catalog.create(base, arena, level, chunkByteSize);
            owned = true;
            return new OwnImage(base, lock, catalog, chunkByteSize, false, Inheritance.none());
        } finally {
            if (!owned) {
                release(lock);
            }
        }
    }

    /// Continues an image.
    ///
    /// @param level null for the one that the image was made with
    static OwnImage reopen(Path base, Arena arena, @Nullable CatalogLevel level) {
        if (!Files.exists(Catalog.file(base))) {
            throw FileErrors.noImage(Catalog.file(base));
        }
        ImageLock lock = acquire(base);
        boolean owned = false;
        try {
            OwnImage image = OwnFiles.uninterrupted(() -> {
                try (CatalogReader reader = CatalogReader.open(Catalog.file(base))) {
                    Inheritance inheritance = Inheritance.of(base, reader);
                    Catalog catalog = Catalog.reopen(base, arena, level == null ? reader.level() : level,
                            inheritance.end(), inheritance.texts());
                    return new OwnImage(base, lock, catalog, reader.isChunked() ? reader.chunkByteSize() : 0, true,
                            inheritance);
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
            throw FileErrors.lock(ImageLock.file(base), e);
        }
        throw owned(base, "let it close the image first, or pass another base");
    }

    /// What is wrong where a process owns an image.
    static IllegalStateException owned(Path base, String remedy) {
        return new IllegalStateException("Image is owned by a running process: base=" + base + ", pid=" + ownerOf(base)
                + "; " + remedy);
    }

    private static String ownerOf(Path base) {
        try (ArenaImage image = ArenaImage.open(base)) {
            return Long.toString(image.owners().getLast().pid());
        } catch (IOException | RuntimeException _) {
            // It has locked the image, and has not written its name yet.
            return "unknown";
        }
    }

    private static void release(ImageLock lock) {
        try {
            lock.close();
        } catch (IOException _) {
            // There is another failure on its way, which is the one to tell.
        }
    }

    Catalog catalog() {
        return catalog;
    }

    /// Takes memory for a name.
    ///
    /// @param type text of what stands in it
    MemorySegment allocate(String name, String type, long byteSize, long byteAlignment, ChunkSequence memory) {
        NamedAllocations.Named named = names.claim(name, type);
        boolean made = false;
        try {
            Text nameText = catalog.text(name);
            Text typeText = catalog.text(type);
            int line = catalog.claim();
            MemorySegment segment = memory.takeNamed(line, byteSize, byteAlignment, nameText, typeText);
            named.allocated(line, segment);
            made = true;
            return segment;
        } finally {
            if (!made) {
                names.giveUp(name, named);
            }
        }
    }

    Optional<MemorySegment> find(String name, ChunkSequence memory) {
        return names.find(name).map(named -> named.segment(memory));
    }

    /// @param type text of what has to stand there
    Optional<MemorySegment> find(String name, String type, ChunkSequence memory) {
        return names.find(name).map(named -> {
            if (!named.type().equals(type)) {
                throw new IllegalStateException("Allocation is of another type: name=" + name + ", type=" + named.type()
                        + ", asked=" + type + "; copy its structs to a new allocation, and free this one");
            }
            return named.segment(memory);
        });
    }

    void free(String name) {
        NamedAllocations.Named named = names.find(name).orElseThrow(() -> noSuchName(name));
        catalog.free(named.line());
        // Of threads that free it at once, one succeeds.
        if (!names.giveUp(name, named)) {
            throw noSuchName(name);
        }
    }

    private static IllegalArgumentException noSuchName(String name) {
        return new IllegalArgumentException("No live allocation has the name: name=" + name);
    }

    /// Size of a chunk, or 0 where each allocation has a file.
    long chunkByteSize() {
        return chunkByteSize;
    }

    /// Whether there was an earlier owner, which may have made files that it did not come to record.
    boolean isReopened() {
        return isReopened;
    }

    /// What earlier owners have left.
    Inheritance inheritance() {
        return inheritance;
    }

    /// Writes the catalog, and the names of all files, to the device.
    void force() throws IOException {
        catalog.force();
        OwnFiles.forceDirectory(base);
    }

    /// Ends the ownership, after the arena was closed and its data files were seen to. Again, it does nothing: what is there by
    /// then may be another's.
    ///
    /// @param delete whether catalog and lock are deleted
    /// @throws java.io.UncheckedIOException when a file could not be written or deleted; the ownership has ended
    synchronized void close(boolean delete) {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try (lock) {
            if (delete) {
                catalog.release();
                OwnFiles.delete(Catalog.file(base));
                lock.delete();
            } else {
                catalog.close();
            }
        } catch (IOException e) {
            throw FileErrors.close(Catalog.file(base), 0, e);
        }
    }
}
