package dev.arenakit.examples;

import java.io.File;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The jar of DuckDB on the class path of the tests.
public final class DuckDbJar {
    private DuckDbJar() {}

    /// {@return its path}
    public static Path path() {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(classPath.split(File.pathSeparator))
                .filter(path -> path.contains("duckdb_jdbc"))
                .map(Path::of)
                .findFirst()
                .orElseThrow();
    }
}
