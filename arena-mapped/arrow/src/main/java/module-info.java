/// Structs as Apache Arrow, for programs that read its stream format or its file format.
module dev.arenakit.arrow {
    requires transitive dev.arenakit;
    requires dev.arenakit.mapped;
    requires org.apache.arrow.format;
    requires static org.jspecify;

    exports dev.arenakit.arrow;
}
