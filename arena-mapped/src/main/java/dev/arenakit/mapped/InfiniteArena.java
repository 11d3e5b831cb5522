package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Scopes;
import dev.arenakit.internal.Sizes;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// An arena whose memory is files: as many terabytes as the address space holds, readable after the process is dead.
///
/// **Backing.** A base such as `dir/memory` names the files: `dir/memory-0`, `dir/memory-1` and so on, each mapped as a
/// whole and readable by its owner alone. They are sparse: a page takes room on the disk once something is written to
/// it. A plain arena makes one file for each allocation, which holds its bytes and nothing else. A
/// [chunked][Builder#chunked()] arena makes large files, 1 TiB if not told otherwise, and cuts allocations out of them,
/// front to back. Segments are [mapped][MemorySegment#isMapped()], and [MemorySegment#force()] writes them to the
/// device. An allocation of size 0 makes no file and is not mapped.
///
/// **Lifetime.** [#close()] ends the segments and unmaps the files. The files stay, as they do when the process dies,
/// however it dies: what was stored is in them, without `force()`, unless the machine itself goes down. An existing
/// file is never opened or overwritten. So that a program can run again, remove the files of the earlier run, ask for a
/// [unique base][Builder#uniqueBase()], or have files [deleted on close][Builder#deleteOnClose()].
///
/// **Threads.** A shared arena may be used by all threads at once; a confined one by the thread that made it.
///
/// **Contents.** Memory is zeroed: it is a hole of a new file. It costs no time to be so.
///
/// **Alignment.** Up to the page size of the machine, at least 4,096; chunked, up to 2 MiB. It is an alignment of
/// addresses.
///
/// **When it is full.** A chunk that cannot hold the next allocation is left as it is, and the next file begins; an
/// allocation above the chunk's size gets a file of its own. Where the file system or the address space refuses a
/// chunk, its size is halved, down to 1 GiB. What is still refused is reported, and nothing is left behind of the
/// allocation:
///
/// | refused by | thrown |
/// |---|---|
/// | the file system, when it creates a file or gives it its size | [UncheckedIOException] |
/// | the address space, where a piece of 64 TiB finds room and a second one does not | [OutOfMemoryError] |
/// | the limit of 10,000 mappings in a process | [CapacityExceededException] |
///
/// A disk that runs full is noticed no earlier than by the store that needs a new page, which then fails with an
/// [InternalError], and not always where it can be caught: keep an eye on the room that is left.
///
/// **Cost.** A plain allocation makes a file and a mapping, 20 to 150 microseconds; a chunked one moves a pointer,
/// about 3 nanoseconds confined and 11 shared. The first store to a page costs microseconds. Closing a shared arena
/// stops every thread for an instant, some 20 microseconds. Where addresses run short, the JDK collects garbage and
/// waits for a tenth of a second before each refusal: under a tight `ulimit -v`, choose a smaller chunk.
///
/// **Flags.** None: no native access is needed.
///
/// {@snippet file="dev/arenakit/mapped/InfiniteArenaExample.java" region="example"}
public final class InfiniteArena implements Arena {
    /// The largest alignment inside a chunk: a huge page.
    private static final long CHUNK_ALIGNMENT = 2L << 20;

    /// The size of a chunk that nobody has chosen: rarely filled, and 80 of them fit into the address space.
    private static final long CHUNK_BYTE_SIZE = 1L << 40;

    /// Where the halving of a chunk that is refused ends; below this, a refusal is not about the size.
    private static final long LEAST_CHUNK_BYTE_SIZE = 1L << 30;

    private static final String PLAIN_REMEDY = "that is the page size; build the arena with chunked() for up to 2 MiB";
    private static final String CHUNK_REMEDY = "allocate byteAlignment more bytes and slice";

