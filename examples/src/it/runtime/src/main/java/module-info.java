module com.example.app {
    requires dev.arenakit.mapped;
}
