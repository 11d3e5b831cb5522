package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.internal.arena.ChunkAllocator;
import dev.arenakit.mapped.internal.data.DataFileWriter;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.image.ArenaParts;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.file.Path;

/// An arena whose memory is in sparse files, which remain after the arena is closed and after the process has died. It
/// can allocate as many terabytes as the address space holds.
///
/// | memory | call |
/// |---|---|
/// | for this process | [allocate][#allocate(long, long)], [growable][#growable(long)] |
/// | with a name, also for the next process | [#names()] |
/// | of tables, maps and trees | [#structures()] |
/// | and its pages: prefault, advise, measure | [#pages()] |
///
/// **Backing.** The *base* of an arena is a path such as `dir/memory`. The arena creates the data files `dir/memory-0`,
/// `dir/memory-1` and so on, and maps each of them as a whole. Only the user who runs the process may read and write
/// them. The files are sparse: a page occupies disk space only after it has been written to. A plain arena creates a
/// file for each allocation, which contains nothing else. A [chunked][InfiniteArenaBuilder#chunked()] arena creates
/// large files, the *chunks*, of 1 TiB by default, and slices allocations from them in ascending order. Segments are
/// [mapped][MemorySegment#isMapped()]. An allocation of size 0 has no file, unless it has a name and the arena is
/// plain: it can be [resized][ArenaNames#resize], and has an empty file.
///
/// An allocation may be larger than the files that the file system allows, which are smaller than 16 TiB on ext4. On
/// Linux with native access, the arena then reserves a range of addresses and maps several files into it, side by side.
/// The allocation is one segment. Each file counts as a mapping. The JDK does not know that the segment is mapped:
/// write it to the device by [ArenaPages#force] or [#force()]. Its segment can be neither advised, nor prefaulted,
/// nor measured. A [reserved][InfiniteArenaBuilder#reserved()] arena has no such allocations.
///
/// **Image.** The catalog `dir/memory.catalog` records each allocation. Data files and catalog together are an *image*:
/// an [ArenaImage] lists its allocations at any time, in any process. An allocation that is made [with a
/// name][#names()] can be found by the name, also by a later process that reopens the image, and its fields can be
/// printed. The [catalog level][InfiniteArenaBuilder#catalog] determines how much is recorded of the other allocations.
/// An image has at most one owner at a time, which holds a lock on `dir/memory.lock`. With native access on Linux, the
/// owner holds the lock until it closes the arena or its process ends, and locks the catalog, too, so that files under
/// other names have the same owner. Otherwise, a process loses the lock if any of its code closes a channel on
/// `dir/memory.lock`: do not open that file.
///
/// **Lifetime.** [#close()] invalidates all segments and unmaps the files. The files remain, even if the process dies.
/// They contain all stored bytes. If the machine itself fails, they contain the bytes that were stored before the last
/// [#force()]; [MemorySegment#force()] is not enough, because it writes a segment, but neither the catalog nor the
/// directory. A new arena never opens, overwrites or deletes an existing file: with a catalog, it skips the numbers of
/// data files that exist, and without, it refuses the allocation. To run a program again,
/// [reopen][InfiniteArenaBuilder#reopen()] the image, use a [unique base][InfiniteArenaBuilder#uniqueBase()], [delete
/// the files on close][InfiniteArenaBuilder#deleteOnClose()], or remove the files of the previous run.
/// [InfiniteArenaBuilder#openOrCreate()] reopens the image of the previous run if there is one.
///
/// **Threads.** All threads may use a shared arena at the same time. Only the thread that creates a confined arena may
/// use it.
///
/// **Contents.** Memory is zeroed. That takes no time, because new memory is a hole in a file.
///
/// **Alignment.** The largest alignment of an address is the page size of the machine, which is at least 4,096, and 2
/// MiB in a chunked arena. Existing memory that cannot have its alignment, because the image was written on a machine with
/// larger pages, is refused by an [IllegalStateException] that has both numbers. On Linux with native access, the memory of
/// plain arenas always has it.
///
/// **Exhaustion.** If an allocation does not fit into the rest of a chunk, the arena creates the next chunk. An
/// allocation larger than a chunk gets a file of its own. If the file system or the address space refuses a chunk, its
/// size is halved, down to 1 GiB. An allocation that fails has no effect:
///
/// | cause | exception |
/// |---|---|
/// | the file system refuses to create a file or to give it its size | [UncheckedIOException] |
/// | the address space is exhausted, for example by a second range of 64 TiB | [OutOfMemoryError], which says how large a range is free |
/// | the process has reached the limit of 10,000 file mappings | [CapacityExceededException] |
/// | the disk is full when a file is created or the catalog grows | [DiskFullException] |
///
/// **A full disk is not reported by an allocation,** unless the arena is [reserved][InfiniteArenaBuilder#reserved()]:
/// files are sparse, and a page gets its space at the first store. If there is none, the store throws [InternalError].
/// Do not rely on catching it: compiled code may run on and throw later, outside of the handler. If native code makes
/// the store, the process is terminated. Methods of this class that store a text or an array throw [DiskFullException]
/// instead. In a reserved arena, the allocation throws [DiskFullException], and stores need no space.
///
/// **Errors of the JVM.** After a [StackOverflowError], or an [OutOfMemoryError] of the Java heap, no memory is
/// allocated twice, and none is unmapped before the arena is closed. The interrupted call may have allocated memory
/// that it has not returned. It may leave an empty data file, which [InfiniteArenaBuilder#deleteOnClose()] or the next
/// owner deletes. An interrupted [#close()] may leave files, and the image without another owner until the process
/// ends.
///
/// **Cost.** A plain allocation creates a file and a mapping, in 20 to 150 microseconds. A chunked allocation bumps a
/// pointer, in some 5 nanoseconds, and is recorded, which takes 10 to 30 nanoseconds at either level. The first store
/// to a page takes microseconds. With a catalog, opening and closing an arena creates two more files, in a millisecond;
/// the first arena of a process also links the native calls for its lock, in a fifth of a second. An allocation in
/// eight files takes some 4 milliseconds, and the first such allocation of a process also links its native calls.
/// Closing a shared arena stops all threads for some 20 microseconds. When addresses are scarce, the JDK collects
/// garbage and waits for a tenth of a second before each refusal: choose a smaller chunk if `ulimit -v` is tight.
///
/// **Flags.** Native access is used for the locks of images and for allocations in several files, on Linux (x86-64 and
/// aarch64), and a reserved arena needs it. Pass `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class
/// path, to avoid Java's warning. If it is denied, the arena works, with locks that other code can release, and an
/// allocation that is larger than a file is refused. An interrupt ends no call of an arena, but without native access
/// it can leave a file mapped until the process ends. With native access, that can happen only while an existing file
/// of a reopened image, or a catalog that grows, is mapped. Such a mapping remains in the count of mappings.
///
/// {@snippet file="dev/arenakit/mapped/InfiniteArenaExample.java" region="example"}
public final class InfiniteArena implements Arena {
    private final ArenaParts open;
    private final DataFileWriter files;
    private final ChunkAllocator memory;

