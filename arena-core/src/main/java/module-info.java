/// Off-heap memory: arenas over malloc and over pooled slabs, mappers of records and interfaces to structs, and memory
/// dumps.
///
/// The arenas call native code: pass `--enable-native-access=dev.arenakit`, or `--enable-native-access=ALL-UNNAMED` on
/// the class path.
@SuppressWarnings("module") // The modules to which internal is exported are built after this module.
module dev.arenakit {
    // Not transitive, or users who compile against this module would need the jar of JSpecify too. For this reason no
    // public signature may contain an annotation of JSpecify, which the compiler checks.
    requires static org.jspecify;
    // Used where they are there: this module works in a JVM of java.base alone.
    requires static java.management;
    requires static jdk.jfr;

    exports dev.arenakit;
    exports dev.arenakit.collection;
    exports dev.arenakit.collection.concurrent;
    exports dev.arenakit.diagnostics;
    exports dev.arenakit.dump;
    exports dev.arenakit.layout;
    exports dev.arenakit.layout.annotation;
    exports dev.arenakit.layout.text;
    exports dev.arenakit.layout.type;
    exports dev.arenakit.internal to dev.arenakit.arrow, dev.arenakit.mapped, dev.arenakit.sql;
    exports dev.arenakit.internal.diagnostics.budget to dev.arenakit.mapped;
    exports dev.arenakit.internal.diagnostics.event to dev.arenakit.mapped;
    exports dev.arenakit.internal.file to dev.arenakit.mapped, dev.arenakit.sql;
    exports dev.arenakit.internal.nativecall to dev.arenakit.arrow, dev.arenakit.mapped, dev.arenakit.sql;
    exports dev.arenakit.internal.ring to dev.arenakit.mapped;
    exports dev.arenakit.internal.scope to dev.arenakit.arrow, dev.arenakit.mapped, dev.arenakit.sql;
}
