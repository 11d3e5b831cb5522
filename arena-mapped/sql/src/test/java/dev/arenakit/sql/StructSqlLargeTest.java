package dev.arenakit.sql;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/// Queries of ten million structs, compared with Java's results from the same memory. It takes some ten seconds.
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class StructSqlLargeTest {
    private static final int COUNT = 10_000_000;
    private static final int SYMBOLS = 500;

    record Trade(long id, int quantity, int symbol, double price, @Length(16) String name) {}

    private static final RecordMapper<Trade> TRADES = RecordMapper.of(MethodHandles.lookup(), Trade.class);

    /// The values of a group.
    private static final class Group {
        private long count;
        private long quantity;
        private double price;
        private long first = Long.MAX_VALUE;
        private double highest = Double.NEGATIVE_INFINITY;

        private void add(long index, Trade trade) {
            count++;
            quantity += trade.quantity();
            price += trade.price();
            first = Math.min(first, index);
            highest = Math.max(highest, trade.price());
        }
    }

    @Test
    void query_ofTenMillionStructs_returnsWhatJavaComputes() {
        try (Arena arena = Arena.ofShared(); StructSql sql = StructSql.open()) {
            MemorySegment trades = TRADES.allocate(arena, COUNT);
            Group[] groups = new Group[SYMBOLS];
            long joined = fill(trades, groups);
            sql.table("trades", TRADES.type(), trades);
            for (int i = 0; i < 3; i++) {
                compare(sql, groups);
            }
            try (SqlResult result = sql.query("select count(*), count(distinct a.id), min(a.rowid = a.id) from trades a"
                    + " join trades b on b.rowid = a.quantity where b.quantity = a.symbol")) {
                assertThat(result.next()).isTrue();
                assertThat(result.longValue(0)).isEqualTo(joined);
                assertThat(result.longValue(1)).isEqualTo(joined);
                assertThat(result.booleanValue(2)).isTrue();
            }
        }
    }

    /// Fills the structs and the groups.
    ///
    /// @return the number of structs whose quantity is the index of a struct with a quantity like their symbol
    private static long fill(MemorySegment trades, Group[] groups) {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < COUNT; i++) {
            int symbol = random.nextInt(SYMBOLS);
            Trade trade = new Trade(i, random.nextInt(1_000), symbol, random.nextInt(1 << 20) / 8.0,
                    "symbol number" + symbol);
            TRADES.setAtIndex(trades, i, trade);
            if (groups[symbol] == null) {
                groups[symbol] = new Group();
            }
            groups[symbol].add(i, trade);
        }
        long joined = 0;
        for (int i = 0; i < COUNT; i++) {
            Trade trade = TRADES.getAtIndex(trades, i);
            joined += TRADES.getAtIndex(trades, trade.quantity()).quantity() == trade.symbol() ? 1 : 0;
        }
        return joined;
    }

    private static void compare(StructSql sql, Group[] groups) {
        long rows = 0;
        try (SqlResult result = sql.query("select symbol, count(*), sum(quantity)::bigint, sum(price), min(rowid),"
                + " max(price), min(name), max(name) from trades group by symbol")) {
            for (; result.next(); rows++) {
                int symbol = (int) result.longValue(0);
                Group group = groups[symbol];
                assertThat(result.longValue(1)).isEqualTo(group.count);
                assertThat(result.longValue(2)).isEqualTo(group.quantity);
                // Eighths below 2^17 are added without rounding.
                assertThat(result.doubleValue(3)).isEqualTo(group.price, within(0.0));
                assertThat(result.longValue(4)).isEqualTo(group.first);
                assertThat(result.doubleValue(5)).isEqualTo(group.highest, within(0.0));
                assertThat(result.text(6)).isEqualTo("symbol number" + symbol).isEqualTo(result.text(7));
            }
        }
        assertThat(rows).isEqualTo(SYMBOLS);
    }
}
