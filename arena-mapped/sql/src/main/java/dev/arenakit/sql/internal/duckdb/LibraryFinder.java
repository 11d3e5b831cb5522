package dev.arenakit.sql.internal.duckdb;

import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.sql.SqlException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds and loads the library of DuckDB.
public final class LibraryFinder {
    static final String VARIABLE = "ARENAKIT_DUCKDB";

    private LibraryFinder() {}

    /// Finds the library by the environment variable, or in a jar on the class path.
    ///
    /// @throws SqlException if there is no library, or it cannot be used
    public static DuckDbLibrary find() {
        NativeAccess.require();
        String path = System.getenv(VARIABLE);
        if (path != null && !path.isEmpty()) {
            return load(Path.of(path));
        }
        return unpack(resource());
    }

    private static String resource() {
        return resource(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /// Loads the library from a jar on the class path.
    static DuckDbLibrary unpack(String resource) {
        URL url = resource(resource, LibraryFinder.class.getClassLoader(),
                Thread.currentThread().getContextClassLoader(), ClassLoader.getSystemClassLoader());
        if (url == null) {
            throw new SqlException("Library of DuckDB is not found: resource=" + resource
                    + "; pass its path to StructSql.open(Path), or set the environment variable " + VARIABLE
                    + " to it, or put the jar org.duckdb:duckdb_jdbc on the class path");
        }
        return unpack(url, url, resource);
    }

    /// @param from the origin, for messages
    private static DuckDbLibrary unpack(Object from, URL url, String resource) {
        try {
            return loadLibrary(LibraryCache.ofUser().unpack(url, resource));
        } catch (IOException e) {
            throw new SqlException("Library of DuckDB cannot be unpacked: from=" + from + ", reason=" + e.getMessage()
                    + "; unpack it, and set the environment variable " + VARIABLE + " to its path", e);
        }
    }

    /// Loads the library from a file, or from a jar that contains it.
    public static DuckDbLibrary load(Path path) {
        NativeAccess.require();
        if (!Files.isRegularFile(path)) {
            throw new SqlException("Library of DuckDB is not a file: path=" + path);
        }
        if (path.toString().endsWith(".jar")) {
            try {
                return unpack(path, URI.create("jar:" + path.toUri() + "!/" + resource()).toURL(), resource());
            } catch (MalformedURLException e) {
                throw new AssertionError(e);
            }
        }
        return loadLibrary(path);
    }

    private static DuckDbLibrary loadLibrary(Path path) {
        DuckDbLibrary library;
        try {
            // Loading a file in another format prints a warning about the stack. A truncated library ends the process.
            if (System.getProperty("os.name").equals("Linux") && ElfFile.isTruncated(path)) {
                throw new SqlException("Library of DuckDB is truncated: path=" + path);
            }
            library = DuckDbLibrary.load(path.toAbsolutePath());
        } catch (IllegalArgumentException | IOException e) {
            throw new SqlException("Library of DuckDB cannot be loaded: path=" + path + ", reason=" + e.getMessage(),
                    e);
        }
        List<DuckDbFunction> missing = library.missing();
        if (!missing.isEmpty()) {
            String version = missing.contains(DuckDbFunction.LIBRARY_VERSION)
                    ? "none"
                    : DuckDbLibrary.text(library.call(DuckDbFunction.LIBRARY_VERSION));
            throw new SqlException("Library lacks functions of DuckDB: path=" + path + ", version=" + version
                    + ", missing=" + missing.getFirst().cName() + ", count=" + missing.size()
                    + "; use DuckDB 1.4 or newer");
        }
        return library;
    }

    /// Returns the name of the jar's entry with the library for a system.
    static String resource(String system, String architecture) {
        String os = system.toLowerCase(Locale.ROOT);
        String name = os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "macos" : os;
        String processor = architecture.equals("aarch64")
                ? "arm64"
                : architecture.equals("x86_64") ? "amd64" : architecture;
        return "libduckdb_java.so_" + name + "_" + processor;
    }

    private static @Nullable URL resource(String name, @Nullable ClassLoader... loaders) {
        return Stream.of(loaders)
                .filter(loader -> loader != null)
                .map(loader -> loader.getResource(name))
                .filter(url -> url != null)
                .findFirst()
                .orElse(null);
    }
}
