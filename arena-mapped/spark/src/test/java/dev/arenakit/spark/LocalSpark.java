package dev.arenakit.spark;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/// Spark in the JVM of the tests, which all tests share.
final class LocalSpark {
    private static final SparkSession SESSION = SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.warehouse.dir", Path.of("target", "warehouse").toAbsolutePath().toString())
            .getOrCreate();

    private LocalSpark() {}

    static SparkSession session() {
        return SESSION;
    }

    /// The table of the allocations `trades`.
    static Dataset<Row> trades(Path path, String... options) {
        return load("trades", path, options);
    }

    /// @param options names and values
    static Dataset<Row> load(String allocation, Path path, String... options) {
        Map<String, String> all = new HashMap<>(Map.of("allocation", allocation));
        for (int i = 0; i < options.length; i += 2) {
            all.put(options[i], options[i + 1]);
        }
        return SESSION.read().format("arenakit").options(all).load(path.toString());
    }

    static List<Long> longs(Dataset<Row> rows) {
        return rows.collectAsList().stream().map(row -> ((Number) row.get(0)).longValue()).toList();
    }
}
