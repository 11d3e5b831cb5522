package dev.arenakit.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Temporary directories on a tmpfs, which allocates exactly the pages that are written and supports files of any size.
public final class SharedMemory implements TempDirFactory {
    private static final Path PLACE = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension) throws IOException {
        assumeTrue(Files.isWritable(PLACE), () -> "needs a directory " + PLACE + " that can be written to");
        return Files.createTempDirectory(PLACE, "arenakit-test");
    }
}
