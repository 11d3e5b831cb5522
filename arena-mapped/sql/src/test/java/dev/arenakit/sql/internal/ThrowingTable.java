package dev.arenakit.sql.internal;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.TableColumns;
import dev.arenakit.mapped.internal.column.buffer.StructBatch;
import dev.arenakit.sql.internal.column.SqlColumns;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/// An empty table that throws what is planted.
public final class ThrowingTable extends SqlTable {
    /// Where the table throws.
    public enum Place {
        BIND, INIT, THREAD, SCAN
    }

    private final Place place;
    private final AtomicReference<Throwable> planted;
    private volatile boolean begun;

    public ThrowingTable(StructType type, Place place, AtomicReference<Throwable> planted) {
        super("throwing", SqlColumns.of(type));
        this.place = place;
        this.planted = planted;
    }

    @Override
    TableColumns columns() {
        if (begun) {
            reach(Place.THREAD);
        }
        return super.columns();
    }

    private void reach(Place reached) {
        Throwable thrown = planted.get();
        if (reached == place && thrown != null) {
            ThrowingTable.<RuntimeException>sneak(thrown);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Override
    String refusal() {
        reach(Place.BIND);
        begun = false;
        return "";
    }

    @Override
    TableScan scan() {
        reach(Place.INIT);
        begun = true;
        return new TableScan() {
            @Override
            public boolean next(StructBatch rows, List<ColumnType.Column> used) {
                reach(Place.SCAN);
                return false;
            }

            @Override
            public long threads() {
                return 1;
            }

            @Override
            public void close() {
                throw new IllegalStateException("It must not end the process");
            }
        };
    }
}
