/// Memory in sparse files that outlives the process that wrote it.
module dev.arenakit.mapped {
    requires transitive dev.arenakit;
    requires static org.jspecify;

    exports dev.arenakit.mapped;
    exports dev.arenakit.mapped.io;
    exports dev.arenakit.sql;
}
