package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A new directory for the files of a program, for its user alone, and gone with them when it is closed or the JVM is
/// told to end.
final class Workplace implements AutoCloseable {
    private final Path path;

    private Workplace(Path path) {
        this.path = path;
    }

    /// Makes a directory whose name begins as given.
    static Workplace in(Path parent, String prefix) throws IOException {
        Workplace workplace = new Workplace(Files.createTempDirectory(parent, prefix));
        Runtime.getRuntime().addShutdownHook(new Thread(workplace::removeOnShutdown));
        return workplace;
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException _) {
            // Closed before, as on the way out of most programs.
            return;
        }
        Files.deleteIfExists(path);
    }

    private void removeOnShutdown() {
        try {
            close();
        } catch (IOException e) {
            System.err.println("Files are left behind, remove them by hand: path=" + path + ", reason=" + e);
        }
    }
}
