package dev.arenakit.arrow;

import dev.arenakit.arrow.internal.cdata.BaseStructs;
import dev.arenakit.arrow.internal.cdata.CStruct;

/// A schema and an array of the C data interface, for a consumer in the same process.
///
/// The consumer moves the two structs to its own memory, as the interface specifies, and releases them later, in any
/// order and from any thread. [#close] releases a struct that the consumer has neither moved nor released. What the
/// consumer has moved is its own: an export that is never released remains until the process ends.
///
/// {@snippet file="dev/arenakit/arrow/ArrowCExample.java" region="list"}
///
/// Any thread may call the methods. `close` must not run while the consumer moves a struct, or releases it in
/// its place.
public final class ArrowExport implements AutoCloseable {
    private final BaseStructs structs;

    ArrowExport(BaseStructs structs) {
        this.structs = structs;
    }

    /// Returns the address of the `struct ArrowSchema`, of 72 bytes.
    ///
    /// @return the address, which is valid until [#close]
    /// @throws IllegalStateException if this export is closed
    public long schemaAddress() {
        return structs.address(CStruct.SCHEMA);
    }

    /// Returns the address of the `struct ArrowArray`, of 80 bytes.
    ///
    /// @return the address, which is valid until [#close]
    /// @throws IllegalStateException if this export is closed
    public long arrayAddress() {
        return structs.address(CStruct.ARRAY);
    }

    /// Releases what the consumer has not taken. Later calls do nothing.
    @Override
    public void close() {
        structs.close();
    }
}