    /* An allocation is cut out of the current chunk. It begins as an empty one, and in a plain arena stays so: each
     * allocation takes the slow path, as does one that no longer fits into a chunk. The slow path returns a chunk,
     * not a segment: with one place that makes segments, a segment that does not escape is no garbage.
     *
     * A shared arena takes from its chunk by compare and set, and the next chunk is made under the lock. A thread
     * that still sees the earlier chunk does no harm: it finds room there, or comes to the lock.
     *
     * Close ends the scope first. A slow path that holds the lock at that moment either has its mapping registered
     * with the scope, which unmaps it, or fails and removes its file; the release, which waits for the lock, finds
     * the count exact. */

    private final Arena delegate;
    private final boolean shared;
    private final boolean chunked;
    private final boolean deleteOnClose;
    private final long largestAlignment;

    /// No memory, but the scope: to ask for its state, and to stand for a chunk before there is one.
    private final MemorySegment empty;

    /// Also the lock of the slow path.
    private final ArenaFiles files;

    /// The size of the next chunk, 0 in a plain arena. Guarded by the lock.
    private long chunkByteSize;

    /// The current chunk. Written under the lock.
    private volatile Chunk chunk;

    private InfiniteArena(Path base, Builder options) {
        delegate = options.confined ? Arena.ofConfined() : Arena.ofShared();
        shared = !options.confined;
        chunked = options.chunkByteSize > 0;
        deleteOnClose = options.deleteOnClose;
        largestAlignment = chunked ? CHUNK_ALIGNMENT : PageSize.BYTES;
        empty = delegate.allocate(0);
        files = new ArenaFiles(base, delegate);
        chunkByteSize = options.chunkByteSize;
        chunk = new Chunk(empty);
    }

    /// {@return a new plain arena for all threads, with a file for each allocation}
    ///
    /// @param base path of the files, up to their number; its parent exists
    public static InfiniteArena ofShared(Path base) {
        return builder(base).build();
    }

    /// {@return a new plain arena for the calling thread, with a file for each allocation}
    ///
    /// @param base path of the files, up to their number; its parent exists
    public static InfiniteArena ofConfined(Path base) {
        return builder(base).confined().build();
    }

    /// {@return a builder for arenas that are shared and plain unless told otherwise}
    ///
    /// @param base path of the files, up to their number; its parent exists
    /// @throws IllegalArgumentException when the path has no last name that a number can be added to
    public static Builder builder(Path base) {
        return new Builder(base);
    }

    /// {@return the path of the files, up to their number: the base that was given, or the unique one made from it}
    public Path base() {
        return files.base();
    }

