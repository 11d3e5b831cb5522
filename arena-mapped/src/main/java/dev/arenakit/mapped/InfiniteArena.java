package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.LayoutText;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StructType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
/// [unique base][Builder#uniqueBase()], or have files [deleted on close][Builder#deleteOnClose()]; or
/// [reopen][Builder#reopen()] what it left, and go on.
///
/// **The image.** `dir/memory.catalog` records each allocation, and `dir/memory.lock` is locked by the process that owns them: an
/// [ArenaImage] of these files lists the allocations at any time, in any process. One that is made [with a
/// name][#allocate(String, StructType, long)] is found by it, its fields can be shown, and a process that reopens the
/// image [finds][#find(String)] it again. How much is recorded of the others is the [catalog's level][Builder#catalog]. An
/// image has one owner at a time.
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
/// | the disk, when the catalog grows | [UncheckedIOException] |
///
/// A disk that runs full is noticed no earlier than by the store that needs a new page, which then fails with an
/// [InternalError], and not always where it can be caught: keep an eye on the room that is left.
///
/// **Cost.** A plain allocation makes a file and a mapping, 20 to 150 microseconds; a chunked one moves a pointer, some 5
/// nanoseconds, and is recorded, which takes 80 to 95 more, at either level. The first store to a page costs
/// microseconds. Opening and closing an arena makes two files more with a catalog than without, half a millisecond in
/// all. Closing a shared arena stops every thread for an instant, some 20 microseconds. Where addresses run short, the
/// JDK collects garbage and waits for a tenth of a second before each refusal: under a tight `ulimit -v`, choose a
/// smaller chunk.
///
/// **Flags.** None: no native access is needed.
///
/// {@snippet file="dev/arenakit/mapped/InfiniteArenaExample.java" region="example"}
public final class InfiniteArena implements Arena {
    /// The largest alignment inside a chunk: a huge page.
    private static final long CHUNK_ALIGNMENT = 2L << 20;

    /// The size of a chunk that nobody has chosen: rarely filled, and 80 of them fit into the address space.
    private static final long CHUNK_BYTE_SIZE = 1L << 40;

    private static final String PLAIN_REMEDY = "that is the page size; build the arena with chunked() for up to 2 MiB";
    private static final String CHUNK_REMEDY = "allocate byteAlignment more bytes and slice";

    private final Arena delegate;
    private final boolean chunked;
    private final boolean deleteOnClose;
    private final ArenaFiles files;
    private final ChunkSequence memory;

    /// Null where there is no catalog.
    private final @Nullable OwnImage image;

    private InfiniteArena(Path base, Builder options, boolean reopen) {
        delegate = options.confined ? Arena.ofConfined() : Arena.ofShared();
        deleteOnClose = options.deleteOnClose;
        OwnImage owned = null;
        try {
            owned = reopen ? OwnImage.reopen(base, delegate, options.level) : options.newImage(base, delegate);
            long chunkByteSize = options.chunkByteSize(owned);
            chunked = chunkByteSize > 0;
            files = new ArenaFiles(base, delegate, owned);
            memory = new ChunkSequence(delegate, !options.confined, files, chunkByteSize, owned);
            image = owned;
        } catch (Throwable t) {
            delegate.close();
            if (owned != null) {
                owned.close(false);
            }
            throw t;
        }
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
        checkAlignment(byteAlignment);
        memory.checkOpen();
        return memory.take(byteSize, byteAlignment);
    }

