package dev.arenakit.spark;

import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.CreatableRelationProvider;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/// The data source `arenakit`: the structs in same-named allocations of images, as the rows of one table.
///
/// ```java
/// Dataset<Row> trades = spark.read().format("arenakit").option("allocation", "trades").load("/shared/images/*");
/// trades.groupBy("symbol").sum("quantity").show();
/// ```
///
/// The page `docs/spark.md` describes the options and the types.
///
/// **JDK.** Driver and executors need JDK 25 or newer. On an older JDK, this source throws an
/// [UnsupportedOperationException], and other sources are not affected.
///
/// **Threads.** Spark creates an instance for each table.
public final class ArenakitSource implements TableProvider, DataSourceRegister, CreatableRelationProvider {
    /*
     * Spark loads each registered source when it looks for any source, and a class file of a newer JDK would make that
     * fail. So this class is compiled for JDK 17, the oldest that Spark runs on, and finds all other classes by name.
     */
    private static final int OLDEST_JDK = 25;
    private static final String PROVIDER = "dev.arenakit.spark.internal.ImageProvider";

    private @Nullable TableProvider provider;

    /// Creates the source, for Spark.
    public ArenakitSource() {
        // Even on an older JDK.
    }

    @Override
    public String shortName() {
        return "arenakit";
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return provider().inferSchema(options);
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return provider().getTable(schema, partitioning, properties);
    }

    /// Refuses to write, with a message that says what to do instead. Spark calls this method, of the older interface of
    /// sources, because the table cannot be written.
    ///
    /// @throws UnsupportedOperationException always
    @Override
    public BaseRelation createRelation(SQLContext context, SaveMode mode,
            scala.collection.immutable.Map<String, String> options, Dataset<Row> rows) {
        throw new UnsupportedOperationException("Spark does not write images: path="
                + options.getOrElse("path", () -> "none")
                + "; write Parquet, or make an image with InfiniteArena or arena import");
    }

    private TableProvider provider() {
        int jdk = Runtime.version().feature();
        if (jdk < OLDEST_JDK) {
            throw new UnsupportedOperationException("Arenakit needs JDK " + OLDEST_JDK + " or newer: version=" + jdk
                    + ", java.home=" + System.getProperty("java.home")
                    + "; set JAVA_HOME to a newer JDK for the driver and the executors");
        }
        TableProvider created = provider;
        if (created == null) {
            try {
                created = Class.forName(PROVIDER)
                        .asSubclass(TableProvider.class)
                        .getDeclaredConstructor()
                        .newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("Source cannot be created: class=" + PROVIDER
                        + "; use the classes of one version of Arenakit", e);
            }
            provider = created;
        }
        return created;
    }
}
