/// Off-heap memory: arenas over malloc and over pooled slabs, and memory dumps.
///
/// Arenas of this module call native code: pass `--enable-native-access=dev.arenakit` (on the class path
/// `--enable-native-access=ALL-UNNAMED`).
@SuppressWarnings("module") // dev.arenakit.mapped, to which the native room is exported, is built after this module.
module dev.arenakit {
    // Not transitive: users who compile against this module would need JSpecify's jar too. In return, no annotation of
    // it may stand in a public signature, which the compiler sees to.
    requires static org.jspecify;

    exports dev.arenakit;
    exports dev.arenakit.dump;
    exports dev.arenakit.layout;
    exports dev.arenakit.internal to dev.arenakit.mapped;
}
