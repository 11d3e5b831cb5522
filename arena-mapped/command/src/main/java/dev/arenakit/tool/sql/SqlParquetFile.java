package dev.arenakit.tool.sql;

import dev.arenakit.sql.SqlException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// A new Parquet file. It is written in a temporary directory beside its path and then moved, so that the file is
/// complete or does not exist. Only the owner of the file may read it, as with the files of an image.
final class SqlParquetFile {
    private static final String DIRECTORY = "rwx------";
    private static final String FILE = "rw-------";

    private final Path path;
    private final boolean mayReplace;

    /// @param mayReplace whether the file may replace an existing file
    SqlParquetFile(Path path, boolean mayReplace) {
        this.path = path;
        this.mayReplace = mayReplace;
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
        Path directory = path.resolveSibling("." + path.getFileName() + "." + ProcessHandle.current().pid());
        Files.createDirectory(directory, isPosix
                ? new FileAttribute<?>[]{
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(DIRECTORY))}
                : new FileAttribute<?>[0]);
        try {
            Path written = directory.resolve("parquet");
            session.copyToParquet(query, written);
            if (isPosix) {
                Files.setPosixFilePermissions(written, PosixFilePermissions.fromString(FILE));
            }
            Files.move(written, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            delete(directory);
        }
    }

    private static void delete(Path directory) throws IOException {
        List<Path> paths;
        try (Stream<Path> tree = Files.walk(directory)) {
            paths = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : paths) {
            Files.deleteIfExists(file);
        }
    }
}
