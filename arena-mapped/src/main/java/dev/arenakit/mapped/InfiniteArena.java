package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An arena whose memory is in sparse files, which remain after the arena is closed and after the process has died. It
/// can allocate as many terabytes as the address space holds.
///
/// **Backing.** The *base* of an arena is a path such as `dir/memory`. The arena creates the data files `dir/memory-0`,
/// `dir/memory-1` and so on, and maps each of them as a whole. Only the user who runs the process may read and write
/// them. The files are sparse: a page occupies disk space only after it has been written to. A plain arena creates a
/// file for each allocation, which contains nothing else. A [chunked][Builder#chunked()] arena creates large files, the
/// *chunks*, of 1 TiB by default, and slices allocations from them in ascending order. Segments are
/// [mapped][MemorySegment#isMapped()], and [MemorySegment#force()] writes them to the device. An allocation of size 0
/// has no file and is not mapped.
///
/// **Image.** The catalog `dir/memory.catalog` records each allocation. Data files and catalog together are an *image*:
/// an [ArenaImage] lists its allocations at any time, in any process. An allocation that is made [with a
/// name][#allocate(String, StructType, long)] can be found by the name, also by a later process that reopens the image,
/// and its fields can be printed. The [catalog level][Builder#catalog] determines how much is recorded of the other
/// allocations. An image has at most one owner at a time, which holds a lock on `dir/memory.lock`.
///
/// **Lifetime.** [#close()] invalidates all segments and unmaps the files. The files remain, even if the process dies.
/// They contain all that was stored, even without `force()`, unless the machine itself fails. A new arena never opens
/// or overwrites an existing file. To run a program again, [reopen][Builder#reopen()] the image, use a [unique
/// base][Builder#uniqueBase()], [delete the files on close][Builder#deleteOnClose()], or remove the files of the
/// previous run.
///
/// **Threads.** All threads may use a shared arena at the same time. Only the thread that creates a confined arena may
/// use it.
///
/// **Contents.** Memory is zeroed. That takes no time, because new memory is a hole in a file.
///
/// **Alignment.** The largest alignment of an address is the page size of the machine, which is at least 4,096, and 2
/// MiB in a chunked arena.
///
/// **Exhaustion.** If an allocation does not fit into the rest of a chunk, the arena creates the next chunk. An
/// allocation larger than a chunk gets a file of its own. If the file system or the address space refuses a chunk, its
/// size is halved, down to 1 GiB. An allocation that fails has no effect:
///
/// | cause | exception |
/// |---|---|
/// | the file system refuses to create a file or to give it its size | [UncheckedIOException] |
/// | the address space is exhausted, for example by a second range of 64 TiB | [OutOfMemoryError] |
/// | the process has reached the limit of 10,000 file mappings | [CapacityExceededException] |
/// | the disk is full when the catalog grows | [UncheckedIOException] |
///
/// If the disk is full when a store needs a new page, the store throws [InternalError], and the JVM cannot always
/// deliver it to a handler. Monitor the free disk space.
///
/// **Cost.** A plain allocation creates a file and a mapping, in 20 to 150 microseconds. A chunked allocation bumps a
/// pointer, in some 5 nanoseconds, and is recorded, which takes 80 to 95 nanoseconds at either level. The first store
/// to a page takes microseconds. With a catalog, opening and closing an arena creates two more files, in half a
/// millisecond. Closing a shared arena stops all threads for some 20 microseconds. When addresses are scarce, the JDK
/// collects garbage and waits for a tenth of a second before each refusal: choose a smaller chunk if `ulimit -v` is
/// tight.
///
/// **Flags.** None: native access is not needed.
///
/// {@snippet file="dev/arenakit/mapped/InfiniteArenaExample.java" region="example"}
public final class InfiniteArena implements Arena {
    private static final String PLAIN_REMEDY = "that is the page size; build the arena with chunked() for up to 2 MiB";
    private static final String CHUNK_REMEDY = "allocate byteAlignment more bytes and slice them";

    private final Arena delegate;
    private final boolean chunked;
    private final boolean deleteOnClose;
    private final DataFileWriter files;
    private final ChunkAllocator memory;

