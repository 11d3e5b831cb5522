/// SQL over the structs of images and segments, executed by DuckDB.
///
/// DuckDB is native code, which the module `dev.arenakit` calls: pass `--enable-native-access=dev.arenakit`, or
/// `--enable-native-access=ALL-UNNAMED` on the class path.
module dev.arenakit.sql {
    requires transitive dev.arenakit;
    requires transitive dev.arenakit.mapped;
    requires static org.jspecify;

    exports dev.arenakit.sql;
}
