package dev.arenakit.bench.candidate.peer;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;

/// The directory that the build writes to. Reports and the libraries that peers unpack go there, and nowhere else.
public final class BuildDirectory {
    private BuildDirectory() {}

    /// Returns the path of a directory next to the directory, or the jar, of the classes.
    ///
    /// @param name name of the directory
    /// @return its path; it need not exist
    public static Path resolve(String name) {
        CodeSource source = BuildDirectory.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            throw new IllegalStateException(
                    "The build directory is not known: class=" + BuildDirectory.class.getName());
        }
        try {
            return Path.of(source.getLocation().toURI()).resolveSibling(name);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
