package dev.arenakit.tool.diff;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.TypeNames;
import dev.arenakit.tool.where.WhereFilter;
import dev.arenakit.tool.where.WhereFilters;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Compares the allocations of two images.
final class ImageComparison {
    /*
     * A map contains the allocations of the second image while the allocations of the first image are read. If the map
     * would take much of the heap, the allocations are divided into groups by their labels, and both catalogs are read
     * once for each group.
     */
    private static final long MAX_GROUP_SIZE = 1 << 20;
    /// An allocation with its name and its text takes a third of this.
    private static final long ALLOCATION_BYTE_SIZE = 1 << 10;

    private final Streams streams;
    private final ComparedImage one;
    private final ComparedImage two;
    private final DiffReport report;
    private final Optional<WhereFilters> where;
    private final Optional<DiffKey> key;
    private boolean failed;

    /// @param where a condition on the structs that are compared, or empty to compare everything
    /// @param key   the field that pairs structs, or empty to pair them by their indices
    ImageComparison(Streams streams, ComparedImage one, ComparedImage two, DiffReport report,
            Optional<WhereFilters> where, Optional<DiffKey> key) {
        this.streams = streams;
        this.one = one;
        this.two = two;
        this.report = report;
        this.where = where;
        this.key = key;
    }

    /// Reports all differences.
    ///
    /// @return whether everything could be compared
    boolean run() throws IOException {
        two.allocations().forEach(_ -> {});
        long limit = Math.min(MAX_GROUP_SIZE, Runtime.getRuntime().maxMemory() / ALLOCATION_BYTE_SIZE);
        long groups = Math.max(1, Math.ceilDiv(two.allocations().count(), limit));
        for (long group = 0; group < groups; group++) {
            Map<String, Allocation> counterparts = new LinkedHashMap<>();
            forEachLive(two, group, groups, counterparts::put);
            forEachLive(one, group, groups, (label, allocation) -> {
                Allocation counterpart = counterparts.remove(label);
                if (counterpart != null) {
                    compare(allocation, counterpart);
                } else if (where.isEmpty()) {
                    report.unmatched(true, subject(one, allocation));
                }
            });
            for (Allocation counterpart : where.isEmpty() ? counterparts.values() : List.<Allocation>of()) {
                report.unmatched(false, subject(two, counterpart));
            }
        }
        return !failed;
    }

    @FunctionalInterface
    private interface LabelledConsumer {
        void accept(String label, Allocation allocation) throws IOException;
    }

    /// Passes the live allocations of a group with their labels. Allocations of two images correspond if they have the
    /// same name. Allocations without a name correspond if equally many allocations without a name precede them.
    private static void forEachLive(ComparedImage image, long group, long groups, LabelledConsumer consumer)
            throws IOException {
        long[] unnamed = {0};
        image.allocations().forEachLive(allocation -> {
            String label = allocation.name().isPresent() ? allocation.name().get() : "#" + unnamed[0]++;
            if (Math.floorMod(label.hashCode(), groups) == group) {
                consumer.accept(label, allocation);
            }
        });
    }

    private void compare(Allocation allocation, Allocation counterpart) throws IOException {
        Optional<StructType> recorded = TypeNames.readable(one.image(), allocation);
        Optional<StructType> type = recorded.filter(struct -> struct.byteSize() > 0);
        Optional<WhereFilter> filter = where.isPresent() && type.isPresent()
                ? where.get().filter(allocation.label(), type.get())
                : Optional.empty();
        if (where.isPresent() && filter.isEmpty()) {
            return;
        }
        Optional<ImageEntries> found = entries(one, allocation);
        DiffReport.Subject subject = DiffReport.Subject.of(allocation, recorded, found);
        report.begin(subject);
        // The texts of equal types may have different versions of the grammar.
        boolean isSameType = allocation.typeText().equals(counterpart.typeText())
                || (recorded.isPresent() && recorded.equals(TypeNames.readable(two.image(), counterpart)));
        try {
            if (isSameType && found.isPresent()) {
                compareEntries(allocation, found.get(), counterpart, filter.map(WhereFilter::withZeros));
            } else {
                if (allocation.byteSize() != counterpart.byteSize() && comparesSizes()) {
                    report.size(allocation.byteSize(), counterpart.byteSize());
                }
                if (isSameType) {
                    compareBytes(allocation, counterpart, type, filter);
                } else {
                    String before = subject.typeText();
                    String after = subject(two, counterpart).typeText();
                    report.type(before, after.equals(before) ? after + " with other fields" : after);
                }
            }
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException e) {
            fail(one, allocation.label(), ErrorText.of(e));
        }
    }

    /// Whether a difference of sizes is reported: also if there is a condition, unless a key pairs structs of any index.
    private boolean comparesSizes() {
        return where.isEmpty() || key.isEmpty();
    }

