package dev.arenakit.tool;

import dev.arenakit.layout.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.Progress.Task;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds what differs between the allocations of two images.
final class ImageDiff {
    /*
     * The allocations of the second image stand in a map while those of the first are read. Where there are more than memory is for,
     * they are divided into groups by their labels, and both catalogs are read once for each group.
     */
    private static final long LARGEST_GROUP = 1 << 17;

    private final Streams streams;
    private final DiffSide one;
    private final DiffSide two;
    private final DiffReport report;
    private final RangeComparison bytes;
    private boolean failed;

    /// @param arena has buffers
    ImageDiff(Streams streams, DiffSide one, DiffSide two, DiffReport report, Arena arena) {
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
        long groups = Math.max(1, Math.ceilDiv(two.count(), LARGEST_GROUP));
        try (Task task = streams.progress().start("comparing " + one.name(), "allocations")) {
            long[] read = {0};
            for (long group = 0; group < groups; group++) {
                Group part = new Group(group, groups);
                Map<Digest, Place> places = places(part);
                one.forEach(allocation -> {
                    if (part.has(allocation)) {
                        compare(allocation, places.get(Digest.of(allocation.label())));
                        task.at(++read[0]);
                    }
                });
                printAdded(part, places);
            }
        }
        if (report.hasSingles()) {
            warnOfProblems(one);
            warnOfProblems(two);
        }
    }

    private void printAdded(Group group, Map<Digest, Place> places) throws IOException {
        places.values().removeIf(place -> place.isFound);
        if (places.isEmpty()) {
            return;
        }
        two.forEach(allocation -> {
            Place place = group.has(allocation) ? places.get(Digest.of(allocation.label())) : null;
            if (place != null && place.index == allocation.index()) {
                report.added(describe(two, allocation));
            }
        });
    }

    private Map<Digest, Place> places(Group group) throws IOException {
        Map<Digest, Place> places = new HashMap<>();
        two.forEach(allocation -> {
            if (group.has(allocation) && places.putIfAbsent(Digest.of(allocation.label()),
                    new Place(allocation, two.type(allocation))) != null) {
                fail(two, allocation.label(), "its name is used twice; the first is compared");
            }
        });
        return places;
    }

    private void compare(Allocation allocation, @Nullable Place place) throws IOException {
        if (place == null) {
            report.gone(describe(one, allocation));
            return;
        }
        if (place.isFound) {
            fail(one, allocation.label(), "its name is used twice; the first is compared");
            return;
        }
        place.isFound = true;
        RecordedType type = one.type(allocation);
        report.begin(describe(one, allocation));
        if (allocation.byteSize() != place.byteSize) {
            report.other("size", size(allocation.byteSize()), size(place.byteSize));
        }
        if (type.digest().equals(place.type.digest())) {
            compareBytes(allocation, place, type);
        } else {
            String before = type.describe(allocation.byteSize());
            String after = place.type.describe(place.byteSize);
            report.other("type", before, after.equals(before) ? after + " of other fields" : after);
        }
        report.end();
    }

    private void compareBytes(Allocation allocation, Place place, RecordedType type) throws IOException {
        long byteSize = Math.min(allocation.byteSize(), place.byteSize);
        if (byteSize == 0) {
            return;
        }
        Optional<DataRange> ours = range(one, allocation.label(), allocation.file(), allocation.byteOffset(),
                allocation.byteSize());
        Optional<DataRange> others = range(two, allocation.label(), place.file, place.byteOffset, place.byteSize);
        if (ours.isEmpty() || others.isEmpty()) {
            return;
        }
        try {
            long structs = type.byteSize() == 0 ? 0 : byteSize / type.byteSize() * type.byteSize();
            if (structs > 0) {
                StructType struct = one.image().type(allocation).orElseThrow();
                bytes.compare(ours.get(), others.get(), 0, structs,
                        new FieldDifferences(report, struct, ours.get(), others.get()));
                report.endPart();
            }
            bytes.compare(ours.get(), others.get(), structs, byteSize,
                    new ByteDifferences(report, ours.get(), others.get()));
            report.endPart();
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException e) {
            fail(one, allocation.label(), Streams.reason(e));
        }
    }

    private Optional<DataRange> range(DiffSide side, String label, int file, long byteOffset, long byteSize) {
        try {
            side.lost(file, byteOffset, byteSize).ifPresent(lost -> fail(side, label, lost));
            return Optional.of(side.range(file, byteOffset));
        } catch (IOException e) {
            fail(side, label, side.reason(file, e));
            return Optional.empty();
        }
    }

    private void fail(DiffSide side, String label, String reason) {
        failed = true;
        streams.complain(side.name() + ": " + label + ": " + reason);
    }

    /// What is damaged in a catalog may be what seems to be gone or added.
    private void warnOfProblems(DiffSide side) throws IOException {
        if (side.hasProblems()) {
            streams.complain(side.name() + " has problems, and may have lost allocations: see arena verify");
        }
    }

    private static String describe(DiffSide side, Allocation allocation) {
        RecordedType type = side.type(allocation);
        String what = type.byteSize() == 0 ? "" : type.describe(allocation.byteSize()) + ", ";
        return allocation.label() + ": " + what + ByteSizes.format(allocation.byteSize());
    }

    private static String size(long byteSize) {
        return ByteSizes.format(byteSize) + (byteSize < 1024 ? "" : " (" + byteSize + ")");
    }

    /// A part of the allocations of both images.
    ///
    /// @param number which of them it is, from 0
    private record Group(long number, long count) {
        boolean has(Allocation allocation) {
            return count == 1 || Math.floorMod(allocation.label().hashCode(), count) == number;
        }
    }

    /// An allocation of the second image.
    private static final class Place {
        final long index;
        final int file;
        final long byteOffset;
        final long byteSize;
        final RecordedType type;
        boolean isFound;

        Place(Allocation allocation, RecordedType type) {
            index = allocation.index();
            file = allocation.file();
            byteOffset = allocation.byteOffset();
            byteSize = allocation.byteSize();
            this.type = type;
        }
    }
}
