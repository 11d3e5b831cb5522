package dev.arenakit.tool.image;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import java.io.IOException;

/// A form in which structs are printed.
public interface StructForm {
    /// Begins one of several allocations.
    void begin(Allocation allocation, StructType type) throws IOException;

    /// Prints the structs of an allocation.
    void print(Allocation allocation, StructType type, ExtentSource source) throws IOException;

    /// Ends the output.
    void finish() throws IOException;
}
