package dev.arenakit.bench.candidate.stored;

import dev.arenakit.bench.candidate.peer.ChronicleMaps;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;

/// The maps of Chronicle Map: a mapped file, whose largest number of entries is fixed when it is created.
///
/// A change is in the mapping, and so survives the end of the process. The library never forces it to the disk.
public final class ChronicleStores {
    private ChronicleStores() {}

    /// Opens or creates a map from longs to longs.
    ///
    /// @param directory  the directory of its file
    /// @param maxEntries the number of entries that it is created for
    /// @return the map
    public static StoredLongMap longs(Path directory, long maxEntries) {
        ChronicleMap<Long, Long> map = open(() -> ChronicleMapBuilder.of(Long.class, Long.class), directory,
                maxEntries);
        return new BoxedLongs(map, () -> {}, map::close);
    }

    /// Creates a builder. Creating it fails in a JVM without the flags.
    private interface Builders<K, V> {
        ChronicleMapBuilder<K, V> create();
    }

    private static <K, V> ChronicleMap<K, V> open(Builders<K, V> builders, Path directory, long maxEntries) {
        ChronicleMaps.requireAvailable();
        File file = directory.resolve("chronicle").toFile();
        try {
            return builders.create().name("bench").entries(maxEntries).createPersistedTo(file);
        } catch (IOException e) {
            throw new UncheckedIOException("Chronicle Map was not opened: file=" + file, e);
        }
    }

}
