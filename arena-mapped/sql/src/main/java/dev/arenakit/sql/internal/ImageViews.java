package dev.arenakit.sql.internal;

import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// The views of the tables of images. A view is created before the first statement that may use it: it takes more time
/// and memory than this library needs for the table itself. A replacement scan of the engine could not do this: it gets
/// the last part of a name only, so that `noon.trades` and `trades` would be the same table. Not thread-safe.
public final class ImageViews {
    private static final String UNKNOWN = "Catalog Error";
    /// The largest number of tables for which views are created only for a suggestion, in some 50 ms.
    private static final int MOST_SUGGESTED = 100;

    /// A table whose view was created in a transaction that the user can roll back.
    private record Uncommitted(ImageSchema image, String key, ImageSchema.Source source, SqlTable table) {}

    private final ScanCallbacks callbacks;
    private final Function<String, List<String>> statements;
    private final List<ImageSchema> images = new ArrayList<>();
    private final List<Uncommitted> uncommitted = new ArrayList<>();
    private String transaction = "";

    /// @param statements executes a statement, and returns the values of its first column
    public ImageViews(ScanCallbacks callbacks, Function<String, List<String>> statements) {
        this.callbacks = callbacks;
        this.statements = statements;
    }

    /// Adds the tables of an image. The engine has the schema already.
    ///
    /// @throws SqlException if the schema has a table with the name of an added table; nothing has changed
    public void add(ImageSchema added) {
        for (ImageSchema image : images) {
            if (SqlIdentifiers.areEqual(image.name(), added.name())) {
                image.pending().forEach((_, source) -> requireUnknown(added, source.name()));
            }
        }
        names(added.name()).forEach(name -> requireUnknown(added, name));
        images.add(added);
    }

    public void remove(ImageSchema removed) {
        images.remove(removed);
    }

    private static void requireUnknown(ImageSchema added, String existing) {
        if (added.pending().containsKey(SqlIdentifiers.key(existing))) {
            throw new SqlException("Schema has a table of this name: schema=" + added.name() + ", table=" + existing);
        }
    }

    /// The names of the views and tables that a schema has in the engine, except for the engine's own catalog,
    /// which other tables may have, too.
    private List<String> names(String schema) {
        String condition = " where not internal and lower(schema_name) = lower(" + SqlIdentifiers.literal(schema) + ")";
        return statements.apply("select view_name from duckdb_views()" + condition
                + " union all select table_name from duckdb_tables()" + condition);
    }

    /// Creates the views that a statement may use.
    ///
    /// @throws SqlException if the statement is cancelled
    public void create(String sql) {
        if (images.isEmpty()) {
            return;
        }
        restoreRolledBack();
        Set<String> words = StatementWords.of(sql);
        boolean all = StatementWords.mayUseAnyTable(sql, words);
        for (ImageSchema image : images) {
            create(image, List.copyOf(all ? image.pending().keySet() : words));
        }
    }

    /// Creates all views of an image with few tables after a statement has failed with an unknown name, so that the
    /// engine suggests the nearest name.
    ///
    /// @return whether views were created
    public boolean createSuggestions(SqlException failure) {
        boolean created = false;
        for (ImageSchema image : images) {
            Set<String> keys = image.pending().keySet();
            if (isUnknown(failure) && !keys.isEmpty() && keys.size() <= MOST_SUGGESTED) {
                create(image, List.copyOf(keys));
                created = true;
            }
        }
        return created;
    }

    /// Whether a statement has failed because a name is unknown.
    public static boolean isUnknown(SqlException failure) {
        return String.valueOf(failure.getMessage()).startsWith(UNKNOWN);
    }

    private void create(ImageSchema image, List<String> keys) {
        List<String> used = keys.stream().filter(image.pending()::containsKey).toList();
        if (used.isEmpty()) {
            return;
        }
        boolean isTransaction;
        try {
            String current = transaction();
            isTransaction = current.equals(transaction());
            transaction = current;
        } catch (SqlException e) {
            if (callbacks.isCancelled()) {
                throw e;
            }
            // The transaction has failed, and so will the statement, unless it ends the transaction.
            return;
        }
        for (String key : used) {
            ImageSchema.Source source = image.pending().get(key);
            if (source != null) {
                create(image, key, source, isTransaction);
                if (callbacks.isCancelled()) {
                    // The next statement would reset the cancellation.
                    throw new SqlException("Query was cancelled");
                }
            }
        }
    }

    private void create(ImageSchema image, String key, ImageSchema.Source source, boolean isTransaction) {
        SqlTable table = image.table(source);
        boolean created = false;
        try {
            List<String> _ = statements.apply("create " + callbacks.view(image.name(), source.name(), table));
            created = true;
            image.pending().remove(key);
            if (isTransaction) {
                uncommitted.add(new Uncommitted(image, key, source, table));
            }
        } finally {
            if (!created) {
                callbacks.remove(List.of(table));
            }
        }
    }

    /// The number of the current transaction. Without a transaction, each call returns another number.
    private String transaction() {
        return statements.apply("select txid_current()").getFirst();
    }

    /// Forgets the views whose creation was rolled back.
    public void restoreRolledBack() {
        if (uncommitted.isEmpty()) {
            return;
        }
        try {
            if (transaction().equals(transaction)) {
                return;
            }
            for (Uncommitted view : uncommitted) {
                if (!names(view.image.name()).contains(view.source.name())) {
                    callbacks.remove(List.of(view.table));
                    view.image.pending().put(view.key, view.source);
                }
            }
            uncommitted.clear();
        } catch (SqlException e) {
            if (callbacks.isCancelled()) {
                throw e;
            }
            // The transaction has failed, and is not ended yet.
        }
    }
}