    /// Null if the arena has no catalog.
    private final @Nullable OwnedImage image;

    private InfiniteArena(Path base, Builder options, boolean reopen) {
        delegate = options.confined ? Arena.ofConfined() : Arena.ofShared();
        deleteOnClose = options.deleteOnClose;
        OwnedImage owned = null;
        try {
            owned = reopen ? OwnedImage.reopen(base, delegate, options.level) : options.newImage(base, delegate);
            long chunkByteSize = options.chunkByteSize(owned);
            chunked = chunkByteSize > 0;
            files = new DataFileWriter(base, delegate, owned);
            memory = new ChunkAllocator(delegate, !options.confined, files, chunkByteSize, owned);
            image = owned;
        } catch (Throwable t) {
            delegate.close();
            if (owned != null) {
                owned.close(false);
            }
            throw t;
        }
    }

    /// {@return a new shared arena, which creates a file for each allocation}
    ///
    /// @param base the path of the files without their numbers; its parent exists
    public static InfiniteArena ofShared(Path base) {
        return builder(base).build();
    }

    /// {@return a new arena confined to the current thread, which creates a file for each allocation}
    ///
    /// @param base the path of the files without their numbers; its parent exists
    public static InfiniteArena ofConfined(Path base) {
        return builder(base).confined().build();
    }

    /// {@return a builder of an arena, which is shared and plain by default}
    ///
    /// @param base the path of the files without their numbers; its parent exists
    /// @throws IllegalArgumentException if the path has no file name to which a number can be appended
    public static Builder builder(Path base) {
        return new Builder(base);
    }

    /// {@return the path of the files without their numbers: the given base, or the unique base derived from it}
    public Path base() {
        return files.base();
    }

    /// Allocates zeroed memory in a file.
    ///
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment of the address in bytes, a power of two, at most the page size (chunked: 2
    ///                      MiB)
    /// @return the memory
    /// @throws IllegalArgumentException  if the size is negative, or the alignment is not as described
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed
    /// @throws UncheckedIOException      if the file system refuses the file
    /// @throws CapacityExceededException if the process has 10,000 file mappings
    /// @throws OutOfMemoryError          if the address space is exhausted
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        checkAlignment(byteAlignment);
        memory.checkOpen();
        return memory.allocate(byteSize, byteAlignment);
    }

    /// Allocates zeroed memory for structs, and records it with a name and a type.
    ///
    /// ```java
    /// MemorySegment orders = arena.allocate("orders", ORDERS.type(), 1_000_000); // RecordMapper<Order> ORDERS
    /// ```
    ///
    /// @param name  a name that no live allocation of the image has, of 1 to 1,024 characters; it contains no control
    ///              character and does not begin with `#`
    /// @param type  the type of the structs; its text is stored in the image, so that `arena show` can decode them
    /// @param count the number of structs
    /// @return memory for these structs, with their alignment
    /// @throws IllegalArgumentException  if an argument is not as described, the name is in use, or the alignment of
    ///                                   the type is larger than the arena supports
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed, or has no catalog
    /// @throws UncheckedIOException      if the file system refuses the file, or the catalog cannot grow
    /// @throws CapacityExceededException if the process has 10,000 file mappings
    /// @throws OutOfMemoryError          if the address space is exhausted
    public MemorySegment allocate(String name, StructType type, long count) {
        NamedAllocations.check(name);
        long byteSize = NamedAllocations.byteSize(name, type, count);
        checkAlignment(type.byteAlignment());
        memory.checkOpen();
        return image(name).allocate(name, LayoutText.print(type), byteSize, type.byteAlignment(), memory);
    }

    /// Allocates zeroed memory for values of a JDK layout, and records it with a name and a type. A struct layout is
    /// converted by [StructType#of]. Any other layout is recorded as a struct without a name whose only member is
    /// `value`.
    ///
    /// Otherwise, this method behaves as [#allocate(String, StructType, long)] does.
    ///
    /// @param name   the name
    /// @param layout the layout of a value
    /// @param count  the number of values
    /// @return memory for these values
    /// @throws IllegalArgumentException also if [MemoryType#of] refuses the layout
    public MemorySegment allocate(String name, MemoryLayout layout, long count) {
        return allocate(name, NamedAllocations.structOf(layout), count);
    }

