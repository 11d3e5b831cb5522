/// Off-heap memory: arenas over malloc and over pooled slabs, and memory dumps.
///
/// Arenas of this module call native code: pass `--enable-native-access=dev.arenakit` (on the class path
/// `--enable-native-access=ALL-UNNAMED`).
@SuppressWarnings("module") // dev.arenakit.mapped, to which the native room is exported, is built after this module.
module dev.arenakit {
    requires static transitive org.jspecify;

    exports dev.arenakit;
    exports dev.arenakit.dump;
    exports dev.arenakit.internal to dev.arenakit.mapped;
}
