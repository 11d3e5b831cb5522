/// A module that requires transitively what it names in its API.
module com.example.app {
    requires transitive dev.arenakit.mapped;

    exports com.example.app;
}
