package dev.arenakit.sql;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.testing.ChildJvm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Queries by many threads, results that are abandoned, and many rows.
class StructSqlThreadsTest {
    record Trade(long id, int quantity, double price, @Length(20) String symbol) {}

    private static final RecordMapper<Trade> TRADES = RecordMapper.of(MethodHandles.lookup(), Trade.class);
    private static final int THREADS = 16;
    private static final int ROWS = 50_000;

    @Test
    @Tag("full")
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

    @Test
    @Tag("full")
    void query_thatNeedsMoreStackThanItsCallerHas_works() throws Exception {
        assertThat(ChildJvm.run(ChildJvm.granted().command(Child.class))).contains("nested: 800\n",
                "virtual: 800\n", "deep: 200\n",
                "afterwards: 2000\n");
    }

    @Test
    void query_byAnInterruptedThread_works_andKeepsTheInterrupt() {
        try (StructSql sql = StructSql.open()) {
            Thread.currentThread().interrupt();
            try (SqlResult result = sql.query("select count(*) from range(100000)")) {
                assertThat(Thread.interrupted()).isTrue();
                assertThat(result.next()).isTrue();
                assertThat(result.longValue(0)).isEqualTo(100_000);
            }
        }
    }

    @Test
    void exception_ofTheEngine_hasTheFramesOfTheCaller() {
        try (StructSql sql = StructSql.open()) {
            assertThatThrownBy(() -> sql.query("selec")).isInstanceOf(SqlException.class)
                    .satisfies(e -> assertThat(Arrays.stream(e.getStackTrace()).map(StackTraceElement::getMethodName))
                            .contains("exception_ofTheEngine_hasTheFramesOfTheCaller"));
        }
    }

    @Test
    void close_endsTheThread() throws Exception {
        StructSql sql = StructSql.open();
        List<Thread> threads = Thread.getAllStackTraces()
                .keySet()
                .stream()
                .filter(thread -> thread.getName().equals("arenakit-sql"))
                .toList();
        assertThat(threads).isNotEmpty().allMatch(Thread::isDaemon);
        sql.close();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /// Queries that need more stack than their caller has.
    static final class Child {
        private static final String NESTED = "select " + "1+".repeat(800) + "k from t limit 1";
        private static final int OVERFLOWS = 200;

        private Child() {}

        public static void main(String[] arguments) throws InterruptedException {
            StructType type = StructType.builder("S").add("k", ValueType.of(long.class)).build();
            try (StructSql sql = StructSql.open(); Arena arena = Arena.ofShared()) {
                sql.table("t", type, arena.allocate(8 * 2000, 8));
                System.out.println("nested: " + number(sql, NESTED));
                Thread.ofVirtual().start(() -> System.out.println("virtual: " + number(sql, NESTED))).join();
                int[] queries = new int[1];
                Thread deep = new Thread(null, () -> overflow(() -> {
                    queries[0]++;
                    return number(sql, "select sum(k) from t");
                }, queries), "deep", 1 << 19);
                deep.start();
                deep.join();
                System.out.println("deep: " + queries[0]);
                Thread other = new Thread(
                        () -> System.out.println("afterwards: " + number(sql, "select count(*) from t")));
                other.start();
                other.join();
            }
        }

        private static long number(StructSql sql, String query) {
            try (SqlResult result = sql.query(query)) {
                return result.next() ? result.longValue(0) : -1;
            }
        }

        /// Calls itself until the stack is exhausted, and queries at each of the last depths.
        @SuppressWarnings("InfiniteRecursion") // It ends with the stack.
        private static void overflow(LongSupplier query, int[] queries) {
            try {
                overflow(query, queries);
            } catch (StackOverflowError _) {
                // The caller of this call queries, too.
            }
            if (queries[0] < OVERFLOWS) {
                try {
                    long _ = query.getAsLong();
                } catch (StackOverflowError _) {
                    // The stack ended before the query began, or while its result was read.
                }
            }
        }
    }
}
