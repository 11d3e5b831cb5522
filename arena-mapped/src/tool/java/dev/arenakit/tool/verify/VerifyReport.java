package dev.arenakit.tool.verify;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageProblem;
import java.io.IOException;
import java.nio.file.Path;

/// The results of the checks of images.
interface VerifyReport {
    /// Reports a problem or a note.
    void problem(Path base, ImageProblem problem) throws IOException;

    /// Ends an image.
    ///
    /// @param problems the number of problems, without notes
    void end(ArenaImage image, Path base, long problems) throws IOException;
}
