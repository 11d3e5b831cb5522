package dev.arenakit.mapped;

import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.internal.diagnostics.budget.Budget;
import dev.arenakit.mapped.internal.arena.ArenaOptions;
import dev.arenakit.mapped.internal.arena.OwnedImage;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.image.ArenaParts;
import dev.arenakit.mapped.internal.locks.LockKind;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;

/// Configures and builds an arena.
public final class InfiniteArenaBuilder {
    /// Half of the addresses of a process, and below the largest size that a catalog can hold.
    private static final long LARGEST = 1L << 47;

    private final Path base;
    private final ArenaOptions options = new ArenaOptions();

    InfiniteArenaBuilder(Path base) {
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
    public InfiniteArenaBuilder chunked() {
        return chunked(ArenaOptions.DEFAULT_CHUNK_BYTE_SIZE);
    }

    /// Slices allocations from chunks of the given size, instead of creating a file for each.
    ///
    /// @param chunkByteSize the size of a chunk in bytes; it is halved, down to 1 GiB, while the system refuses it
    /// @return this builder
    /// @throws IllegalArgumentException if the size is not positive, or larger than an address space
    public InfiniteArenaBuilder chunked(long chunkByteSize) {
        if (chunkByteSize <= 0 || chunkByteSize > LARGEST) {
            throw new IllegalArgumentException("Chunk size out of range: chunkByteSize=" + chunkByteSize
                    + ", smallest=1, largest=" + LARGEST);
        }
        options.chunkByteSize = chunkByteSize;
        return this;
    }

    /// Sets the addresses that each table, map and tree reserves, and the size up to which it can grow while this arena
    /// is open. The default is 256 GiB. A smaller size leaves addresses for more structures. A table whose largest number
    /// of rows is given is not concerned.
    ///
    /// If the address space has no range of that size, because it is small, is nearly full, or has a limit (`ulimit -v`),
    /// a structure reserves a quarter of the largest power of two that it finds, and 16 MiB at least. A structure of a
    /// reopened image reserves at least its size, and can grow to the larger one of 256 GiB and the size that was set when
    /// it was created.
    ///
    /// @param maxByteSize the size in bytes
    /// @return this builder
    /// @throws IllegalArgumentException if the size is not positive, or larger than an address space
    public InfiniteArenaBuilder maxStructureByteSize(long maxByteSize) {
        if (maxByteSize <= 0 || maxByteSize > LARGEST) {
            throw new IllegalArgumentException("Size of structures out of range: maxByteSize=" + maxByteSize
                    + ", smallest=1, largest=" + LARGEST);
        }
        options.structureByteSize = maxByteSize;
        return this;
    }

    /// Confines the arena to the thread that builds it. By default, it is shared.
    ///
    /// @return this builder
    public InfiniteArenaBuilder confined() {
        options.confined = true;
        return this;
    }

    /// Deletes the files when the arena is closed. If the process dies first, or another owner has taken the image
    /// over, they remain.
    ///
    /// @return this builder
    public InfiniteArenaBuilder deleteOnClose() {
        options.deleteOnClose = true;
        return this;
    }

    /// Appends the current time and the process id to the base when the arena is built, so that a program can run
    /// again while the files of its previous runs remain. [InfiniteArena#base()] returns that base.
    ///
    /// @return this builder
    public InfiniteArenaBuilder uniqueBase() {
        options.uniqueBase = true;
        return this;
    }

    /// Sets how much the catalog records of each allocation. The default is [CatalogLevel#FULL] if each allocation
    /// has a file, and [CatalogLevel#SIZES] if the arena is chunked.
    ///
    /// @param level how much is recorded
    /// @return this builder
    public InfiniteArenaBuilder catalog(CatalogLevel level) {
        options.level = Objects.requireNonNull(level, "level");
        return this;
    }

    /// Allows a base in a directory in which other users may replace the files of the arena.
    ///
    /// By default, the directory and its parents must belong to the effective user of the process or to root. If
    /// everybody, or a group other than the private group of the user, which has the user's name, may write to one
    /// of them, it must have the sticky bit, as directories for temporary files do. The same holds for the
    /// directories and the owners of symbolic links in the path. A directory that only the user may access is
    /// allowed wherever it is, for example in a volume of a container. This method allows any other directory, for
    /// example one that a group shares. Where files have no owners, all directories are allowed.
    ///
    /// @return this builder
    public InfiniteArenaBuilder unsafeDirectory() {
        options.unsafeDirectory = true;
        return this;
    }

    /// Sets the permissions of the files that the arena creates, whatever the umask is. By default, only the user
    /// who runs the process may read them. Reading an image needs no more than the permission to read its files:
    ///
    /// ```java
    /// builder.fileMode(PosixFilePermissions.fromString("rw-r-----")) // The group may read the image.
    /// ```
    ///
    /// This has no effect where files have no POSIX attributes.
    ///
    /// @param permissions `OWNER_READ` and `OWNER_WRITE`, with or without `GROUP_READ` and `OTHERS_READ`
    /// @return this builder
    /// @throws IllegalArgumentException if the permissions are not as described
    public InfiniteArenaBuilder fileMode(Set<PosixFilePermission> permissions) {
        options.mode = new FileMode(permissions);
        return this;
    }

    /// Allows an image on a file system that has no locks. Otherwise, the arena is refused there, because nobody
    /// can know whether another process owns the image. The caller makes sure that there is no other owner: two
    /// owners would hand out the same memory. Where there are locks, this has no effect.
    ///
    /// @return this builder
    public InfiniteArenaBuilder withoutLock() {
        options.withoutLock = true;
        return this;
    }

    /// Reserves the blocks of memory before it is handed out, so that no store to it needs space on the disk: if
    /// the disk is full, an allocation throws [DiskFullException], and all memory that was allocated before stays
    /// usable. An allocation that a [reopened][#reopen()] arena finds by its name is reserved when it is first
    /// found.
    ///
    /// The blocks of a chunk are reserved in units of 2 to 16 MiB ahead of the allocations: a chunk takes up to 16
    /// MiB more than was allocated from it, and its arena refuses allocations when less than 2 MiB are free. Other
    /// files are reserved as a whole. If the disk refuses a part of a unit, the rest is given back. An allocation
    /// of a previous owner keeps the blocks that it has got, because other processes may have stored to them.
    ///
    /// Memory that [grows][InfiniteArena#growable(long)] has no blocks at first. They are reserved whenever it
    /// grows, for the new range alone, before the new size is recorded. If the disk has no room, it keeps its size.
    /// A data file ends where its reserved blocks end.
    ///
    /// An allocation has one file, and so has memory that grows. An allocation of a previous owner that has several
    /// files cannot be found: that throws [UnsupportedOperationException].
    ///
    /// **A reservation is no promise on a file system that copies on write:** on btrfs and ZFS, and on XFS where a
    /// file shares its blocks with a copy (`cp --reflink`), and on volumes that allocate space later (thin
    /// provisioning), a store may need a new block all the same. It holds on ext4, tmpfs, and XFS without such
    /// copies.
    ///
    /// Native access is needed, and Linux on x86-64 or aarch64. `build`, `reopen` and `openOrCreate` throw
    /// [IllegalCallerException] if native access is denied, and [UnsupportedOperationException] if the system or the
    /// file system cannot reserve blocks.
    ///
    /// @return this builder
    public InfiniteArenaBuilder reserved() {
        options.reserved = true;
        return this;
    }

    /// Counts the disk space that this arena [reserves][#reserved()], on the disk limit of a budget, until the arena
    /// is closed. The files keep their space after that, and an image that was there before is not counted, except
    /// for space that it lacks. What is reserved ahead counts, and so does the space of freed allocations.
    ///
    /// If the budget is exceeded, an allocation throws a [dev.arenakit.diagnostics.BudgetExceededException].
    ///
    /// @param budget the budget
    /// @return this builder; without `reserved()`, it throws an [IllegalStateException] when it builds an arena
    public InfiniteArenaBuilder budget(MemoryBudget budget) {
        options.disk = Budget.diskOf(budget);
        return this;
    }

    /// Advises [ArenaPages.Advice#RANDOM] for all memory. Without it, a store to a page of a large file that is not in
    /// memory makes the kernel look at the pages around it.
    ///
    /// Native access is needed, and Linux on x86-64 or aarch64, as for [#reserved()].
    ///
    /// @return this builder
    public InfiniteArenaBuilder randomAccess() {
        options.randomAccess = true;
        return this;
    }

    /// {@return a new arena with a new image}
    ///
    /// If the process dies meanwhile, its remains do not prevent another call from building the image.
    ///
    /// @throws UncheckedIOException  if the catalog cannot be created, for example because it exists, if the
    ///                               [directory is not safe][#unsafeDirectory()], if a process that does not own the
    ///                               image holds a lock on one of its files, or if the file system has no locks
    /// @throws DiskFullException     if the file system has no space for the catalog
    /// @throws IllegalStateException if another arena owns the image, in this process or in another one; the
    ///                               message says which
    public InfiniteArena build() {
        return open(options.uniqueBase ? ImagePaths.uniqueBase(base) : base,
                options.level == CatalogLevel.OFF ? (_, _, _) -> null : OwnedImage::create);
    }

    /// Reopens the image of a closed arena, or of a process that has ended. The new arena owns the image, and adds
    /// its allocations to the allocations of the image. [ArenaNames#find(String)] finds the existing allocations
    /// by their names.
    ///
    /// The image determines whether the arena is chunked. A chunk size of this builder applies to new chunks only.
    ///
    /// The files of the image must be regular files of the effective user, without other names (hard links), to
    /// which no other user may write. The catalog and the lock file are checked now, and each data file when it is
    /// mapped. To continue with an image of another user, [copy][ArenaImage#copyTo] it.
    ///
    /// The catalog is read once, in some tenths of a microsecond for each record, and more while the code is cold.
    /// A chunked arena continues the chunk with the largest rest, where that is zero: after a failure of the machine, lost
    /// allocations may be there. Where holes are not known, it reads the rest before it makes allocations there, some GB
    /// in a second. If records are damaged, the rests of existing chunks are not used.
    ///
    /// @return an arena that owns the image
    /// @throws UncheckedIOException     if there is no image, it cannot be read, it has another version, its header
    ///                                  is damaged, its files are not as described, its
    ///                                  [directory is not safe][#unsafeDirectory()], a process that does not own the
    ///                                  image holds a lock on one of its files, or the file system has no locks
    /// @throws IllegalArgumentException if this builder is chunked and the image is not
    /// @throws IllegalStateException    if another arena owns the image, or this builder has a unique base or no
    ///                                  catalog
    public InfiniteArena reopen() {
        options.checkReopen(base);
        return open(base, OwnedImage::reopen);
    }

    /// Reopens the image if there is one, and otherwise builds it. A program that may run again at any time calls
    /// this method. If several processes call this method at the same time, one process owns the image, and the
    /// others are refused.
    ///
    /// Otherwise, this method behaves as [#reopen()] and [#build()] do.
    ///
    /// @return an arena that owns the image
    /// @throws UncheckedIOException     if the image cannot be reopened or created
    /// @throws IllegalArgumentException if this builder is chunked and the existing image is not
    /// @throws IllegalStateException    if another arena owns the image, or this builder has a unique base or no
    ///                                  catalog
    public InfiniteArena openOrCreate() {
        options.checkReopen(base);
        return open(base, OwnedImage::reopenOrCreate);
    }

    /// Pretends that the machine was started another time, for tests.
    InfiniteArenaBuilder boot(long boot) {
        options.boot = boot;
        return this;
    }

    /// Uses a kind of locks, for tests.
    InfiniteArenaBuilder lockKind(LockKind kind) {
        options.lockKind = kind;
        return this;
    }

    private InfiniteArena open(Path base, ArenaParts.ImageSource source) {
        // The object is allocated first: nothing can fail after the image is opened.
        return new InfiniteArena(new ArenaParts(base, options, source));
    }
}
