/// A user's module. What it names in its API, it requires transitively.
module com.example.app {
    requires transitive dev.arenakit.mapped;

    exports com.example.app;
}
