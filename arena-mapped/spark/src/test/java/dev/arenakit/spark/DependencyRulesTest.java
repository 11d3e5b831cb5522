package dev.arenakit.spark;

import dev.arenakit.MallocArena;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.spark.planted.spark.Source;
import dev.arenakit.testing.DependencyRulesContract;
import dev.arenakit.testing.Modules;
import dev.arenakit.testing.PackageArrowsContract;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The rules for this module and its packages. The registered class uses no class of a newer JDK. The planted class
/// shows that the table's rules can fail.
class DependencyRulesTest implements PackageArrowsContract, DependencyRulesContract {
    private static final String TABLE = """
            spark ->
            spark.internal -> spark.internal.vector, mapped, mapped.internal.column, mapped.internal.column.buffer
            spark.internal -> mapped.internal.files, layout.text, layout.type
            spark.internal.vector -> mapped.internal.column, mapped.internal.column.buffer
            """;

    @Override
    public String root() {
        return "dev.arenakit";
    }

    @Override
    public String table() {
        return TABLE;
    }

    @Override
    public String plantedRoot() {
        return "dev.arenakit.spark.planted";
    }

    @Override
    public List<Class<?>> planted() {
        return List.of(Source.class);
    }

    /// Spark's interface of sources that write has a map of Scala.
    @Override
    public Set<String> dependencies() {
        return Stream.concat(Modules.exportedPackages(MallocArena.class, InfiniteArena.class).stream(),
                Stream.of("dev.arenakit.mapped.internal.column", "dev.arenakit.mapped.internal.column.buffer",
                        "dev.arenakit.mapped.internal.files",
                        "org.apache.spark..", "scala.collection.immutable", "com.fasterxml.jackson.."))
                .collect(Collectors.toSet());
    }
}
