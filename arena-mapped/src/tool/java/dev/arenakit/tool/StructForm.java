package dev.arenakit.tool;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.StructType;
import dev.arenakit.mapped.Allocation;

import java.io.IOException;

/// How structs are printed.
interface StructForm {
    /// Says which allocation comes next, where there may be several.
    void begin(Allocation allocation, StructType type) throws IOException;

    /// Prints the structs of an allocation.
    void print(Allocation allocation, StructType type, ExtentSource source) throws IOException;

    /// Ends what was printed.
    void finish() throws IOException;
}
