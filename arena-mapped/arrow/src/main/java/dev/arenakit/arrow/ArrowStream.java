package dev.arenakit.arrow;

import dev.arenakit.arrow.internal.cdata.BaseStructs;
import dev.arenakit.arrow.internal.cdata.CStruct;

/// A stream of the C stream interface, for a consumer in the same process.
///
/// The consumer moves the struct to its own memory, as the interface specifies, gets the schema and the batches, and
/// releases the stream and each batch, in any order and from any thread. [#close] releases the stream if the consumer
/// has neither moved nor released it. A stream that is never released remains until the process ends.
///
/// {@snippet file="dev/arenakit/arrow/ArrowCExample.java" region="stream"}
///
/// Any thread may call the methods. `close` must not run while the consumer moves or uses the struct in its place.
public final class ArrowStream implements AutoCloseable {
    private final BaseStructs structs;

    ArrowStream(BaseStructs structs) {
        this.structs = structs;
    }

    /// Returns the address of the `struct ArrowArrayStream`, of 40 bytes.
    ///
    /// @return the address, which is valid until [#close]
    /// @throws IllegalStateException if this stream is closed
    public long address() {
        return structs.address(CStruct.STREAM);
    }

    /// Releases the stream if the consumer has not taken it. Later calls do nothing.
    @Override
    public void close() {
        structs.close();
    }
}