    private void compareBytes(Allocation allocation, Allocation counterpart, Optional<StructType> type,
            Optional<WhereFilter> filter) throws IOException {
        Optional<DiffKey.Field> field = type.flatMap(struct -> key.flatMap(named -> named.of(struct)));
        long byteSize = Math.min(allocation.byteSize(), counterpart.byteSize());
        Optional<ComparedImage.Bytes> ours = bytes(one, allocation);
        Optional<ComparedImage.Bytes> others = bytes(two, counterpart);
        if (ours.isEmpty() || others.isEmpty()) {
            return;
        }
        ComparedImage.Bytes a = ours.get();
        ComparedImage.Bytes b = others.get();
        if (field.isPresent()) {
            compareByKey(allocation.label(), field.get(),
                    new KeyedRows.Structs(a.bytes(), (int) type.get().byteSize(), allocation),
                    new KeyedRows.Structs(b.bytes(), (int) type.get().byteSize(), counterpart), filter);
            return;
        }
        long structs = type.map(struct -> byteSize / struct.byteSize() * struct.byteSize()).orElse(0L);
        if (structs > 0) {
            compareFields(a, b, structs, type.orElseThrow(), filter);
        }
        if (filter.isEmpty()) {
            ByteDifferenceFinder finder = new ByteDifferenceFinder(report, a.details(), b.details());
            RangeComparison.compare(a.bytes(), b.bytes(), structs, byteSize, finder);
            finder.finish();
            report.endPart();
        }
    }

    /// Compares the entries of two structures of one type, wherever they are.
    private void compareEntries(Allocation allocation, ImageEntries ours, Allocation counterpart,
            Optional<WhereFilter> filter) throws IOException {
        Optional<ImageEntries> others = entries(two, counterpart);
        if (others.isPresent()) {
            Optional<DiffKey.Field> field = ours.hasKeys()
                    ? Optional.of(new DiffKey.Field("key", ours.type(), ours.type().members().getFirst()))
                    : key.flatMap(named -> named.of(ours.type()));
            if (field.isPresent()) {
                compareByKey(allocation.label(), field.get(), new KeyedRows.Entries(ours),
                        new KeyedRows.Entries(others.get()), filter);
            } else {
                long our = ours.count() * ours.type().byteSize();
                long other = others.get().count() * ours.type().byteSize();
                if (our != other && comparesSizes()) {
                    report.size(our, other);
                }
                compareFields(rows(one, allocation, ours), rows(two, counterpart, others.get()), Math.min(our, other),
                        ours.type(), filter);
            }
            reportLoss(one, allocation, ours);
            reportLoss(two, allocation, others.get());
        }
    }

    /// The rows of a table of columns.
    private static ComparedImage.Bytes rows(ComparedImage image, Allocation allocation, ImageEntries entries)
            throws IOException {
        return new ComparedImage.Bytes(entries.source(),
                image.details().entries(allocation).orElseThrow().source());
    }

    /// Compares structs by their indices.
    private void compareFields(ComparedImage.Bytes ours, ComparedImage.Bytes others, long byteSize, StructType type,
            Optional<WhereFilter> filter) throws IOException {
        RangeComparison.compare(ours.bytes(), others.bytes(), 0, byteSize, new FieldDifferenceFinder(report, type,
                ours.details(), others.details(), filter, UnaryOperator.identity(), 0));
        report.endPart();
    }

    private void reportLoss(ComparedImage image, Allocation allocation, ImageEntries entries) {
        new AllocationStructs(allocation, entries.type(), 0, Optional.of(entries), _ -> Long.MAX_VALUE).loss()
                .ifPresent(message -> fail(image, allocation.label(), message));
    }

    private void compareByKey(String label, DiffKey.Field field, KeyedRows ours, KeyedRows others,
            Optional<WhereFilter> filter) throws IOException {
        try (KeyedComparison comparison = new KeyedComparison(report, field, ours, others, filter)) {
            comparison.compare(message -> fail(one, label, message), message -> fail(two, label, message));
            report.endPart();
        }
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

    /// The bytes of an allocation; empty if they cannot be read, which is reported, as lost bytes are.
    private Optional<ComparedImage.Bytes> bytes(ComparedImage image, Allocation allocation) {
        try {
            ComparedImage.Bytes bytes = image.read(allocation);
            image.bytes().truncation(allocation).ifPresent(message -> fail(image, allocation.label(), message));
            return Optional.of(bytes);
        } catch (IOException e) {
            String file = e instanceof FileSystemException named ? "file " + named.getFile() + ": " : "";
            fail(image, allocation.label(), file + ErrorText.of(e));
            return Optional.empty();
        }
    }

    private void fail(ComparedImage image, String label, String reason) {
        failed = true;
        streams.report(image.name() + ": " + label + ": " + reason);
    }

    private DiffReport.Subject subject(ComparedImage image, Allocation allocation) throws IOException {
        return DiffReport.Subject.of(allocation, TypeNames.readable(image.image(), allocation),
                entries(image, allocation));
    }
}
