package dev.arenakit.tool.diff;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Progress.Task;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.where.WhereFilter;
import dev.arenakit.tool.where.WhereFilters;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Compares the allocations of two images.
final class ImageComparison {
    /*
     * A map contains the allocations of the second image while the allocations of the first image are read. More than a
     * million allocations are divided into groups by their labels, and both catalogs are read once for each group.
     */
    private static final long MAX_GROUP_SIZE = 1 << 20;

    private final Streams streams;
    private final ComparedImage one;
    private final ComparedImage two;
    private final DiffReport report;
    private final Optional<WhereFilters> where;
    private final Optional<DiffKey> key;
    private final RangeComparison bytes;
    private boolean failed;

    /// @param where a condition on the structs that are compared, or empty to compare everything
    /// @param key   the field that pairs structs, or empty to pair them by their indices
    /// @param arena allocates the buffers
    ImageComparison(Streams streams, ComparedImage one, ComparedImage two, DiffReport report,
            Optional<WhereFilters> where, Optional<DiffKey> key, Arena arena) {
        this.where = where;
        this.key = key;
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
        long count = two.countAllocations();
        long groups = Math.max(1, Math.ceilDiv(count, MAX_GROUP_SIZE));
        try (Task task = streams.progress().start("comparing " + one.name(), "allocations")) {
            long[] read = {0};
            for (long group = 0; group < groups; group++) {
                Group part = new Group(group, groups);
                try (Counterparts counterparts = new Counterparts(count / groups)) {
                    addAll(part, counterparts);
                    forEachLive(one, part, (allocation, label) -> {
                        compare(allocation, label, counterparts);
                        task.at(++read[0]);
                    });
                    printAdded(part, counterparts);
                }
            }
        }
        if (report.hasUnmatched()) {
            warnOfProblems(one);
            warnOfProblems(two);
        }
    }

    /// Passes live allocations with their labels. Allocations of two images correspond if they have the same name.
    /// Allocations without a name correspond if equally many allocations without a name precede them.
    private static void forEachLive(ComparedImage image, Group group, LabelledConsumer consumer) throws IOException {
        TextDigest.Maker digests = new TextDigest.Maker();
        long[] unnamed = {0};
        image.allocations().forEachLive(allocation -> {
            String label = allocation.name().isPresent() ? allocation.name().get() : "#" + unnamed[0]++;
            if (group.has(label)) {
                consumer.accept(allocation, digests.digest(label));
            }
        });
    }

    private void addAll(Group group, Counterparts counterparts) throws IOException {
        forEachLive(two, group, (allocation, label) -> {
            if (!counterparts.add(label, allocation, two.type(allocation))) {
                fail(two, allocation.label(), "its name is used twice; the first is compared");
            }
        });
    }

    private void printAdded(Group group, Counterparts counterparts) throws IOException {
        if (counterparts.areAllFound() || where.isPresent()) {
            return;
        }
        forEachLive(two, group, (allocation, label) -> {
            Counterparts.Counterpart counterpart = counterparts.get(label);
            if (counterpart != null && !counterpart.isFound() && counterpart.number() == allocation.number()) {
                report.added(describe(two, allocation));
            }
        });
    }

    private void compare(Allocation allocation, TextDigest label, Counterparts counterparts) throws IOException {
        Counterparts.Counterpart counterpart = counterparts.get(label);
        if (counterpart == null) {
            if (where.isEmpty()) {
                report.gone(describe(one, allocation));
            }
            return;
        }
        if (counterpart.isFound()) {
            fail(one, allocation.label(), "its name is used twice; the first is compared");
            return;
        }
        counterparts.setFound(label);
        ComparedType type = one.type(allocation);
        ComparedType otherType = counterparts.type(counterpart);
        Optional<WhereFilter> filter = where.isEmpty() ? Optional.empty() : filter(allocation, type);
        if (where.isPresent() && filter.isEmpty()) {
            return;
        }
        Optional<ImageEntries> entries = entries(one, allocation);
        report.begin(describe(one, allocation));
        if (type.digest().equals(otherType.digest()) && entries.isPresent()) {
            compareEntries(allocation, entries.get(), counterpart, filter.map(WhereFilter::withZeros));
            report.end();
            return;
        }
        if (allocation.byteSize() != counterpart.byteSize() && where.isEmpty()) {
            report.size(allocation.byteSize(), counterpart.byteSize());
        }
        if (type.digest().equals(otherType.digest())) {
            compareBytes(allocation, counterpart, type, filter);
        } else {
            String before = describe(one, allocation).typeText();
            String after = two.image()
                    .allocation(counterpart.number())
                    .map(other -> describe(two, other).typeText())
                    .orElse("");
            report.type(before, after.equals(before) ? after + " with other fields" : after);
        }
        report.end();
    }

