package dev.arenakit.tool.verify;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.DamagedRange;
import dev.arenakit.mapped.ImageProblem;
import dev.arenakit.mapped.Seal;
import java.io.IOException;
import java.nio.file.Path;

/// Prints the results of checking images.
interface VerifyReport {
    /// Reports a problem or a note.
    void problem(Path base, ImageProblem problem) throws IOException;

    /// Reports bytes of an allocation that differ from its seal.
    void damage(ArenaImage image, Path base, Allocation allocation, DamagedRange range, Seal seal) throws IOException;

    /// Reports that an allocation has grown since it was sealed, as a note.
    void growth(Path base, Allocation allocation, Seal seal) throws IOException;

    /// Prints the end of the results for an image.
    void end(ArenaImage image, Path base, VerifySums sums) throws IOException;
}
