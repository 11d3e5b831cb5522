package dev.arenakit.tool.sql;

import dev.arenakit.sql.SqlException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/// A new Parquet file. It is written in a temporary directory beside its path and then moved, so that the file is
/// complete or does not exist. Only the owner of the file may read it, as with the files of an image.
final class SqlParquetFile {
    private static final String DIRECTORY = "rwx------";
    private static final String FILE = "rw-------";

    private final Path path;
    private final boolean mayReplace;
    private final Path directory;

    /// @param mayReplace whether the file may replace an existing file
    SqlParquetFile(Path path, boolean mayReplace) {
        this.path = path;
        this.mayReplace = mayReplace;
        directory = path.resolveSibling("." + path.getFileName() + "." + ProcessHandle.current().pid());
    }

    /// Writes the result of a query.
    ///
    /// @throws SqlException if the query fails, or the file cannot be written
    /// @throws IOException  if the file exists, or cannot be created
    void write(SqlSession session, String query) throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            if (!mayReplace) {
                throw new FileSystemException(path.toString(), null, "File exists; --force replaces it");
            }
            if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileSystemException(path.toString(), null, "not a regular file, which is not replaced");
            }
        }
        boolean isPosix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        Files.createDirectory(directory, isPosix
                ? new FileAttribute<?>[]{
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(DIRECTORY))}
                : new FileAttribute<?>[0]);
        // An interrupted statement may run for longer than the process waits for it.
        session.onCancel(this::deleteAfterAnInterrupt);
        try {
            Path written = directory.resolve("parquet");
            session.copyToParquet(query, written);
            if (isPosix) {
                Files.setPosixFilePermissions(written, PosixFilePermissions.fromString(FILE));
            }
            Files.move(written, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            deleteDirectory();
        }
    }

    /// Deletes the temporary directory. Any thread may call this method at any time: the engine may still make or delete
    /// a file in the directory.
    private void deleteDirectory() throws IOException {
        while (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    Files.deleteIfExists(file);
                }
                Files.deleteIfExists(directory);
            } catch (NoSuchFileException | DirectoryNotEmptyException _) {
                // Another thread has deleted the directory, or the engine has made another file.
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        }
    }

    private void deleteAfterAnInterrupt() {
        try {
            deleteDirectory();
        } catch (IOException _) {
            // The thread of the statement tries again, and reports this.
        }
    }
}
