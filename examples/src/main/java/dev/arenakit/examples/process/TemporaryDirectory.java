package dev.arenakit.examples.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A new directory for the files of a program, accessible by its user alone. The directory and its files are deleted by
/// [#close()], or when the JVM shuts down.
public final class TemporaryDirectory implements AutoCloseable {
    private final Path path;

    private TemporaryDirectory(Path path) {
        this.path = path;
    }

    /// Creates a directory.
    ///
    /// @param parent the directory that contains the new directory
    /// @param prefix the beginning of its name
    /// @return the directory
    /// @throws IOException if the directory cannot be created
    public static TemporaryDirectory in(Path parent, String prefix) throws IOException {
        TemporaryDirectory created = new TemporaryDirectory(Files.createTempDirectory(parent, prefix));
        Runtime.getRuntime().addShutdownHook(new Thread(created::removeOnShutdown));
        return created;
    }

    /// {@return the path of the directory}
    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException _) {
            // The directory is gone: most programs close it before the shutdown hook does.
            return;
        }
        Files.deleteIfExists(path);
    }

    private void removeOnShutdown() {
        try {
            close();
        } catch (IOException e) {
            System.err.println("Files could not be deleted, remove them by hand: path=" + path + ", reason=" + e);
        }
    }
}
