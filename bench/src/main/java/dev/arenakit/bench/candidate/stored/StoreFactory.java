package dev.arenakit.bench.candidate.stored;

import java.nio.file.Path;

/// Opens a store.
///
/// @param <S> the interface of the store
@FunctionalInterface
public interface StoreFactory<S extends AutoCloseable> {
    /// Opens the store in a directory, or creates it if the directory is empty.
    ///
    /// @param directory  the directory for the files of the store; a structure in memory ignores it
    /// @param maxEntries the largest number of entries, for libraries that must know it
    /// @return the store
    /// @throws dev.arenakit.bench.candidate.peer.UnavailableException if the library does not run here
    S open(Path directory, long maxEntries);
}
