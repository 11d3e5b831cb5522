package dev.arenakit.tool.structs;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.StructRange;
import java.io.IOException;

/// A form in which structs are printed.
public interface StructForm {
    /// Begins an allocation if several are printed.
    default void begin(AllocationStructs structs) throws IOException {}

    /// Prints structs of an allocation. This method may be called several times for an allocation.
    ///
    /// @param source the bytes of the structs, from the first one on
    void print(AllocationStructs structs, ExtentSource source, StructRange range) throws IOException;

    /// Ends the structs of an allocation.
    ///
    /// @param left  the number of structs that a limit has left out
    /// @param total the number of all structs that were requested
    default void leaveOut(AllocationStructs structs, long left, long total) throws IOException {}

    /// Ends the output.
    default void finish() throws IOException {}
}
