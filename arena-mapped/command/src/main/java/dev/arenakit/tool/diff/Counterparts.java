package dev.arenakit.tool.diff;

import dev.arenakit.collection.RecordMap;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

import static java.lang.invoke.MethodHandles.lookup;

/// The allocations of the second image by their labels. Each takes 88 bytes of off-heap memory, so that a small heap is
/// enough for a million allocations.
final class Counterparts implements Closeable {
    private static final RecordMapper<TextDigest> LABELS = RecordMapper.of(lookup(), TextDigest.class);
    private static final RecordMapper<Counterpart> ALLOCATIONS = RecordMapper.of(lookup(), Counterpart.class);
    private static final LongField FOUND = ALLOCATIONS.longField("found");
    private static final Counterpart NONE = new Counterpart(-1, 0, 0, 0, -1, 0, 0, 0);
    /// Only a program that wants to fill the reader's memory has more types.
    private static final int MAX_TYPES = 1 << 16;

    private final RecordMap<TextDigest, Counterpart> allocations;
    private final List<ComparedType> types = new ArrayList<>();
    private final Map<ComparedType, Integer> numbers = new HashMap<>();
    private long found;

    Counterparts(long expectedSize) {
        allocations = RecordMap.owning(Arena::ofConfined, LABELS, ALLOCATIONS, expectedSize);
    }

    /// Adds an allocation.
    ///
    /// @return false if there is already an allocation with the same label
    boolean add(TextDigest label, Allocation allocation, ComparedType type) throws IOException {
        return !allocations.containsKey(label) && allocations.put(label, Counterpart.of(allocation, number(type)));
    }

    /// The allocation with a label, or null if there is none.
    @Nullable
    Counterpart get(TextDigest label) {
        Counterpart counterpart = allocations.get(label, NONE);
        return counterpart.equals(NONE) ? null : counterpart;
    }

    ComparedType type(Counterpart counterpart) {
        return types.get(counterpart.type());
    }

    /// Records that the first image has an allocation with a label.
    void setFound(TextDigest label) {
        allocations.setLong(FOUND, label, 1);
        found++;
    }

    /// Whether the first image has all allocations.
    boolean areAllFound() {
        return found == allocations.size();
    }

    @Override
    public void close() {
        allocations.close();
    }

    private int number(ComparedType type) throws IOException {
        Integer known = numbers.get(type);
        if (known != null) {
            return known;
        }
        if (types.size() == MAX_TYPES) {
            throw new IOException("more than " + MAX_TYPES + " types in the second image");
        }
        types.add(type);
        numbers.put(type, types.size() - 1);
        return types.size() - 1;
    }

    /// An allocation of the second image. The first image may have an allocation with the same label.
    ///
    /// @param elementCount the number of its elements, or -1 if it is not known
    /// @param found 1 if the first image has an allocation with the same label, otherwise 0
    /// @param type  the number of its type in [Counterparts]
    record Counterpart(long number, long byteOffset, long byteSize, long partByteSize, long elementCount, long found,
            int file, int type) {
        static Counterpart of(Allocation allocation, int type) {
            return new Counterpart(allocation.number(), allocation.byteOffset(), allocation.byteSize(),
                    allocation.partByteSize(), allocation.elementCount().orElse(-1), 0, allocation.file(), type);
        }

        boolean isFound() {
            return found != 0;
        }

        List<AllocationPart> parts() {
            return new Allocation(number, Optional.empty(), Optional.empty(), file, byteOffset, byteSize, partByteSize,
                    1, true, Optional.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty())
                    .parts();
        }
    }
}