    /// New zeroed memory for structs, which is recorded with a name.
    ///
    /// ```java
    /// MemorySegment orders = arena.allocate("orders", ORDERS.type(), 1_000_000); // RecordMapper<Order> ORDERS
    /// ```
    ///
    /// @param name  a name that no live allocation of the image has, of 1 to 1,024 characters; none is a control character, the
    ///              first no `#`
    /// @param type  what stands in the memory; its text is kept in the image, so that `arena show` can decode it
    /// @param count how many structs
    /// @return memory for that many, aligned for them
    /// @throws IllegalArgumentException  when an argument is not as said, the name is in use, or the type's alignment is beyond the
    ///                                   arena's
    /// @throws WrongThreadException      when the arena is confined to another thread
    /// @throws IllegalStateException     when the arena is closed, or has no catalog
    /// @throws UncheckedIOException      when the file system refuses the file, or the catalog its growth
    /// @throws CapacityExceededException when the process holds 10,000 mappings
    /// @throws OutOfMemoryError          when the address space has no room for the file
    public MemorySegment allocate(String name, StructType type, long count) {
        NamedAllocations.check(name);
        long byteSize = NamedAllocations.byteSize(name, type, count);
        checkAlignment(type.byteAlignment());
        memory.checkOpen();
        return image(name).allocate(name, LayoutText.print(type), byteSize, type.byteAlignment(), memory);
    }

    /// New zeroed memory, which is recorded with a name: [#allocate(String, StructType, long)] for a layout of the JDK. A struct's
    /// is taken as [StructType#of] does; any other stands in a struct without a name, as its only member, `value`.
    ///
    /// @param name   a name as there
    /// @param layout what stands in the memory, `count` times
    /// @param count  how many
    /// @return memory for that many
    /// @throws IllegalArgumentException also when the layout is one that [MemoryType#of] refuses
    public MemorySegment allocate(String name, MemoryLayout layout, long count) {
        return allocate(name, NamedAllocations.structOf(layout), count);
    }

    /// The allocation of a name, made by this arena or, if it was [reopened][Builder#reopen()], an earlier owner of the image.
    ///
    /// @param name the name
    /// @return its memory, or empty where no live allocation has that name
    /// @throws WrongThreadException      when the arena is confined to another thread
    /// @throws IllegalStateException     when the arena is closed, or has no catalog
    /// @throws UncheckedIOException      when its data file is missing, truncated, or cannot be mapped
    /// @throws CapacityExceededException when the process holds 10,000 mappings
    public Optional<MemorySegment> find(String name) {
        memory.checkOpen();
        return image(name).find(name, memory);
    }

    /// The allocation of a name, if it is of a type: what an earlier release has written with another layout is not taken for what
    /// it is not.
    ///
    /// @param name the name
    /// @param type what has to stand there
    /// @return its memory, or empty where no live allocation has that name
    /// @throws IllegalStateException also when it was allocated with another type, which the message shows
    public Optional<MemorySegment> find(String name, StructType type) {
        memory.checkOpen();
        return image(name).find(name, LayoutText.print(type), memory);
    }

    /// Marks the allocation of a name as freed: readers list it so, and the name may be used again. Its memory stays as it is until
    /// the arena is closed, and its room in the file is not used again.
    ///
    /// @param name the name
    /// @throws IllegalArgumentException when no live allocation has it
    /// @throws WrongThreadException     when the arena is confined to another thread
    /// @throws IllegalStateException    when the arena is closed, or has no catalog
    public void free(String name) {
        memory.checkOpen();
        image(name).free(name);
    }

    /// Writes everything to the device, so that it survives the machine, too: the data files, then the catalog, then the names of
    /// the files. What is stored meanwhile may or may not be written. It takes as long as the device does.
    ///
    /// @throws WrongThreadException  when the arena is confined to another thread
    /// @throws IllegalStateException when the arena is closed
    /// @throws UncheckedIOException  when the device fails
    public void force() {
        memory.checkOpen();
        try {
            files.force();
            if (image == null) {
                OwnFiles.forceDirectory(base());
            } else {
                image.force();
            }
        } catch (IOException e) {
            throw FileErrors.force(base(), e);
        }
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
        try {
            files.release(deleteOnClose);
        } finally {
            if (image != null) {
                image.close(deleteOnClose);
            }
        }
    }

    private void checkAlignment(long byteAlignment) {
        Sizes.checkAlignmentAtMost(chunked ? CHUNK_ALIGNMENT : PageSize.BYTES, byteAlignment,
                chunked ? CHUNK_REMEDY : PLAIN_REMEDY);
    }

