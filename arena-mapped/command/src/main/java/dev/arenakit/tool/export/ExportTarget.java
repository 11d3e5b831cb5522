package dev.arenakit.tool.export;

import dev.arenakit.tool.console.Output;
import java.io.IOException;

/// The target of an export.
interface ExportTarget {
    /// The output for all bytes outside holes.
    Output output();

    /// Makes a hole if the target can have one, and otherwise writes zeros.
    void zeros(long byteSize) throws IOException;
}
