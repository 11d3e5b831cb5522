package dev.arenakit.tool;

import dev.arenakit.layout.LayoutParseException;
import dev.arenakit.layout.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.Progress.Task;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Prints structs of an image in some form. What cannot be printed is reported, and the others follow.
final class Show {
    private final Streams streams;
    private final ArenaImage image;
    private final Optional<StructType> otherType;
    private final StructForm form;
    private boolean failed;

    /// @param otherType what stands in the allocations, instead of what the image says
    Show(Streams streams, ArenaImage image, Optional<StructType> otherType, StructForm form) {
        this.streams = streams;
        this.image = image;
        this.otherType = otherType;
        this.form = form;
    }

    /// Prints the named allocations, or all that have a type and have not been freed.
    ///
    /// @return whether all could be printed
    boolean print(Path base, List<String> names) throws IOException {
        if (names.isEmpty()) {
            printAll(base);
            return !failed;
        }
        ChosenAllocations named = new ChosenAllocations(streams, image, base);
        for (Allocation allocation : named.find(names)) {
            Optional<StructType> type = type(allocation);
            if (type.isPresent()) {
                print(allocation, type.get(), names.size() > 1);
            } else if (!failed) {
                fail(allocation, "its type is not recorded: tell it with --type, or use arena hexdump --in");
            }
        }
        return !failed && !named.hasFailed();
    }

    private void printAll(Path base) throws IOException {
        long printed = 0;
        try (Stream<Allocation> allocations = image.allocations()) {
            for (Iterator<Allocation> each = allocations.iterator(); each.hasNext();) {
                Allocation allocation = each.next();
                Optional<StructType> type = allocation.isLive() ? type(allocation) : Optional.empty();
                if (type.isPresent()) {
                    print(allocation, type.get(), true);
                    printed++;
                }
            }
        }
        if (printed == 0 && !failed) {
            failed = true;
            streams.complain(base + ": no allocation with a type: tell one with --type; arena ls lists what there is");
        }
    }

    /// What stands in an allocation; empty where that is not recorded, or cannot be read and has been reported.
    Optional<StructType> type(Allocation allocation) {
        if (otherType.isPresent()) {
            return otherType;
        }
        try {
            return image.type(allocation);
        } catch (LayoutParseException e) {
            fail(allocation, "its type cannot be read: " + e.getMessage());
            return Optional.empty();
        }
    }

    /// Whether something was reported.
    boolean hasFailed() {
        return failed;
    }

    /// Prints the structs of an allocation.
    void print(Allocation allocation, StructType type, boolean hasHeading) throws IOException {
        try (Task _ = streams.progress().start("showing " + allocation.label(), "bytes", streams.out()::byteCount)) {
            if (hasHeading) {
                form.begin(allocation, type);
            }
            form.print(allocation, type, image.source(allocation));
            Images.lost(image, allocation).ifPresent(lost -> fail(allocation, lost));
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException e) {
            fail(allocation, Streams.reason(e));
        } catch (IllegalArgumentException e) {
            fail(allocation, String.valueOf(e.getMessage()));
        }
    }

    private void fail(Allocation allocation, String reason) {
        failed = true;
        streams.complain(allocation.label() + ": " + reason);
    }
}
