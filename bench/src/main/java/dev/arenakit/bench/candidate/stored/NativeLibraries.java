package dev.arenakit.bench.candidate.stored;

import dev.arenakit.bench.candidate.peer.BuildDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The directory that peers unpack the native libraries of their jars into. They delete the files when the process
/// ends, but not if it is killed.
final class NativeLibraries {
    private NativeLibraries() {}

    /// Makes a peer unpack its library into the build directory, unless the user has chosen another directory.
    ///
    /// @param property the system property that the peer reads when it loads its library
    static void unpackInto(String property) {
        Path directory = BuildDirectory.resolve("peers");
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("No directory for native libraries: directory=" + directory, e);
        }
        if (System.getProperty(property) == null) {
            System.setProperty(property, directory.toString());
        }
    }
}
