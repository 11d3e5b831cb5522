package dev.arenakit.spark;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.sql.SqlResult;
import dev.arenakit.sql.StructSql;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Spark and DuckDB, as `arena sql` uses it, have the same answers.
class SameAnswersTest {
    private static final List<String> QUERIES = List.of(
            "select symbol, sum(quantity), count(*), min(price) from all_trades group by symbol order by symbol",
            "select sum(id), max(rowid) from all_trades where price > 20 and quantity between 100 and 900",
            "select quantity, count(distinct symbol) from all_trades where symbol like 'S1%' group by quantity"
                    + " order by quantity",
            "select a.id, b.quantity from all_trades a join all_trades b on a.id + 1 = b.id where a.id % 1000 = 7"
                    + " order by a.id",
            "select count(*) from all_trades where rowid < 3 or rowid = 50");

    @TempDir
    private Path directory;

    @Test
    void queries_ofManyImages_haveTheAnswersOfDuckDb() throws IOException {
        check(200, 100);
    }

    @Test
    @Tag("slow")
    void queries_ofLargeImages_haveTheAnswersOfDuckDb() throws IOException {
        check(3, 1_000_000);
    }

    private void check(int images, int count) throws IOException {
        for (int i = 0; i < images; i++) {
            Trade.write(directory.resolve("image" + i), (long) i * count, count);
        }
        LocalSpark.trades(directory.resolve("image*")).createOrReplaceTempView("all_trades");
        try (StructSql sql = StructSql.open()) {
            for (int i = 0; i < images; i++) {
                try (ArenaImage image = ArenaImage.open(directory.resolve("image" + i))) {
                    sql.image("image" + i, image);
                }
            }
            sql.query("create view all_trades as " + IntStream.range(0, images)
                    .mapToObj(i -> "from image" + i + ".trades")
                    .collect(Collectors.joining(" union all "))).close();
            for (String query : QUERIES) {
                assertThat(LocalSpark.session().sql(query).collectAsList().stream().map(SameAnswersTest::texts))
                        .as(query)
                        .containsExactlyElementsOf(answers(sql, query));
            }
        }
    }

    private static List<String> texts(Row row) {
        return IntStream.range(0, row.length()).mapToObj(i -> String.valueOf(row.get(i))).toList();
    }

    private static List<List<String>> answers(StructSql sql, String query) {
        List<List<String>> rows = new ArrayList<>();
        try (SqlResult result = sql.query(query)) {
            while (result.next()) {
                rows.add(IntStream.range(0, result.columns().size()).mapToObj(result::text).toList());
            }
        }
        return rows;
    }
}
