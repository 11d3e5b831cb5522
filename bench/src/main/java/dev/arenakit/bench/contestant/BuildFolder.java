package dev.arenakit.bench.contestant;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;

/// The folder that the build writes to: reports go there, and what peers unpack, and nothing goes anywhere else.
public final class BuildFolder {
    private BuildFolder() {}

    /// A folder beside the classes, or beside the jar that they are in.
    ///
    /// @param name of the folder
    /// @return its path; it need not exist
    public static Path resolve(String name) {
        CodeSource source = BuildFolder.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            throw new IllegalStateException("The build folder is not known: class=" + BuildFolder.class.getName());
        }
        try {
            return Path.of(source.getLocation().toURI()).resolveSibling(name);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
