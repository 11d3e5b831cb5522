package dev.arenakit.mapped.internal.arena;

import dev.arenakit.internal.ByteAccount;
import dev.arenakit.internal.file.MappedPages;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.internal.catalog.BootId;
import dev.arenakit.mapped.internal.files.DirectoryTrust;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.locks.ImageLock;
import dev.arenakit.mapped.internal.locks.LockKind;
import dev.arenakit.mapped.internal.reservation.DiskReservation;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The options of an arena, which its builder sets.
public final class ArenaOptions {
    /// The default size of a chunk. A chunk of this size is rarely filled, and 80 of them fit into the address space.
    public static final long DEFAULT_CHUNK_BYTE_SIZE = 1L << 40;

    /// The default size up to which a table, map or tree can grow: more than most disks have, and little of the address
    /// space.
    public static final long DEFAULT_STRUCTURE_BYTE_SIZE = 1L << 38;

    public long structureByteSize = DEFAULT_STRUCTURE_BYTE_SIZE;
    /// The size of a chunk, or 0 if each allocation has a file.
    public long chunkByteSize;
    public boolean confined;
    public boolean deleteOnClose;
    public boolean uniqueBase;
    public boolean unsafeDirectory;
    public boolean withoutLock;
    public boolean reserved;
    public boolean randomAccess;
    /// Counts the disk space that is reserved, or null.
    @Nullable
    public ByteAccount disk;
    public FileMode mode = FileMode.OWNER_ONLY;
    /// How much the catalog records. If it is null, a reopened image keeps its level, and a new image has the default
    /// level.
    @Nullable
    public CatalogLevel level;
    /// The kind of locks, or null for the kind that the system has.
    @Nullable
    public LockKind lockKind;
    /// The boot of the machine, in which the counts of growing allocations are stored.
    public long boot = BootId.current();

    /// The level of a new image.
    CatalogLevel newLevel() {
        CatalogLevel chosen = level;
        if (chosen != null) {
            return chosen;
        }
        return chunkByteSize > 0 ? CatalogLevel.SIZES : CatalogLevel.FULL;
    }

    /// How an image is locked.
    ImageLock.Request lock(Path base) {
        LockKind chosen = lockKind;
        return new ImageLock.Request(mode, !withoutLock, chosen == null ? LockKind.of(base) : chosen);
    }

    /// The size of new chunks. The existing chunks of a reopened image may have another size.
    ///
    /// @param recorded the size that the image records, or 0 if each of its allocations has a file
    public long chunkByteSize(Path base, long recorded) {
        if (chunkByteSize == recorded) {
            return chunkByteSize;
        }
        if (recorded == 0) {
            throw new IllegalArgumentException("Image has a file for each allocation: base=" + base
                    + ", chunkByteSize=" + chunkByteSize + "; reopen it without chunked()");
        }
        return chunkByteSize == 0 ? recorded : chunkByteSize;
    }

    public void checkReopen(Path base) {
        if (uniqueBase || level == CatalogLevel.OFF) {
            throw new IllegalStateException("Nothing to reopen: base=" + base + ", uniqueBase=" + uniqueBase
                    + ", catalog=" + level + "; pass the base() of the previous arena, and a catalog level");
        }
    }

    /// Checks the directory of a base before any file is made in it.
    ///
    /// @return the identity of the directory, or null if any directory is allowed
    public @Nullable FileIdentity checkDirectory(Path base) {
        FileIdentity directory = null;
        if (!unsafeDirectory) {
            try {
                directory = DirectoryTrust.check(base.toAbsolutePath().resolveSibling(""));
            } catch (IOException e) {
                throw FileErrors.directory(base, e);
            }
        }
        if (disk != null && !reserved) {
            throw new IllegalStateException("Budget has nothing to count: base=" + base
                    + ", reserved=false; call reserved(), because only reserved disk space is counted");
        }
        if (randomAccess) {
            MappedPages.require();
        }
        if (reserved) {
            DiskReservation.checkSupported(base);
        }
        return directory;
    }
}
