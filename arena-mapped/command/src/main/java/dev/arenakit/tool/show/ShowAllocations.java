package dev.arenakit.tool.show;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.RequestedAllocations;
import dev.arenakit.tool.image.RequestedAllocations.Request;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.structs.StructPrinter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Shows the allocations that the user has named, or else all allocations that have a type.
record ShowAllocations(Streams streams, ArenaImage image, StructPrinter printer) {
    /// Prints allocations.
    ///
    /// @param names the allocations to print; none for all live allocations that have a type
    /// @return whether all allocations could be printed
    boolean print(Path base, List<String> names) throws IOException {
        return names.isEmpty() ? printAll(base) : printNamed(base, names);
    }

    private boolean printNamed(Path base, List<String> names) throws IOException {
        RequestedAllocations requested = new RequestedAllocations(streams, image, base);
        List<Request> requests = requested.findStructs(names);
        for (Request request : requests) {
            Allocation allocation = request.allocation();
            Optional<StructType> type = printer.type(allocation);
            if (type.isPresent()) {
                printer.print(allocation, type.get(), request.range(), names.size() > 1 || requests.size() > 1);
            } else if (allocation.typeText().isEmpty()) {
                printer.fail(allocation,
                        "its type is not recorded: give the type with --type, or use arena hexdump --in");
            }
        }
        return !printer.hasFailed() && !requested.hasFailed();
    }

    /// Prints the chain from the first struct that a name denotes.
    ///
    /// @return whether the chain is whole, and ends
    boolean printChain(Path base, String name, ShowChain chain) throws IOException {
        RequestedAllocations requested = new RequestedAllocations(streams, image, base);
        for (Request request : requested.findStructs(List.of(name))) {
            chain.print(request.allocation(), request.range().first());
        }
        return !printer.hasFailed() && !requested.hasFailed();
    }

    private boolean printAll(Path base) throws IOException {
        long[] printed = {0};
        new AllocationSequence(image).forEachLive(allocation -> {
            Optional<StructType> type = printer.type(allocation);
            if (type.isPresent()) {
                printer.print(allocation, type.get(), StructRange.ALL, true);
                printed[0]++;
            }
        });
        if (printed[0] == 0 && !printer.hasFailed()) {
            streams.report(base + ": no allocation has a type: give one with --type (try arena ls)");
            return false;
        }
        return !printer.hasFailed();
    }
}
