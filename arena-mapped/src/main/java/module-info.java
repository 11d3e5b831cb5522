/// Memory in sparse files that outlives the process that wrote it.
@SuppressWarnings("module") // The modules to which internal packages are exported are built after this module.
module dev.arenakit.mapped {
    requires transitive dev.arenakit;
    requires static org.jspecify;

    exports dev.arenakit.mapped;
    exports dev.arenakit.mapped.io;
    exports dev.arenakit.mapped.trace;
    exports dev.arenakit.mapped.internal.column to dev.arenakit.sql, dev.arenakit.arrow;
    exports dev.arenakit.mapped.internal.column.buffer to dev.arenakit.sql, dev.arenakit.arrow;
    exports dev.arenakit.mapped.internal.files to dev.arenakit.sql;
}
