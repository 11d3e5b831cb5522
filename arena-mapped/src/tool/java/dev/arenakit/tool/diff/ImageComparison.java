package dev.arenakit.tool.diff;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Progress.Task;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.where.WhereFilter;
import dev.arenakit.tool.where.WhereTypes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Compares the allocations of two images.
final class ImageComparison {
    /*
     * A map contains the allocations of the second image while those of the first are read. If there are too many for
     * the memory, they are divided into groups by their labels, and both catalogs are read once for each group.
     */
    private static final long MAX_GROUP_SIZE = 1 << 17;

    private final Streams streams;
    private final ComparedImage one;
    private final ComparedImage two;
    private final DiffReport report;
    private final Optional<WhereTypes> where;
    private final RangeComparison bytes;
    private boolean failed;

    /// @param where a condition on the structs that are compared, or empty to compare everything
    /// @param arena allocates the buffers
    ImageComparison(Streams streams, ComparedImage one, ComparedImage two, DiffReport report,
            Optional<WhereTypes> where, Arena arena) {
        this.where = where;
        this.streams = streams;
        this.one = one;
        this.two = two;
        this.report = report;
        bytes = new RangeComparison(arena);
    }

    /// Whether something could not be compared.
    boolean hasFailed() {
        return failed;
    }

    /// Reports all differences.
    void run() throws IOException {
        long groups = Math.max(1, Math.ceilDiv(two.allocations().count(), MAX_GROUP_SIZE));
        try (Task task = streams.progress().start("comparing " + one.name(), "allocations")) {
            long[] read = {0};
            for (long group = 0; group < groups; group++) {
                Group part = new Group(group, groups);
                Map<TextDigest, Counterpart> counterparts = counterparts(part);
                forEachLive(one, (allocation, key) -> {
                    if (part.has(key)) {
                        compare(allocation, counterparts.get(TextDigest.of(key)));
                        task.at(++read[0]);
                    }
                });
                printAdded(part, counterparts);
            }
        }
        if (report.hasUnmatched()) {
            warnOfProblems(one);
            warnOfProblems(two);
        }
    }

    /// Allocations of two images correspond if they have the same name, or if as many without a name precede them.
    private static void forEachLive(ComparedImage image, KeyedConsumer consumer) throws IOException {
        long[] unnamed = {0};
        image.allocations()
                .forEachLive(allocation -> consumer.accept(allocation,
                        allocation.name().orElseGet(() -> "#" + unnamed[0]++)));
    }

    private void printAdded(Group group, Map<TextDigest, Counterpart> counterparts) throws IOException {
        counterparts.values().removeIf(counterpart -> counterpart.isFound);
        if (counterparts.isEmpty() || where.isPresent()) {
            return;
        }
        forEachLive(two, (allocation, key) -> {
            Counterpart counterpart = group.has(key) ? counterparts.get(TextDigest.of(key)) : null;
            if (counterpart != null && counterpart.number == allocation.number()) {
                report.added(describe(two, allocation));
            }
        });
    }

    private Map<TextDigest, Counterpart> counterparts(Group group) throws IOException {
        Map<TextDigest, Counterpart> counterparts = new HashMap<>();
        forEachLive(two, (allocation, key) -> {
            if (group.has(key) && counterparts.putIfAbsent(TextDigest.of(key),
                    new Counterpart(allocation, two.type(allocation))) != null) {
                fail(two, allocation.label(), "its name is used twice; the first is compared");
            }
        });
        return counterparts;
    }

    private void compare(Allocation allocation, @Nullable Counterpart counterpart) throws IOException {
        if (counterpart == null) {
            if (where.isEmpty()) {
                report.gone(describe(one, allocation));
            }
            return;
        }
        if (counterpart.isFound) {
            fail(one, allocation.label(), "its name is used twice; the first is compared");
            return;
        }
        counterpart.isFound = true;
        ComparedType type = one.type(allocation);
        Optional<WhereFilter> filter = where.isEmpty() ? Optional.empty() : filter(allocation, type);
        if (where.isPresent() && filter.isEmpty()) {
            return;
        }
        report.begin(describe(one, allocation));
        if (allocation.byteSize() != counterpart.byteSize && where.isEmpty()) {
            report.size(allocation.byteSize(), counterpart.byteSize);
        }
        if (type.digest().equals(counterpart.type.digest())) {
            compareBytes(allocation, counterpart, type, filter);
        } else {
            String before = type.describe(allocation.byteSize());
            String after = counterpart.type.describe(counterpart.byteSize);
            report.type(before, after.equals(before) ? after + " with other fields" : after);
        }
        report.end();
    }

