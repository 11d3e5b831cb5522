package dev.arenakit.tool.export;

import dev.arenakit.tool.console.Output;
import java.io.IOException;

/// The target of an export.
interface ExportTarget {
    /// The output for all bytes outside holes.
    Output output();

    /// Makes a hole if the target can have one, and otherwise writes zeros.
    void zeros(long byteSize) throws IOException;

    /// Standard output as the target of an export. Holes are written as zeros.
    ///
    /// @param output the standard output
    record Standard(Output output) implements ExportTarget {
        private static final byte[] ZEROS = new byte[1 << 16];

        @Override
        public void zeros(long byteSize) throws IOException {
            for (long left = byteSize; left > 0; left -= ZEROS.length) {
                output.write(ZEROS, 0, (int) Math.min(ZEROS.length, left));
            }
        }
    }
}
