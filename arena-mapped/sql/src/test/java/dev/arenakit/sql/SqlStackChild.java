package dev.arenakit.sql;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.Arena;
import java.util.function.LongSupplier;

/// Queries that need more stack than their caller has.
final class SqlStackChild {
    private static final String NESTED = "select " + "1+".repeat(800) + "k from t limit 1";
    private static final int OVERFLOWS = 200;

    private SqlStackChild() {}

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
            Thread other = new Thread(() -> System.out.println("afterwards: " + number(sql, "select count(*) from t")));
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
