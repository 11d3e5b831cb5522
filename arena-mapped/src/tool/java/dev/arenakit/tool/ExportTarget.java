package dev.arenakit.tool;

import java.io.IOException;

/// Where an export goes.
interface ExportTarget {
    /// Takes all bytes but those of holes.
    Output output();

    /// Leaves a hole where there can be one, and writes zeros elsewhere.
    void zeros(long byteSize) throws IOException;
}
