module app {
    requires dev.arenakit.mapped;
}
