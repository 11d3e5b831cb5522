package dev.arenakit.tool.structs;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.image.TypeNames;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/// Prints the structs of allocations in some form. If an allocation cannot be printed, this is reported, and the
/// command goes on.
public final class StructPrinter implements Closeable {
    private final Streams streams;
    private final ArenaImage image;
    private final StructReadAhead bytes;
    private final Optional<StructType> givenType;
    private final StructForm form;
    private final StructSelection selection;
    private boolean failed;

    /// @param givenType the type of all allocations, or empty for the types that the image has recorded
    public StructPrinter(Streams streams, ArenaImage image, Optional<StructType> givenType, StructForm form,
            StructSelection selection) {
        this.streams = streams;
        this.image = image;
        bytes = new StructReadAhead(image);
        this.givenType = givenType;
        this.form = form;
        this.selection = selection;
    }

    /// The type of an allocation.
    ///
    /// @return empty if no type is recorded; also if the type cannot be read, and this is reported
    public Optional<StructType> type(Allocation allocation) {
        return givenType.isPresent()
                ? givenType
                : TypeNames.readable(image, allocation, message -> fail(allocation, message));
    }

    /// Prints the structs of an allocation.
    public void print(Allocation allocation, StructType type, StructRange range, boolean hasHeading)
            throws IOException {
        try {
            AllocationStructs structs = givenType.isPresent()
                    ? AllocationStructs.inBytes(image, allocation, type)
                    : AllocationStructs.recorded(image, allocation, type);
            Optional<String> missing = structs.missing(range);
            if (missing.isPresent()) {
                fail(allocation, missing.get());
                return;
            }
            selection.print(form, structs, bytes.source(structs), range, hasHeading);
            bytes.truncation(allocation).or(structs::loss).ifPresent(message -> fail(allocation, message));
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException e) {
            fail(allocation, ErrorText.of(e));
        } catch (IllegalArgumentException e) {
            fail(allocation, String.valueOf(e.getMessage()));
        }
    }

    /// Reports a problem of an allocation.
    public void fail(Allocation allocation, String reason) {
        failed = true;
        streams.report(allocation.label() + ": " + reason);
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }

    /// Whether a problem was reported.
    public boolean hasFailed() {
        return failed;
    }
}
