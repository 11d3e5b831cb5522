package dev.arenakit.arrow;

import dev.arenakit.MallocArena;
import dev.arenakit.arrow.planted.arrow.internal.Batches;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.testing.LibraryRulesContract;
import dev.arenakit.testing.PackageArrowsContract;
import java.util.List;
import java.util.Set;
import org.apache.arrow.flatbuf.Schema;

/// The rules for this module and its packages. The planted class shows that the table's rules can fail.
class DependencyRulesTest implements PackageArrowsContract, LibraryRulesContract {
    private static final String TABLE = """
            arrow -> arrow.internal, arrow.internal.cdata, collection, internal.nativecall, layout.type
            arrow -> mapped.internal.column
            arrow.internal -> mapped.internal.column, mapped.internal.column.buffer, dump, layout.type
            arrow.internal.BatchWriter -> layout.text.LayoutText
            arrow.internal.cdata -> arrow.internal, internal, internal.nativecall, internal.scope
            arrow.internal.cdata -> mapped.internal.column, mapped.internal.column.buffer, layout.text, layout.type
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
    public Set<String> families() {
        // The functions that C calls release the structs that contain the addresses of these functions.
        return Set.of("dev.arenakit.arrow.internal.cdata");
    }

    @Override
    public String plantedRoot() {
        return "dev.arenakit.arrow.planted";
    }

    @Override
    public List<Class<?>> planted() {
        return List.of(Batches.class);
    }

    @Override
    public List<Class<?>> requiredModules() {
        return List.of(MallocArena.class, InfiniteArena.class, Schema.class);
    }

    @Override
    public Set<String> linkingClasses() {
        return Set.of("dev.arenakit.arrow.internal.cdata.Callbacks",
                "dev.arenakit.arrow.internal.cdata.HoldingThread");
    }

    @Override
    public Set<String> statefulClasses() {
        return Set.of("dev.arenakit.arrow.internal.cdata.ExportTable",
                "dev.arenakit.arrow.internal.cdata.ScopeLease");
    }

    /// The modules above, and the library of the format's tables, which is no named module.
    @Override
    public Set<String> dependencies() {
        Set<String> packages = LibraryRulesContract.super.dependencies();
        packages.add("com.google.flatbuffers");
        return packages;
    }
}