    /// Finds an allocation of this arena, or of a previous owner of a [reopened][Builder#reopen()] image, by its name.
    ///
    /// @param name the name
    /// @return its memory, or empty if no live allocation has that name
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed, or has no catalog
    /// @throws UncheckedIOException      if its data file is missing, truncated, or cannot be mapped
    /// @throws CapacityExceededException if the process has 10,000 file mappings
    public Optional<MemorySegment> find(String name) {
        memory.checkOpen();
        return image(name).find(name, memory);
    }

    /// Finds an allocation by its name, and checks its type. The check detects structs that an earlier release of a
    /// program has written with another layout.
    ///
    /// Otherwise, this method behaves as [#find(String)] does.
    ///
    /// @param name the name
    /// @param type the expected type
    /// @return its memory, or empty if no live allocation has that name
    /// @throws IllegalStateException also if it was allocated with another type; the message names the first member
    ///                               that differs
    public Optional<MemorySegment> find(String name, StructType type) {
        memory.checkOpen();
        return image(name).find(name, type, memory);
    }

    /// Marks an allocation as freed. Readers list it as freed, and its name may be used again. Its memory stays
    /// accessible until the arena is closed, and its range in the file is not reused.
    ///
    /// @param name the name
    /// @throws IllegalArgumentException if no live allocation has the name
    /// @throws WrongThreadException     if the arena is confined to another thread
    /// @throws IllegalStateException    if the arena is closed, or has no catalog
    public void free(String name) {
        memory.checkOpen();
        image(name).free(name);
    }

