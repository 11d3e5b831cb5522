package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.Progress.Task;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// The allocations that are exported: those that were named, or all of an image, of which there may be any number. They are read
/// whenever they are asked for, and none is kept.
final class ExportedAllocations {
    /// Takes an allocation.
    @FunctionalInterface
    interface Consumer {
        void accept(Allocation allocation) throws IOException;
    }

    /// More than anybody looks at, or a program makes something of; their names are kept apart in memory.
    private static final int MOST_IN_A_FILE = 1 << 17;

    private final Streams streams;
    private final ArenaImage image;
    private final List<Allocation> named;
    private final OptionalInt file;
    /// How many there were when they were read first: a living owner may add some meanwhile.
    private long count = Long.MAX_VALUE;

    /// @param named those that were named, none for all
    /// @param file  the number of the data file that they are in, or empty for any
    ExportedAllocations(Streams streams, ArenaImage image, List<Allocation> named, OptionalInt file) {
        this.streams = streams;
        this.image = image;
        this.named = List.copyOf(named);
        this.file = file;
    }

    /// Those that somebody has named, none for all.
    List<Allocation> named() {
        return named;
    }

    /// The number of the data file that was asked for, or empty for any.
    OptionalInt file() {
        return file;
    }

    /// Those of them that are in one data file.
    ///
    /// @param option of the form that needs them so
    /// @throws ExportUsageException when they are in several
    /// @throws IOException          when there is none, or more than programs make something of
    ExportedAllocations inOneFile(String option) throws IOException {
        Found found = new Found();
        forEachLive(found);
        if (found.number < 0) {
            throw new IOException(
                    "no allocation" + (file.isPresent() ? " in data file " + file.getAsInt() : " with bytes")
                            + " to export");
        }
        if (found.other >= 0) {
            throw new ExportUsageException(
                    "Option '" + option + "' is about one data file, and there are allocations in "
                            + found.number + " and " + found.other + ": choose one with --file, or name allocations");
        }
        if (found.count > MOST_IN_A_FILE) {
            throw new IOException("more than " + ByteSizes.grouped(MOST_IN_A_FILE) + " allocations in data file "
                    + found.number + ": name those to export");
        }
        ExportedAllocations inFile = new ExportedAllocations(streams, image, named, OptionalInt.of(found.number));
        inFile.count = count;
        return inFile;
    }

    /// Those that were named, and of all those that have not been freed.
    void forEachLive(Consumer consumer) throws IOException {
        forEach(allocation -> {
            if (!named.isEmpty() || allocation.isLive()) {
                consumer.accept(allocation);
            }
        });
    }

    /// All of them, those that have been freed too.
    void forEach(Consumer consumer) throws IOException {
        if (!named.isEmpty()) {
            for (Allocation allocation : named) {
                accept(consumer, allocation);
            }
            return;
        }
        long read = 0;
        try (Task task = streams.progress().start("reading " + image.base(), "allocations");
                Stream<Allocation> allocations = image.allocations().limit(count)) {
            for (Iterator<Allocation> each = allocations.iterator(); each.hasNext();) {
                accept(consumer, each.next());
                task.at(++read);
            }
        }
        count = read;
    }

    private void accept(Consumer consumer, Allocation allocation) throws IOException {
        if (file.isEmpty() || file.getAsInt() == allocation.file()) {
            consumer.accept(allocation);
        }
    }

    /// The data files of allocations.
    private static final class Found implements Consumer {
        private int number = -1;
        /// Another one, or -1.
        private int other = -1;
        private long count;

        @Override
        public void accept(Allocation allocation) {
            if (allocation.file() >= 0) {
                count++;
                if (number < 0) {
                    number = allocation.file();
                } else if (number != allocation.file()) {
                    other = allocation.file();
                }
            }
        }
    }
}
