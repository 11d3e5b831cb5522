package dev.arenakit.mapped.internal.data;

import dev.arenakit.internal.file.MappedPages;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.internal.files.PageSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/// Controls which pages of the data files are in memory. Thread-safe.
public final class ResidentMemory {
    /* Advice for a part of a mapping splits the mapping. Each split counts as a mapping of the process, until the arena
     * is closed: near the limit of the system, the JVM can crash. */

    private static final long LARGEST_STEP = 64L << 20;

    private final MappedFiles files;
    private final Set<Long> splits = new HashSet<>();

    public ResidentMemory(MappedFiles files) {
        this.files = files;
    }

    /// Tells the kernel how pages are going to be used.
    ///
    /// @param isProperty whether the use is a property of the mapping, so that it splits a mapping if it is given for a
    ///                   part
    public void advise(MemorySegment segment, MappedPages.Use use, boolean isProperty) {
        MappedPages.require();
        MappedFiles.Range range = files.find(segment);
        MemorySegment pages = range.pages();
        if (isProperty) {
            split(range.file(), pages.address(), pages.address() + pages.byteSize());
        }
        try {
            MappedPages.advise(pages, use);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void split(MemorySegment file, long start, long end) {
        // The arena may have been closed meanwhile, and the count released.
        Scopes.checkOpen(file);
        List<Long> added = LongStream.of(start, end)
                .filter(at -> at != file.address() && at != file.address() + file.byteSize() && !splits.contains(at))
                .boxed()
                .toList();
        if (!added.isEmpty()) {
            MappingLimit.reserve(added.size());
            splits.addAll(added);
        }
    }

    public void prefault(MemorySegment segment) {
        MappedPages.require();
        MappedFiles.Range range = files.find(segment);
        MemorySegment pages = range.pages();
        Path file = ImagePaths.data(files.base(), range.number());
        try {
            for (long at = 0; at < pages.byteSize(); at += LARGEST_STEP) {
                if (!MappedPages.populate(pages.asSlice(at, Math.min(LARGEST_STEP, pages.byteSize() - at)))) {
                    // A page behind the end of the file gives the same result.
                    throw Files.size(file) < range.end()
                            ? new IOException(FileErrors.truncated(file, Files.size(file), range.end()))
                            : new IOException("No space left on device");
                }
            }
        } catch (IOException e) {
            throw FileErrors.reserve(file, range.byteSize(), e);
        }
    }

    public long residentBytes(MemorySegment segment) {
        MappedPages.require();
        MappedFiles.Range range = files.find(segment);
        long start = range.byteOffset() - range.firstPage();
        try {
            return MappedPages.residentBytes(range.pages(), PageSize.BYTES, start, start + range.byteSize());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Releases the count of the splits, when the arena has unmapped the files.
    public synchronized void release() {
        MappingLimit.release(splits.size());
        splits.clear();
    }
}
