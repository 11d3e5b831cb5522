package dev.arenakit.tool.export;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationSequence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// The exported allocations: the allocations that the user has named, or all allocations of an image. Only named
/// allocations are kept in memory; otherwise each pass reads the catalog.
final class ExportAllocations {
    /// No user or program can use more allocations. Their names are kept in memory, to make them unique.
    private static final int MAX_IN_A_FILE = 1 << 17;

    private final Streams streams;
    private final ArenaImage image;
    private final AllocationSequence all;
    private final List<Allocation> named;
    private final OptionalInt file;

    /// @param named the named allocations; none for all allocations
    /// @param file  the number of the data file that contains them, or empty for any
    ExportAllocations(Streams streams, ArenaImage image, List<Allocation> named, OptionalInt file) {
        this.streams = streams;
        this.image = image;
        all = new AllocationSequence(image);
        this.named = named;
        this.file = file;
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

    /// The number of the data file that contains the allocations, or empty for any.
    OptionalInt file() {
        return file;
    }

    /// Checks that all allocations are in one data file.
    ///
    /// @param option the option of the form, for the message
    /// @return the allocations in that file
    /// @throws ExportForm.UsageException if the allocations are in several data files
    /// @throws IOException          if there is no allocation, or too many
    ExportAllocations inOneFile(String option) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        long[] count = {0};
        forEachLive(allocation -> {
            if (allocation.file() >= 0) {
                count[0]++;
                if (numbers.size() < 2 && !numbers.contains(allocation.file())) {
                    numbers.add(allocation.file());
                }
            }
        });
        if (numbers.isEmpty()) {
            throw new IOException(
                    "no allocation" + (file.isPresent() ? " in data file " + file.getAsInt() : " with bytes")
                            + " to export");
        }
        int number = numbers.getFirst();
        if (numbers.size() > 1) {
            throw new ExportForm.UsageException(
                    "Option '" + option + "' is about one data file, and there are allocations in "
                            + number + " and " + numbers.getLast()
                            + ": choose one with --file, or name allocations");
        }
        if (count[0] > MAX_IN_A_FILE) {
            throw new IOException("more than " + Counts.grouped(MAX_IN_A_FILE) + " allocations in data file "
                    + number + ": name those to export");
        }
        return new ExportAllocations(streams, image, named, OptionalInt.of(number));
    }

    /// Reads the named allocations, or else all live allocations.
    void forEachLive(AllocationSequence.Consumer consumer) throws IOException {
        forEach(allocation -> {
            if (!named.isEmpty() || allocation.isLive()) {
                consumer.accept(allocation);
            }
        });
    }

    /// Reads all allocations, freed ones included.
    void forEach(AllocationSequence.Consumer consumer) throws IOException {
        if (named.isEmpty()) {
            all.forEach(streams.progress(), "reading " + image.base(), allocation -> accept(consumer, allocation));
        } else {
            for (Allocation allocation : named) {
                accept(consumer, allocation);
            }
        }
    }

    private void accept(AllocationSequence.Consumer consumer, Allocation allocation) throws IOException {
        if (file.isEmpty() || file.getAsInt() == allocation.file()) {
            consumer.accept(allocation);
        }
    }
}
