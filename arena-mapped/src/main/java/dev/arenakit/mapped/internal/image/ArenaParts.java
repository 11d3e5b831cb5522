package dev.arenakit.mapped.internal.image;

import dev.arenakit.internal.diagnostics.event.MemoryEvents;
import dev.arenakit.internal.diagnostics.event.MemoryRegistry;
import dev.arenakit.mapped.ImageTakenOverException;
import dev.arenakit.mapped.internal.arena.ArenaOptions;
import dev.arenakit.mapped.internal.arena.ChunkAllocator;
import dev.arenakit.mapped.internal.arena.GrowableAllocator;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.arena.OwnedImage;
import dev.arenakit.mapped.internal.arena.ReopenedState;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.data.DataFileWriter;
import dev.arenakit.mapped.internal.data.MappedFiles;
import dev.arenakit.mapped.internal.data.ResidentMemory;
import dev.arenakit.mapped.internal.files.DirectoryTrust;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.structure.Structures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An arena in files from its opening until its end. The constructor opens or creates the image, and then the parts of
/// the arena. They end in the order that a failure, or another owner of the image, requires.
public final class ArenaParts {
    public final DataFileWriter files;
    public final ChunkAllocator memory;
    public final GrowableAllocator growing;
    public final NamedAllocations names;
    public final ResidentMemory pages;
    public final Structures structures;

    private final Arena delegate;
    private final boolean deleteOnClose;

    /// Null if the arena has no catalog.
    private final @Nullable OwnedImage image;

    /// Null if the arena has no image.
    private final MemoryRegistry.@Nullable Entry entry;

    /// Opens an arena.
    ///
    /// @param base the path of the files without their numbers, also if the options request a unique base
    public ArenaParts(Path base, ArenaOptions options, ImageSource source) {
        FileIdentity directory = options.checkDirectory(base);
        delegate = options.confined ? Arena.ofConfined() : Arena.ofShared();
        deleteOnClose = options.deleteOnClose;
        OwnedImage owned = null;
        try {
            owned = source.open(base, delegate, options);
            checkSame(directory, base);
            CatalogWriter catalog = owned == null ? null : owned.catalog();
            ReopenedState previous = owned == null ? ReopenedState.none() : owned.reopenedState();
            long chunkByteSize = owned == null
                    ? options.chunkByteSize
                    : options.chunkByteSize(base, owned.chunkByteSize());
            MappedFiles mapped = new MappedFiles(base, delegate, options.randomAccess);
            files = new DataFileWriter(mapped, catalog, previous.files(), options.mode, options.reserved, options.disk);
            memory = new ChunkAllocator(delegate, !options.confined, files, chunkByteSize, catalog, previous.free());
            growing = new GrowableAllocator(memory, files, catalog, options.boot);
            names = new NamedAllocations(files, memory, growing, catalog, previous.names());
            pages = new ResidentMemory(mapped);
            structures = new Structures(names, growing, options.boot, options.structureByteSize);
            image = owned;
            if (owned != null) {
                owned.finishPrevious(files);
                MemoryEvents.imageOpened(base, owned.isReopened());
            }
            entry = owned == null ? null : MemoryRegistry.add(files);
        } catch (Throwable t) {
            delegate.close();
            if (owned != null) {
                owned.close(!owned.isReopened(), List.of());
            }
            throw t;
        }
    }

    private static void checkSame(@Nullable FileIdentity directory, Path base) {
        try {
            if (directory != null) {
                DirectoryTrust.checkSame(directory);
            }
        } catch (IOException e) {
            throw FileErrors.directory(base, e);
        }
    }

    /// Opens or creates the image of an arena.
    public interface ImageSource {
        /// Returns the image, or null if the arena has none.
        @Nullable
        OwnedImage open(Path base, Arena arena, ArenaOptions options);
    }

    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    /// Completes the structures, ends the scope, and releases the files and the image.
    public void close() {
        boolean wasAlive = scope().isAlive();
        if (wasAlive) {
            memory.checkOpen();
        }
        RuntimeException failure = null;
        try {
            failure = wasAlive && !deleteOnClose ? prepareClose() : null;
            delegate.close();
        } catch (Throwable t) {
            // If the scope is alive, a thread accesses a segment, and nothing has changed. If this call has ended it, a
            // user's cleanup threw. If the scope was dead before, such a cleanup may have called this method, and must
            // not release the files.
            if (scope().isAlive()) {
                structures.goOn();
            } else if (wasAlive) {
                if (failure != null) {
                    t.addSuppressed(failure);
                }
                try {
                    release();
                } catch (UncheckedIOException e) {
                    t.addSuppressed(e);
                }
            }
            throw t;
        }
        try {
            release();
        } catch (UncheckedIOException e) {
            if (failure == null) {
                throw e;
            }
            failure.addSuppressed(e);
        }
        if (failure != null) {
            throw failure;
        }
    }

    /// Completes structures, and frees the space of freed allocations, while the files are mapped: later, their numbers
    /// may belong to other files. Space that cannot be freed leaves the structures complete.
    ///
    /// @return the failure to do so, after which the arena is closed nevertheless, or null
    private @Nullable RuntimeException prepareClose() {
        RuntimeException failure = structures.close();
        try {
            files.freeSpace();
        } catch (UncheckedIOException e) {
            if (failure == null) {
                return e;
            }
            failure.addSuppressed(e);
        } catch (ImageTakenOverException _) {
            // Another owner has taken the image over, and frees the space.
        }
        return failure;
    }

    private void release() {
        boolean delete = false;
        try {
            boolean isOwn = image == null || image.isOwn();
            delete = deleteOnClose && isOwn;
            if (!deleteOnClose && isOwn) {
                structures.finish();
            }
        } finally {
            release(delete);
        }
    }

    private void release(boolean delete) {
        if (entry != null) {
            entry.remove();
        }
        try {
            pages.release();
            files.release(delete);
        } finally {
            if (image != null) {
                image.close(delete, memory.openRuns());
            }
        }
    }
}
