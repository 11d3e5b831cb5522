package dev.arenakit.sql;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.mapped.ArenaImage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;

/// The example of [StructSql].
final class StructSqlExample {
    record Trade(long id, int quantity, double price, @Length(8) String symbol) {}

    static final RecordMapper<Trade> TRADES = RecordMapper.of(MethodHandles.lookup(), Trade.class);

    private StructSqlExample() {}

    static void print(MemorySegment trades, ArenaImage image, Path file, Appendable out) throws IOException {
        // @start region="example"
        try (StructSql sql = StructSql.open()) {
            sql.table("trades", TRADES.type(), trades);
            sql.image("desk", image); // desk.trades and so on
            try (SqlResult result = sql.query(
                    "select symbol, sum(quantity) from trades where price > ? group by 1 order by 1", 9.5)) {
                while (result.next()) {
                    out.append(result.text(0) + " " + result.longValue(1) + "\n");
                }
            }
            sql.copyToParquet("select * from desk.trades", file);
        }
        // @end
    }
}
