package dev.arenakit.bench.candidate.stored;

import dev.arenakit.bench.candidate.peer.UnavailableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// The tables of SQLite, by the JDBC driver of Xerial: a column for each component, and a log that is written ahead.
///
/// A commit writes the changes to the log. In the mode `synchronous=normal`, they survive the end of the process, and
/// SQLite forces them to the disk when it copies the log into the database.
public final class SqliteStores {
    static {
        NativeLibraries.unpackInto("org.sqlite.tmpdir");
    }

    private SqliteStores() {}

    /// Opens or creates a table of longs.
    ///
    /// @param directory  the directory of its files
    /// @param maxEntries ignored
    /// @return the table
    public static StoredTree longs(Path directory, long maxEntries) {
        return call(() -> new Longs(directory));
    }

    /// What calls SQLite.
    private interface Call<T> {
        T run() throws SQLException;
    }

    private static <T> T call(Call<T> call) {
        try {
            return call.run();
        } catch (SQLException e) {
            throw new IllegalStateException("SQLite failed", e);
        }
    }

    /// A connection with a table, and the statements for the table.
    private static final class Table {
        private final Connection connection;
        final PreparedStatement get;
        final PreparedStatement put;
        final PreparedStatement remove;
        private final PreparedStatement sum;

        Table(Path directory, String create, String get, String put, String remove, String sum) throws SQLException {
            connection = connect(directory);
            try (Statement statement = connection.createStatement()) {
                statement.execute("pragma journal_mode=wal");
                statement.execute("pragma synchronous=normal");
                statement.execute(create);
            }
            connection.setAutoCommit(false);
            this.get = connection.prepareStatement(get);
            this.put = connection.prepareStatement(put);
            this.remove = connection.prepareStatement(remove);
            this.sum = connection.prepareStatement(sum);
        }

        private static Connection connect(Path directory) throws SQLException {
            try {
                return DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("sqlite"));
            } catch (LinkageError e) {
                throw new UnavailableException("SQLite does not run here: " + e);
            }
        }

        PreparedStatement prepare(String sql) throws SQLException {
            return connection.prepareStatement(sql);
        }

        long sum() {
            return call(() -> addUp(sum));
        }

        void commit() {
            call(() -> {
                connection.commit();
                return true;
            });
        }

        /// Closes the statements, too.
        void close() {
            call(() -> {
                connection.rollback();
                connection.close();
                return true;
            });
        }
    }

    private static long firstLong(PreparedStatement statement, long missing) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            return result.next() ? result.getLong(1) : missing;
        }
    }

    /// Adds the numbers up. SQLite's own sum fails if it does not fit into a long.
    private static long addUp(PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            long sum = 0;
            while (result.next()) {
                sum += result.getLong(1);
            }
            return sum;
        }
    }

    private static final class Longs implements StoredTree {
        private final Table table;
        private final PreparedStatement scan;

        Longs(Path directory) throws SQLException {
            table = new Table(directory,
                    "create table if not exists entry (key integer primary key, value integer not null)",
                    "select value from entry where key = ?",
                    "insert into entry values (?, ?) on conflict do update set value = excluded.value",
                    "delete from entry where key = ?", "select value from entry");
            scan = table.prepare("select value from entry where key >= ? order by key limit ?");
        }

        @Override
        public long get(long key) {
            return call(() -> {
                table.get.setLong(1, key);
                return firstLong(table.get, MISSING);
            });
        }

        @Override
        public void put(long key, long value) {
            call(() -> {
                table.put.setLong(1, key);
                table.put.setLong(2, value);
                return table.put.executeUpdate();
            });
        }

        @Override
        public boolean remove(long key) {
            return call(() -> {
                table.remove.setLong(1, key);
                return table.remove.executeUpdate() == 1;
            });
        }

        @Override
        public long scan(long first, int limit) {
            return call(() -> {
                scan.setLong(1, first);
                scan.setInt(2, limit);
                return addUp(scan);
            });
        }

        @Override
        public long sum() {
            return table.sum();
        }

        @Override
        public void commit() {
            table.commit();
        }

        @Override
        public void close() {
            table.close();
        }
    }

}