    /// {@return new zeroed memory in a file}
    ///
    /// @param byteSize      size in bytes
    /// @param byteAlignment alignment of the address in bytes, a power of two, at most the page size (chunked: 2 MiB)
    /// @throws IllegalArgumentException  when an argument is not as said
    /// @throws WrongThreadException      when the arena is confined to another thread
    /// @throws IllegalStateException     when the arena is closed
    /// @throws UncheckedIOException      when the file system refuses the file
    /// @throws CapacityExceededException when the process holds 10,000 mappings
    /// @throws OutOfMemoryError          when the address space has no room for the file
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Sizes.checkAlignmentAtMost(largestAlignment, byteAlignment, chunked ? CHUNK_REMEDY : PLAIN_REMEDY);
        Scopes.checkOpen(empty);
        if (byteSize == 0) {
            return delegate.allocate(0, byteAlignment);
        }
        Chunk current = chunk;
        long offset = take(current, byteSize, byteAlignment);
        while (offset < 0) {
            current = chunkAfter(current, byteSize, byteAlignment);
            offset = take(current, byteSize, byteAlignment);
        }
        return current.slice(offset, byteSize);
    }

    /// {@return the scope of all segments of this arena}
    @Override
    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    /// Ends all segments and unmaps the files; deletes them if the arena was built to do so.
    ///
    /// @throws WrongThreadException  when the arena is confined to another thread
    /// @throws IllegalStateException when the arena is closed already, or a segment is in use; nothing has changed
    /// @throws UncheckedIOException  when a file could not be deleted; all others were, and the arena is closed
    @Override
    public void close() {
        try {
            delegate.close();
        } catch (Throwable t) {
            // Alive: somebody is inside, and nothing has changed. Dead: a cleanup of the user's threw, or an earlier
            // close came to the end and there is nothing to release.
            if (!scope().isAlive()) {
                try {
                    release();
                } catch (UncheckedIOException e) {
                    t.addSuppressed(e);
                }
            }
            throw t;
        }
        release();
    }

    private void release() {
        synchronized (files) {
            files.release(deleteOnClose);
        }
    }

    private long take(Chunk from, long byteSize, long byteAlignment) {
        return shared ? from.takeAtomically(byteSize, byteAlignment) : from.take(byteSize, byteAlignment);
    }

    /// Where to look when an allocation does not fit into a chunk: a chunk that another thread has begun meanwhile, a
    /// new one, or a file for this allocation alone.
    private Chunk chunkAfter(Chunk full, long byteSize, long byteAlignment) {
        Sizes.checkAddressable(byteSize, byteAlignment);
        synchronized (files) {
            // Closed meanwhile: without this look, a file would be made in vain.
            Scopes.checkOpen(empty);
            if (chunk != full) {
                return chunk;
            }
            // A mapping begins at a page: up to there, alignment needs no room.
            long needed = byteSize + Math.max(0, byteAlignment - PageSize.BYTES);
            if (needed > chunkByteSize) {
                return new Chunk(files.map(needed, needed, byteSize));
            }
            long least = Math.max(needed, Math.min(chunkByteSize, LEAST_CHUNK_BYTE_SIZE));
            MemorySegment mapped = files.map(chunkByteSize, least, byteSize);
            chunkByteSize = mapped.byteSize();
            chunk = new Chunk(mapped);
            return chunk;
        }
    }

    /// Chooses what an arena is to be, then builds it.
    public static final class Builder {
        /// Sorts by time in a listing, and needs no quoting.
        private static final DateTimeFormatter START = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.nnnnnnnnn'Z'")
                .withZone(ZoneOffset.UTC);

        private final Path base;
        private long chunkByteSize;
        private boolean confined;
        private boolean deleteOnClose;
        private boolean uniqueBase;

        private Builder(Path base) {
            Path name = base.getFileName();
            if (name == null || name.toString().isEmpty()) {
                throw new IllegalArgumentException(
                        "Base has no name: base=" + base + "; pass a directory and the beginning of a file name");
            }
            this.base = base;
        }

        /// Cuts allocations out of files of 1 TiB each, instead of making a file for each.
        ///
        /// @return this builder
        public Builder chunked() {
            return chunked(CHUNK_BYTE_SIZE);
        }

        /// Cuts allocations out of files of the given size, instead of making a file for each.
        ///
        /// @param chunkByteSize size of a file; halved, down to 1 GiB, where it is refused
        /// @return this builder
        /// @throws IllegalArgumentException when the size is not positive, or above what an address space holds
        public Builder chunked(long chunkByteSize) {
            if (chunkByteSize <= 0 || chunkByteSize > Sizes.ADDRESSABLE) {
                throw new IllegalArgumentException("Chunk size out of range: chunkByteSize=" + chunkByteSize
                        + ", smallest=1, largest=" + Sizes.ADDRESSABLE);
            }
            this.chunkByteSize = chunkByteSize;
            return this;
        }

        /// Confines the arena to the thread that builds it.
        ///
        /// @return this builder
        public Builder confined() {
            confined = true;
            return this;
        }

        /// Deletes the files when the arena is closed. A process that dies first leaves them.
        ///
        /// @return this builder
        public Builder deleteOnClose() {
            deleteOnClose = true;
            return this;
        }

        /// Adds the time at which the arena is built and the process id to the base, so that a program can run again
        /// while the files of its earlier runs are kept. [InfiniteArena#base()] tells the outcome.
        ///
        /// @return this builder
        public Builder uniqueBase() {
            uniqueBase = true;
            return this;
        }

        /// {@return a new arena}
        public InfiniteArena build() {
            return new InfiniteArena(uniqueBase ? unique(base) : base, this);
        }

        private static Path unique(Path base) {
            return base.resolveSibling(base.getFileName() + "-" + START.format(Instant.now()) + "-"
                    + ProcessHandle.current().pid());
        }
    }
}
