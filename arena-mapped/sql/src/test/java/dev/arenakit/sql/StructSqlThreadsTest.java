package dev.arenakit.sql;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Queries by many threads, results that are abandoned, and many rows.
@Tag("full")
class StructSqlThreadsTest {
    record Trade(long id, int quantity, double price, @Length(20) String symbol) {}

    private static final RecordMapper<Trade> TRADES = RecordMapper.of(MethodHandles.lookup(), Trade.class);
    private static final int THREADS = 16;
    private static final int ROWS = 50_000;

    @Test
    void query_bySixteenThreads_returnsTheSameToEach() throws Exception {
        try (StructSql sql = StructSql.open(); Arena arena = Arena.ofShared()) {
            MemorySegment trades = TRADES.allocate(arena, ROWS);
            long sum = 0;
            for (int i = 0; i < ROWS; i++) {
                TRADES.setAtIndex(trades, i, new Trade(i, i % 11, i, "a longer symbol " + i % 100));
                sum += i % 11;
            }
            sql.table("trades", TRADES.type(), trades);
            long expected = sum;
            try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
                List<Future<?>> futures = new ArrayList<>();
                for (int thread = 0; thread < THREADS; thread++) {
                    futures.add(threads.submit(() -> {
                        for (int i = 0; i < 3; i++) {
                            SqlResult abandoned = sql.query("select * from trades limit 10000");
                            assertThat(abandoned.next()).isTrue();
                            try (SqlResult result = sql.query(
                                    "select symbol, sum(quantity) from trades group by 1 order by 1")) {
                                long found = 0;
                                int groups = 0;
                                while (result.next()) {
                                    assertThat(result.text(0)).startsWith("a longer symbol ");
                                    found += result.longValue(1);
                                    groups++;
                                }
                                assertThat(found).isEqualTo(expected);
                                assertThat(groups).isEqualTo(100);
                            }
                        }
                    }));
                }
                for (Future<?> future : futures) {
                    future.get();
                }
            }
            assertThat(sql.database.callbacks().objectCount()).isZero();
        }
    }
}
