package dev.arenakit.bench.candidate.stored;

import dev.arenakit.bench.candidate.stored.StoredRecordMap.AccountKey;
import dev.arenakit.bench.candidate.stored.StoredRecordMap.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.DataInput2;
import org.mapdb.DataOutput2;
import org.mapdb.Serializer;

/// The maps of MapDB, with its log: without the log, MapDB does not open a store again whose process was killed.
///
/// A commit writes the changes to the log, and forces it to the disk.
public final class MapDbStores {
    private static final String NAME = "bench";

    private MapDbStores() {}

    /// Opens or creates a hash table from longs to longs.
    ///
    /// @param directory  the directory of its files
    /// @param maxEntries ignored
    /// @return the map
    public static StoredLongMap longs(Path directory, long maxEntries) {
        DB db = open(directory);
        Map<Long, Long> map = db.hashMap(NAME, Serializer.LONG, Serializer.LONG).createOrOpen();
        return new BoxedLongs(map, db::commit, db::close);
    }

    /// Opens or creates a B-tree from longs to longs.
    ///
    /// @param directory  the directory of its files
    /// @param maxEntries ignored
    /// @return the tree
    public static StoredTree tree(Path directory, long maxEntries) {
        DB db = open(directory);
        BTreeMap<Long, Long> map = db.treeMap(NAME, Serializer.LONG, Serializer.LONG).createOrOpen();
        return new BoxedTree(map, db::commit, db::close);
    }

    /// Opens or creates a hash table from records to records.
    ///
    /// @param directory  the directory of its files
    /// @param maxEntries ignored
    /// @return the map
    public static StoredRecordMap records(Path directory, long maxEntries) {
        DB db = open(directory);
        Map<AccountKey, Position> map = db.hashMap(NAME, new KeySerializer(), new PositionSerializer()).createOrOpen();
        return new BoxedRecords(map, db::commit, db::close);
    }

    private static DB open(Path directory) {
        return DBMaker.fileDB(directory.resolve("mapdb").toFile())
                .fileMmapEnableIfSupported()
                .transactionEnable()
                .make();
    }

    private static final class KeySerializer implements Serializer<AccountKey> {
        @Override
        public void serialize(DataOutput2 out, AccountKey key) throws IOException {
            out.writeLong(key.venue());
            out.writeLong(key.account());
        }

        @Override
        public AccountKey deserialize(DataInput2 in, int available) throws IOException {
            return new AccountKey(in.readLong(), in.readLong());
        }

        @Override
        public int fixedSize() {
            return AccountKey.BYTE_SIZE;
        }
    }

    private static final class PositionSerializer implements Serializer<Position> {
        @Override
        public void serialize(DataOutput2 out, Position value) throws IOException {
            out.writeLong(value.quantity());
            out.writeDouble(value.price());
            out.writeDouble(value.fee());
            out.writeLong(value.opened());
            out.writeLong(value.changed());
        }

        @Override
        public Position deserialize(DataInput2 in, int available) throws IOException {
            return new Position(in.readLong(), in.readDouble(), in.readDouble(), in.readLong(), in.readLong());
        }

        @Override
        public int fixedSize() {
            return Position.BYTE_SIZE;
        }
    }
}
