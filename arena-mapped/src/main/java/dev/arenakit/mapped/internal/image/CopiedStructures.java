package dev.arenakit.mapped.internal.image;

import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.mapped.internal.locks.ImageLock;
import dev.arenakit.mapped.internal.structure.StoredHeader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;

/// Completes the headers of copied structures. The structures are complete if no process has owned the image from the
/// creation of this object until all files were copied.
final class CopiedStructures {
    private final CatalogReader catalog;
    private final Path from;
    private final Path to;
    private final int owners;
    private final boolean mayHaveOwner;
    /// The data files of the copy that begin with structures, and whose headers are not complete yet.
    private final BitSet files = new BitSet();

    CopiedStructures(CatalogReader catalog, Path from, Path to) throws IOException {
        this.catalog = catalog;
        this.from = from;
        this.to = to;
        // Count first: a process that opens the image before the state is read is an owner, or one more record.
        owners = catalog.owners().size();
        mayHaveOwner = mayHaveOwnerNow();
    }

    /// Whether a process may have owned the image when the copy began.
    boolean mayHaveOwner() {
        return mayHaveOwner;
    }

    private boolean mayHaveOwnerNow() throws IOException {
        return ImageLock.holderOf(from) != ImageLock.Holder.NONE;
    }

    /// Adds a structure whose bytes were copied.
    ///
    /// @param number the number of its first data file
    /// @throws NoSuchFileException if the owner has removed the original
    void add(int number, FileChannel copy) throws IOException {
        if (mayHaveOwner) {
            // The later the headers are compared, the fewer structures are unchanged.
            try (FileChannel file = SafeFiles.openToRead(ImagePaths.data(from, number))) {
                StoredHeader.complete(file, copy);
            }
        } else {
            files.set(number);
        }
    }

    /// Removes a structure that is truncated, and therefore not complete.
    ///
    /// @param number the number of its first data file, or -1
    void remove(int number) {
        if (number >= 0) {
            files.clear(number);
        }
    }

    /// Completes the structures after all files were copied.
    ///
    /// @return whether a process may have changed the image meanwhile
    boolean complete() throws IOException {
        boolean mayHaveChanged = mayHaveOwner || mayHaveOwnerNow() || catalog.owners().size() != owners;
        for (int file = files.nextSetBit(0); file >= 0; file = files.nextSetBit(file + 1)) {
            try (FileChannel copy = SafeFiles.open(ImagePaths.data(to, file))) {
                if (mayHaveChanged) {
                    StoredHeader.distrust(copy);
                } else {
                    StoredHeader.complete(copy, catalog.boot());
                }
                copy.force(true);
            }
        }
        return mayHaveChanged;
    }
}