    InfiniteArena(ArenaParts open) {
        this.open = open;
        files = open.files;
        memory = open.memory;
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
    public static InfiniteArenaBuilder builder(Path base) {
        return new InfiniteArenaBuilder(base);
    }

    /// {@return the path of the files without their numbers: the given base, or the unique base derived from it}
    public Path base() {
        return files.base();
    }

    /// Returns the allocations that have names, which later processes can find.
    ///
    /// @return the allocations; all methods throw [IllegalStateException] if the arena has no [catalog][CatalogLevel#OFF]
    public ArenaNames names() {
        return new ArenaNames(open);
    }

    /// Returns the tables, maps and trees of the image, for reading and writing.
    ///
    /// @return the structures; all methods throw [IllegalStateException] if the arena has no [catalog][CatalogLevel#OFF]
    public ImageStructures structures() {
        return new ImageStructures(new ImageStructures.Owning(open.names, open.structures));
    }

    /// Returns the pages of the data files, which can be prefaulted, measured and advised.
    ///
    /// @return the pages
    public ArenaPages pages() {
        return new ArenaPages(open);
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
        memory.checkAlignment(byteAlignment);
        // C2 compiles this method and the allocator to one method, which is too big to be inlined. If the allocator did
        // all of this, there would be two calls.
        try {
            return memory.allocate(byteSize, byteAlignment);
        } catch (DiskFullException | CapacityExceededException e) {
            files.freeSpaceAfter(e);
            return memory.allocate(byteSize, byteAlignment);
        }
    }

    /// Allocates memory for a text as other arenas do.
    ///
    /// @throws DiskFullException if the disk is full when the text is stored
    @Override
    public MemorySegment allocateFrom(String text, Charset charset) {
        try {
            return Arena.super.allocateFrom(text, charset);
        } catch (InternalError e) {
            throw FileErrors.store(base(), e);
        }
    }

    /// Allocates memory for elements as other arenas do. All methods that take arrays use this method.
    ///
    /// @throws DiskFullException if the disk is full when the elements are stored
    @Override
    public MemorySegment allocateFrom(ValueLayout elementLayout, MemorySegment source, ValueLayout sourceElementLayout,
            long sourceOffset, long elementCount) {
        try {
            return Arena.super.allocateFrom(elementLayout, source, sourceElementLayout, sourceOffset, elementCount);
        } catch (InternalError e) {
            throw FileErrors.store(base(), e);
        }
    }

    /// Reserves addresses for memory that grows in place, from a size of 0. It has a data file of its own, also in a
    /// chunked arena.
    ///
    /// In a [reserved][InfiniteArenaBuilder#reserved()] arena, the blocks of new memory are reserved whenever it grows,
    /// and there is one file: the file system must allow a file of the largest size.
    ///
    /// @param maxByteSize the size in bytes up to which it can grow, above 0
    /// @return the memory, whose address is aligned to the page size
    /// @throws IllegalArgumentException  if the size is not positive
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed
    /// @throws UncheckedIOException      if the file system refuses the file
    /// @throws CapacityExceededException if the process has 10,000 file mappings
    /// @throws OutOfMemoryError          if the address space has no range of this size
    public GrowableSegment growable(long maxByteSize) {
        // The object is allocated first: nothing can fail after the memory is recorded.
        return new GrowableSegment(open.growing.allocate(maxByteSize));
    }

    /// Frees an allocation: its name is free, readers list it as freed, and its contents and its space go.
    ///
    /// **The space comes back later,** for many allocations at a time, because the catalog is written to the device
    /// first: when 1,000 allocations or 64 MiB have been freed, when [#force()] or [#close()] is called, and when an
    /// allocation finds the disk full or no mapping left. Until then, the bytes can still be read.
    ///
    /// | the allocation | what becomes of it |
    /// |---|---|
    /// | has data files of its own, as in a plain arena | the files are removed, and their mappings are given up |
    /// | has 1 MiB or more of a chunk | it becomes a hole of the file |
    /// | has less of a chunk | the written bytes are set to zero |
    /// | is in a [reserved][InfiniteArenaBuilder#reserved()] arena | the written bytes are set to zero, and the blocks are kept |
    ///
    /// The range, or the number of the file, is never used again. Addresses that memory which grows has reserved, and
    /// not used, are used again.
    ///
    /// **Do not use the segment, or a slice of it, afterwards.** A scope cannot end for a single segment: until the
    /// arena is closed, an access succeeds, here and in processes that are [attached][ArenaImage#attach]. A store takes
    /// space again, which nobody will free. If the file was removed, this process reads zeros, and a store goes to
    /// memory of its own; an attached process keeps the file, and its space, until it closes its arena.
    ///
    /// If the memory has grown, only the segment of its present size can be freed. It cannot grow afterwards.
    ///
    /// If the process dies, the next owner frees the space of what it has freed. If the machine fails, an allocation is
    /// live and complete, or it is freed; the space of the allocations that were freed last may be lost until the image
    /// is deleted.
    ///
    /// The first call reads the catalog, and each later call reads the records that were added since. The index takes
    /// some 60 bytes of heap for each allocation that has a record of its own, or for up to 503 that share one.
    ///
    /// @param segment a segment exactly as this arena returned it, of a size above 0
    /// @throws IllegalArgumentException      if the segment is a slice, foreign, read-only, of size 0, or already
    ///                                       freed, also by [ArenaNames#free(String)]
    /// @throws WrongThreadException          if the arena is confined to another thread
    /// @throws IllegalStateException         if the arena is closed, or has no catalog
    /// @throws UncheckedIOException          if the file system fails, or a file was replaced, so that the space of
    ///                                       this allocation, or of one freed before, cannot be freed; it is freed
    ///                                       nevertheless
    /// @throws UnsupportedOperationException if the system is not Linux on x86-64 or aarch64
    /// @throws IllegalCallerException        if native access is denied
    public void free(MemorySegment segment) {
        open.names.free(segment);
    }

    /// Writes the data files, the catalog and their directory entries to the device, so that they survive a failure of
    /// the machine. Concurrent stores may or may not be written. The space of [freed][#free(MemorySegment)] allocations
    /// is freed.
    ///
    /// The [counts of elements][GrowableSegment#elementCount()] that had been stored when this method began are written
    /// last: after a failure of the machine, all elements that are counted are there.
    ///
    /// What a killed owner has left in this boot of the machine is written, too, whether this process has opened it or
    /// not. A damaged structure does not prevent that all others are written.
    ///
    /// @throws WrongThreadException    if the arena is confined to another thread
    /// @throws ImageTakenOverException if another owner has taken the image over
    /// @throws IllegalStateException   if the arena is closed, or structures are damaged; everything else was written
    /// @throws UncheckedIOException    if the device fails, or the space of a freed allocation cannot be freed
    public void force() {
        memory.checkOpen();
        files.freeSpace();
        open.structures.force();
    }

    /// {@return the scope of all segments of this arena}
    @Override
    public MemorySegment.Scope scope() {
        return open.scope();
    }

    /// Closes the arena: frees the space of freed allocations, invalidates all segments, and unmaps the files. They are
    /// deleted if the arena was built with [InfiniteArenaBuilder#deleteOnClose()]. If structures or numbers of elements
    /// have changed since the last [#force()], or a killed owner has left such changes, everything is written to the
    /// device first: any machine trusts them then. Other stores, such as [GrowableTable#set], are not a reason to
    /// write. A change that another thread makes during this call has happened and is kept, or throws an
    /// [IllegalStateException].
    ///
    /// @throws WrongThreadException  if the arena is confined to another thread
    /// @throws IllegalStateException if the arena is already closed, or a segment is in use; nothing has changed. Also
    ///                               if structures are damaged: all others are complete, and the arena is closed
    /// @throws UncheckedIOException  if a file could not be deleted, or the space of a freed allocation could not be
    ///                               freed; all others were, and the arena is closed. Also if the device fails, or the
    ///                               directory was removed, while structures or numbers of elements are written: the
    ///                               arena is closed, and the image is as after a kill
    @Override
    public void close() {
        open.close();
    }
}