    /// Writes the data files, the catalog and their directory entries to the device, so that they survive a failure of
    /// the machine. Concurrent stores may or may not be written.
    ///
    /// @throws WrongThreadException  if the arena is confined to another thread
    /// @throws IllegalStateException if the arena is closed
    /// @throws UncheckedIOException  if the device fails
    public void force() {
        memory.checkOpen();
        try {
            files.force();
            if (image == null) {
                SafeFiles.forceDirectory(base());
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

    /// Closes the arena: invalidates all segments and unmaps the files. They are deleted if the arena was built with
    /// [Builder#deleteOnClose()].
    ///
    /// @throws WrongThreadException  if the arena is confined to another thread
    /// @throws IllegalStateException if the arena is already closed, or a segment is in use; nothing has changed
    /// @throws UncheckedIOException  if a file could not be deleted; all others were, and the arena is closed
    @Override
    public void close() {
        boolean wasAlive = scope().isAlive();
        try {
            delegate.close();
        } catch (Throwable t) {
            // If the scope is alive, a thread accesses a segment, and nothing has changed. If this call has ended it, a
            // user's cleanup threw. If it was dead before, this may be such a cleanup, which must not release the files.
            if (wasAlive && !scope().isAlive()) {
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
        Sizes.checkAlignmentAtMost(chunked ? Chunk.LARGEST_ALIGNMENT : PageSize.BYTES, byteAlignment,
                chunked ? CHUNK_REMEDY : PLAIN_REMEDY);
    }

    private OwnedImage image(String name) {
        if (image == null) {
            throw new IllegalStateException("Arena has no catalog for names: name=" + name + ", base=" + base()
                    + "; build it with catalog(CatalogLevel.SIZES) or catalog(CatalogLevel.FULL)");
        }
        return image;
    }

    /// Configures and builds an arena.
    public static final class Builder {
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
                        "Base has no file name: base=" + base + "; pass a directory and the beginning of a file name");
            }
            this.base = base;
        }

        /// Slices allocations from chunks of 1 TiB, instead of creating a file for each.
        ///
        /// @return this builder
        public Builder chunked() {
            return chunked(Chunk.DEFAULT_BYTE_SIZE);
        }

        /// Slices allocations from chunks of the given size, instead of creating a file for each.
        ///
        /// @param chunkByteSize the size of a chunk in bytes; it is halved, down to 1 GiB, while the system refuses it
        /// @return this builder
        /// @throws IllegalArgumentException if the size is not positive, or larger than an address space
        public Builder chunked(long chunkByteSize) {
            if (chunkByteSize <= 0 || chunkByteSize > Sizes.ADDRESSABLE) {
                throw new IllegalArgumentException("Chunk size out of range: chunkByteSize=" + chunkByteSize
                        + ", smallest=1, largest=" + Sizes.ADDRESSABLE);
            }
            this.chunkByteSize = chunkByteSize;
            return this;
        }

        /// Confines the arena to the thread that builds it. By default, it is shared.
        ///
        /// @return this builder
        public Builder confined() {
            confined = true;
            return this;
        }

        /// Deletes the files when the arena is closed. If the process dies first, they remain.
        ///
        /// @return this builder
        public Builder deleteOnClose() {
            deleteOnClose = true;
            return this;
        }

        /// Appends the current time and the process id to the base when the arena is built, so that a program can run
        /// again while the files of its previous runs remain. [InfiniteArena#base()] returns that base.
        ///
        /// @return this builder
        public Builder uniqueBase() {
            uniqueBase = true;
            return this;
        }

        /// Sets how much the catalog records of each allocation. The default is [CatalogLevel#FULL] if each allocation
        /// has a file, and [CatalogLevel#SIZES] if the arena is chunked.
        ///
        /// @param level how much is recorded
        /// @return this builder
        public Builder catalog(CatalogLevel level) {
            this.level = Objects.requireNonNull(level, "level");
            return this;
        }

        /// Allows a base in a directory that all users may write to and that has no sticky bit. In such a directory,
        /// any user may replace the files of the arena.
        ///
        /// @return this builder
        public Builder unsafeDirectory() {
            unsafeDirectory = true;
            return this;
        }

        /// {@return a new arena with a new image}
        ///
        /// @throws UncheckedIOException  if the catalog cannot be created, for example because it exists, or if the
        ///                               directory is not safe
        /// @throws IllegalStateException if another arena owns the image, in this process or in another one; the
        ///                               message says which
        public InfiniteArena build() {
            Path chosen = uniqueBase ? ImageFiles.uniqueBase(base) : base;
            checkDirectory();
            return new InfiniteArena(chosen, this, false);
        }

        /// Reopens the image of a closed arena, or of a process that has ended. The new arena owns the image, and adds
        /// its allocations to those of the image. [InfiniteArena#find(String)] finds the existing ones by their names.
        ///
        /// The image determines whether the arena is chunked. A chunk size of this builder applies to new chunks only.
        ///
        /// The catalog is read once, in some tenths of a microsecond for each record, and more while the code is cold.
        /// If records are damaged, the free range of existing chunks is not used, because it may contain lost
        /// allocations.
        ///
        /// @return an arena that owns the image
        /// @throws UncheckedIOException     if there is no image, it cannot be read, it has another version, or its
        ///                                  header is damaged
        /// @throws IllegalArgumentException if this builder is chunked and the image is not
        /// @throws IllegalStateException    if another arena owns the image, or this builder has a unique base or no
        ///                                  catalog
        public InfiniteArena reopen() {
            if (uniqueBase || level == CatalogLevel.OFF) {
                throw new IllegalStateException("Nothing to reopen: base=" + base + ", uniqueBase=" + uniqueBase
                        + ", catalog=" + level + "; pass the base() of the previous arena, and a catalog level");
            }
            checkDirectory();
            return new InfiniteArena(base, this, true);
        }

        private @Nullable OwnedImage newImage(Path base, Arena arena) {
            CatalogLevel byDefault = chunkByteSize > 0 ? CatalogLevel.SIZES : CatalogLevel.FULL;
            CatalogLevel chosen = level == null ? byDefault : level;
            return chosen == CatalogLevel.OFF ? null : OwnedImage.create(base, arena, chosen, chunkByteSize);
        }

        /// The size of new chunks, which may differ from those of a reopened image.
        private long chunkByteSize(@Nullable OwnedImage image) {
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
                SafeFiles.checkDirectory(base);
            }
        }
    }
}