    private OwnImage image(String name) {
        if (image == null) {
            throw new IllegalStateException("Arena has no catalog for names: name=" + name + ", base=" + base()
                    + "; build it with catalog(CatalogLevel.SIZES) or catalog(CatalogLevel.FULL)");
        }
        return image;
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
        private boolean unsafeDirectory;
        private @Nullable CatalogLevel level;

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

        /// Chooses how much the catalog records of each allocation. Where this is not called, it is everything if each allocation has
        /// a file, and sizes alone if the arena is chunked.
        ///
        /// @param level how much
        /// @return this builder
        public Builder catalog(CatalogLevel level) {
            this.level = Objects.requireNonNull(level, "level");
            return this;
        }

        /// Allows a base in a directory that all users may write to and that has no sticky bit, where any of them could put files of
        /// their own in the place of the arena's.
        ///
        /// @return this builder
        public Builder unsafeDirectory() {
            unsafeDirectory = true;
            return this;
        }

        /// {@return a new arena}
        ///
        /// @throws UncheckedIOException  when the catalog cannot be made, for one because there is one, or the directory is not safe
        /// @throws IllegalStateException when another arena owns the image, in this process or another; the message names its process
        public InfiniteArena build() {
            Path chosen = uniqueBase ? unique(base) : base;
            checkDirectory();
            return new InfiniteArena(chosen, this, false);
        }

        /// Continues the image that an arena of an earlier process has left, or of this process that is closed: with its
        /// allocations, of which [InfiniteArena#find(String)] gives those with names, and behind them with new ones. Whether it is
        /// chunked is the image's; a size of chunks holds for the further ones.
        ///
        /// What it finds is read once, in some tenths of a microsecond for each record, more while the code is cold. Where records are damaged, the room behind the allocations of
        /// earlier chunks is not used, for it may have been.
        ///
        /// @return an arena that owns the image
        /// @throws UncheckedIOException     when there is no image, it cannot be read, is of another version, or its header is damaged
        /// @throws IllegalArgumentException when this builder is chunked and the image is not
        /// @throws IllegalStateException    when another arena owns the image; or when the builder has a unique base or no catalog
        public InfiniteArena reopen() {
            if (uniqueBase || level == CatalogLevel.OFF) {
                throw new IllegalStateException("Nothing to reopen: base=" + base + ", uniqueBase=" + uniqueBase
                        + ", catalog=" + level + "; pass the base() of the arena before, and a catalog");
            }
            checkDirectory();
            return new InfiniteArena(base, this, true);
        }

        private @Nullable OwnImage newImage(Path base, Arena arena) {
            CatalogLevel byDefault = chunkByteSize > 0 ? CatalogLevel.SIZES : CatalogLevel.FULL;
            CatalogLevel chosen = level == null ? byDefault : level;
            return chosen == CatalogLevel.OFF ? null : OwnImage.create(base, arena, chosen, chunkByteSize);
        }

        /// The size of further chunks, which for an image that is reopened need not be that of the earlier ones.
        private long chunkByteSize(@Nullable OwnImage image) {
            if (image == null || chunkByteSize == image.chunkByteSize()) {
                return chunkByteSize;
            }
            if (image.chunkByteSize() == 0) {
                throw new IllegalArgumentException("Image has a file for each allocation: base=" + base
                        + ", chunkByteSize=" + chunkByteSize + "; reopen it without chunked()");
            }
            return chunkByteSize == 0 ? image.chunkByteSize() : chunkByteSize;
        }

        private void checkDirectory() {
            if (!unsafeDirectory) {
                try {
                    OwnFiles.checkDirectory(base);
                } catch (IOException e) {
                    throw FileErrors.directory(base, e);
                }
            }
        }

        private static Path unique(Path base) {
            return base.resolveSibling(base.getFileName() + "-" + START.format(Instant.now()) + "-"
                    + ProcessHandle.current().pid());
        }
    }
}
