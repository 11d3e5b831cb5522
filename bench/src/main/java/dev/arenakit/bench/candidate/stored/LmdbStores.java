package dev.arenakit.bench.candidate.stored;

import dev.arenakit.bench.candidate.peer.UnavailableException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.GetOp;
import org.lmdbjava.Txn;

/// The B+ trees of LMDB, by lmdbjava. Searches read the mapped file.
///
/// A commit writes the changed pages, and forces them to the disk.
public final class LmdbStores {
    static {
        NativeLibraries.unpackInto("lmdbjava.extract.dir");
        NativeLibraries.unpackInto("jffi.extract.dir");
    }

    private LmdbStores() {}

    /// Opens or creates a tree from longs to longs.
    ///
    /// @param directory  the directory of its files
    /// @param maxEntries ignored
    /// @return the tree
    public static StoredTree longs(Path directory, long maxEntries) {
        return new Longs(new Database(directory, Long.BYTES, Long.BYTES, DbiFlags.MDB_INTEGERKEY));
    }

    /// A database whose changes are in one transaction until the next commit, as are the searches between them.
    private static final class Database {
        // Address space. The file grows with the entries.
        private static final long MAP_BYTE_SIZE = 1L << 36;

        private final Env<ByteBuffer> environment;
        private final Dbi<ByteBuffer> dbi;
        private final Txn<ByteBuffer> reading;
        private final ByteBuffer key;
        private final ByteBuffer value;
        private @Nullable Txn<ByteBuffer> writing;
        private boolean isReading = true;

        Database(Path directory, int keyByteSize, int valueByteSize, DbiFlags... flags) {
            key = ByteBuffer.allocateDirect(keyByteSize).order(ByteOrder.nativeOrder());
            value = ByteBuffer.allocateDirect(valueByteSize).order(ByteOrder.nativeOrder());
            try {
                environment = Env.create().setMapSize(MAP_BYTE_SIZE).setMaxDbs(1).open(directory.toFile());
            } catch (LinkageError e) {
                throw new UnavailableException("LMDB does not start: it needs the flags of its benchmark: " + e);
            }
            DbiFlags[] all = new DbiFlags[flags.length + 1];
            System.arraycopy(flags, 0, all, 0, flags.length);
            all[flags.length] = DbiFlags.MDB_CREATE;
            dbi = environment.openDbi("bench", all);
            reading = environment.txnRead();
        }

        /// Returns the transaction of the changes, or else a transaction that sees all committed changes.
        Txn<ByteBuffer> current() {
            if (writing != null) {
                return writing;
            }
            if (!isReading) {
                reading.renew();
                isReading = true;
            }
            return reading;
        }

        /// Returns the transaction of the changes. The pages that searches see could not be used again.
        private Txn<ByteBuffer> change() {
            if (writing == null) {
                if (isReading) {
                    reading.reset();
                    isReading = false;
                }
                writing = environment.txnWrite();
            }
            return writing;
        }

        @Nullable
        ByteBuffer get() {
            ByteBuffer found = dbi.get(current(), key);
            return found == null ? null : found.order(ByteOrder.nativeOrder());
        }

        void put() {
            dbi.put(change(), key, value);
        }

        boolean remove() {
            return dbi.delete(change(), key);
        }

        Cursor<ByteBuffer> cursor() {
            return dbi.openCursor(current());
        }

        void commit() {
            if (writing != null) {
                writing.commit();
                writing.close();
                writing = null;
            }
        }

        void close() {
            if (writing != null) {
                writing.close();
            }
            reading.close();
            environment.close();
        }
    }

    private record Longs(Database database) implements StoredTree {
        /// Sets the key. LMDB compares integers as unsigned.
        private void key(long key) {
            database.key.putLong(0, key ^ Long.MIN_VALUE);
        }

        @Override
        public long get(long key) {
            key(key);
            ByteBuffer found = database.get();
            return found == null ? MISSING : found.getLong(0);
        }

        @Override
        public void put(long key, long value) {
            key(key);
            database.value.putLong(0, value);
            database.put();
        }

        @Override
        public boolean remove(long key) {
            key(key);
            return database.remove();
        }

        @Override
        public long sum() {
            return scan(Long.MIN_VALUE, Integer.MAX_VALUE);
        }

        @Override
        public long scan(long first, int limit) {
            key(first);
            try (Cursor<ByteBuffer> cursor = database.cursor()) {
                long sum = 0;
                boolean isEntry = cursor.get(database.key, GetOp.MDB_SET_RANGE);
                for (int i = 0; i < limit && isEntry; i++) {
                    sum += cursor.val().order(ByteOrder.nativeOrder()).getLong(0);
                    isEntry = cursor.next();
                }
                return sum;
            }
        }

        @Override
        public void commit() {
            database.commit();
        }

        @Override
        public void close() {
            database.close();
        }
    }

}
