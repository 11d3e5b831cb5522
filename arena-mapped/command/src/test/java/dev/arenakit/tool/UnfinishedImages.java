package dev.arenakit.tool;

import dev.arenakit.mapped.ImageFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/// Makes the files that a process leaves which is killed while it creates an image.
public final class UnfinishedImages {
    private static final FileAttribute<?> OWNER_ONLY = PosixFilePermissions
            .asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private UnfinishedImages() {}

    public static void create(Path base) throws IOException {
        Files.createFile(ImageFiles.lock(base), OWNER_ONLY);
        Files.write(Files.createFile(ImageFiles.catalog(base), OWNER_ONLY), new byte[1 << 16]);
    }
}
