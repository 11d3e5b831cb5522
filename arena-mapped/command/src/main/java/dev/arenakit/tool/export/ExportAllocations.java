package dev.arenakit.tool.export;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.image.AllocationSequence;
import java.io.IOException;
import java.util.List;

/// The exported allocations: the allocations that the user has named, or all allocations of an image. Only named
/// allocations are kept in memory; otherwise each pass reads the catalog.
final class ExportAllocations {
    private final AllocationSequence all;
    private final List<Allocation> named;

    /// @param named the named allocations; none for all allocations
    ExportAllocations(ArenaImage image, List<Allocation> named) {
        all = new AllocationSequence(image);
        this.named = named;
    }

    /// The allocations that the user has named; none for all allocations.
    List<Allocation> named() {
        return named;
    }

    /// Returns the only allocation, for a form that is one table.
    ///
    /// @param option the option of the form, for the message
    /// @throws ExportForm.UsageException if the user has named none, or several
    Allocation only(String option) {
        if (named.size() != 1) {
            throw new ExportForm.UsageException(
                    "Option '" + option + "' writes one table: give one NAME of an allocation");
        }
        return named.getFirst();
    }

    /// Reads the named allocations, or else all live allocations.
    void forEachLive(AllocationSequence.Consumer consumer) throws IOException {
        if (named.isEmpty()) {
            all.forEachLive(consumer);
        } else {
            for (Allocation allocation : named) {
                consumer.accept(allocation);
            }
        }
    }
}