    private Optional<WhereFilter> filter(Allocation allocation, ComparedType type) {
        return type.byteSize() == 0
                ? Optional.empty()
                : where.orElseThrow().filter(allocation.label(), one.image().type(allocation).orElseThrow());
    }

    private void compareBytes(Allocation allocation, Counterparts.Counterpart counterpart, ComparedType type,
            Optional<WhereFilter> filter) throws IOException {
        Optional<DiffKey.Field> field = field(allocation, type);
        if (field.isPresent()) {
            compareByKey(allocation, counterpart, field.get(), filter);
            return;
        }
        long byteSize = Math.min(allocation.byteSize(), counterpart.byteSize());
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
                                filter.map(found -> new FieldDifferenceFinder.Predicate(found, struct, ours.get(),
                                        others.get()))));
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

    /// Compares the entries of two structures of one type, wherever they are.
    private void compareEntries(Allocation allocation, ImageEntries ours, Counterparts.Counterpart counterpart,
            Optional<WhereFilter> filter) throws IOException {
        String label = allocation.label();
        Optional<ImageEntries> others = two.image()
                .allocation(counterpart.number())
                .flatMap(other -> entries(two, other));
        if (others.isEmpty()) {
            return;
        }
        compareByKey(label, DiffKey.ofEntries(ours.type()), new KeyedRows.Entries(ours),
                new KeyedRows.Entries(others.get()), filter);
        new AllocationStructs(allocation, ours.type(), 0, Optional.of(ours)).loss()
                .ifPresent(message -> fail(one, label, message));
        new AllocationStructs(allocation, ours.type(), 0, others).loss()
                .ifPresent(message -> fail(two, label, message));
    }

    /// The entries of a structure; empty if the allocation is none, or cannot be read, which is reported.
    private Optional<ImageEntries> entries(ComparedImage image, Allocation allocation) {
        try {
            return image.image().entries(allocation);
        } catch (LayoutParseException e) {
            return Optional.empty();
        } catch (IOException e) {
            fail(image, allocation.label(), ErrorText.of(e));
            return Optional.empty();
        }
    }

    private Optional<DiffKey.Field> field(Allocation allocation, ComparedType type) {
        return key.isEmpty() || type.byteSize() == 0
                ? Optional.empty()
                : key.get().of(one.image().type(allocation).orElseThrow());
    }

    private void compareByKey(Allocation allocation, Counterparts.Counterpart counterpart, DiffKey.Field field,
            Optional<WhereFilter> filter) throws IOException {
        String label = allocation.label();
        Optional<ComparedRange> ours = range(one, label, allocation.parts());
        Optional<ComparedRange> others = range(two, label, counterpart.parts());
        if (ours.isEmpty() || others.isEmpty()) {
            return;
        }
        compareByKey(label, field, rows(ours.get(), field, allocation.byteSize(),
                allocation.elementCount().orElse(-1)),
                rows(others.get(), field, counterpart.byteSize(), counterpart.elementCount()), filter);
    }

    private void compareByKey(String label, DiffKey.Field field, KeyedRows ours, KeyedRows others,
            Optional<WhereFilter> filter) throws IOException {
        try (KeyedComparison comparison = new KeyedComparison(report, field, ours, others, filter)) {
            comparison.compare(message -> fail(one, label, message), message -> fail(two, label, message));
            report.endPart();
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException e) {
            fail(one, label, ErrorText.of(e));
        }
    }

    private static KeyedRows rows(ComparedRange range, DiffKey.Field field, long byteSize,
            long elementCount) {
        long structs = byteSize / field.struct().byteSize();
        return new KeyedRows.InBytes(range, field.struct().byteSize(),
                elementCount < 0 ? structs : Math.min(structs, elementCount), elementCount >= 0);
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

    private static DiffForm.Subject describe(ComparedImage image, Allocation allocation) {
        OptionalLong entries = OptionalLong.empty();
        try {
            Optional<ImageEntries> found = image.image().entries(allocation);
            entries = found.isPresent() ? OptionalLong.of(found.get().count()) : entries;
        } catch (LayoutParseException | IOException e) {
            // If the entries are compared, this is reported.
        }
        return new DiffForm.Subject(allocation.label(), image.type(allocation), allocation.byteSize(), entries);
    }

    /// A group of the allocations of both images.
    ///
    /// @param number the number of the group, from 0
    /// @param count  the number of groups
    private record Group(long number, long count) {
        boolean has(String label) {
            return count == 1 || Math.floorMod(label.hashCode(), count) == number;
        }
    }

    @FunctionalInterface
    private interface LabelledConsumer {
        void accept(Allocation allocation, TextDigest label) throws IOException;
    }
}
