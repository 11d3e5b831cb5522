package dev.arenakit.bench.candidate.stored;

import dev.arenakit.bench.candidate.ChronicleMaps;
import dev.arenakit.bench.candidate.stored.StoredRecordMap.AccountKey;
import dev.arenakit.bench.candidate.stored.StoredRecordMap.Position;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.core.util.ReadResolvable;
import net.openhft.chronicle.hash.serialization.BytesReader;
import net.openhft.chronicle.hash.serialization.BytesWriter;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import net.openhft.chronicle.wire.WireIn;
import net.openhft.chronicle.wire.WireOut;
import org.jspecify.annotations.Nullable;

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

    /// Opens or creates a map from records to records.
    ///
    /// @param directory  the directory of its file
    /// @param maxEntries the number of entries that it is created for
    /// @return the map
    public static StoredRecordMap records(Path directory, long maxEntries) {
        ChronicleMap<AccountKey, Position> map = open(() -> ChronicleMapBuilder.of(AccountKey.class, Position.class)
                .keyMarshaller(KeyBytes.INSTANCE)
                .constantKeySizeBySample(AccountKey.of(0))
                .valueMarshaller(PositionBytes.INSTANCE)
                .constantValueSizeBySample(Position.of(0)), directory, maxEntries);
        return new BoxedRecords(map, () -> {}, map::close);
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

    /// Writes and reads keys. The library requires an instance of a class that is no enum and has no state.
    static final class KeyBytes implements BytesReader<AccountKey>, BytesWriter<AccountKey>, ReadResolvable<KeyBytes> {
        static final KeyBytes INSTANCE = new KeyBytes();

        private KeyBytes() {}

        @Override
        public AccountKey read(Bytes<?> in, @Nullable AccountKey using) {
            return new AccountKey(in.readLong(), in.readLong());
        }

        @Override
        public void write(Bytes<?> out, AccountKey key) {
            out.writeLong(key.venue());
            out.writeLong(key.account());
        }

        @Override
        public void readMarshallable(WireIn wire) {}

        @Override
        public void writeMarshallable(WireOut wire) {}

        @Override
        public KeyBytes readResolve() {
            return INSTANCE;
        }
    }

    /// Writes and reads values.
    static final class PositionBytes
            implements
                BytesReader<Position>,
                BytesWriter<Position>,
                ReadResolvable<PositionBytes> {
        static final PositionBytes INSTANCE = new PositionBytes();

        private PositionBytes() {}

        @Override
        public Position read(Bytes<?> in, @Nullable Position using) {
            return new Position(in.readLong(), in.readDouble(), in.readDouble(), in.readLong(), in.readLong());
        }

        @Override
        public void write(Bytes<?> out, Position value) {
            out.writeLong(value.quantity());
            out.writeDouble(value.price());
            out.writeDouble(value.fee());
            out.writeLong(value.opened());
            out.writeLong(value.changed());
        }

        @Override
        public void readMarshallable(WireIn wire) {}

        @Override
        public void writeMarshallable(WireOut wire) {}

        @Override
        public PositionBytes readResolve() {
            return INSTANCE;
        }
    }
}