    private Optional<WhereFilter> filter(Allocation allocation, ComparedType type) {
        return type.byteSize() == 0
                ? Optional.empty()
                : where.orElseThrow().filter(allocation.label(), one.image().type(allocation).orElseThrow());
    }

    private void compareBytes(Allocation allocation, Counterpart counterpart, ComparedType type,
            Optional<WhereFilter> filter) throws IOException {
        long byteSize = Math.min(allocation.byteSize(), counterpart.byteSize);
        if (byteSize == 0) {
            return;
        }
        Optional<ComparedRange> ours = range(one, allocation.label(), allocation.parts());
        Optional<ComparedRange> others = range(two, allocation.label(), counterpart.parts());
        if (ours.isEmpty() || others.isEmpty()) {
            return;
        }
        try {
            long structs = type.byteSize() == 0 ? 0 : byteSize / type.byteSize() * type.byteSize();
            if (structs > 0) {
                StructType struct = one.image().type(allocation).orElseThrow();
                bytes.compare(ours.get(), others.get(), 0, structs,
                        new FieldDifferenceFinder(report, struct, ours.get(), others.get(),
                                filter.map(found -> new ComparedPredicate(found, struct, ours.get(), others.get()))));
                report.endPart();
            }
            if (filter.isEmpty()) {
                bytes.compare(ours.get(), others.get(), structs, byteSize,
                        new ByteDifferenceFinder(report, ours.get(), others.get()));
                report.endPart();
            }
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException e) {
            fail(one, allocation.label(), ErrorText.of(e));
        }
    }

    private Optional<ComparedRange> range(ComparedImage image, String label, List<AllocationPart> parts) {
        for (AllocationPart part : parts) {
            try {
                image.truncation(part).ifPresent(message -> fail(image, label, message));
            } catch (IOException e) {
                fail(image, label, image.reason(part.file(), e));
                return Optional.empty();
            }
        }
        return Optional.of(image.range(parts));
    }

    private void fail(ComparedImage image, String label, String reason) {
        failed = true;
        streams.report(image.name() + ": " + label + ": " + reason);
    }

    /// A damaged record of a catalog may be the reason why an allocation seems to be missing or added.
    private void warnOfProblems(ComparedImage image) throws IOException {
        if (image.hasProblems()) {
            streams.report(image.name() + " has problems, and may have lost allocations: see arena verify");
        }
    }

    private static DiffedAllocation describe(ComparedImage image, Allocation allocation) {
        return new DiffedAllocation(allocation.label(), image.type(allocation), allocation.byteSize());
    }

    /// A group of the allocations of both images.
    ///
    /// @param number the number of the group, from 0
    /// @param count  the number of groups
    private record Group(long number, long count) {
        boolean has(String key) {
            return count == 1 || Math.floorMod(key.hashCode(), count) == number;
        }
    }

    @FunctionalInterface
    private interface KeyedConsumer {
        void accept(Allocation allocation, String key) throws IOException;
    }

    /// An allocation of the second image, which may have the same label as one of the first.
    private static final class Counterpart {
        final long number;
        final int file;
        final long byteOffset;
        final long byteSize;
        final ComparedType type;
        /// The parts if there are several. Most allocations have one, and many are in memory at once.
        private final List<AllocationPart> parts;
        boolean isFound;

        Counterpart(Allocation allocation, ComparedType type) {
            number = allocation.number();
            file = allocation.file();
            byteOffset = allocation.byteOffset();
            byteSize = allocation.byteSize();
            this.type = type;
            parts = allocation.partByteSize() == 0 ? List.of() : allocation.parts();
        }

        List<AllocationPart> parts() {
            return parts.isEmpty() ? List.of(new AllocationPart(file, byteOffset, byteSize)) : parts;
        }
    }
}
