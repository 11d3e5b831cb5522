package dev.arenakit.contract;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

/// Segments that are alive at the same time, each filled with a byte that its neighbours do not have. Overlap shows in
/// the addresses; memory that is mapped at two addresses shows in the bytes.
final class LiveSegments {
    private record Live(MemorySegment segment, byte pattern) {}

    private final List<Live> all = new ArrayList<>();
    private int next;

    /// @param first distinguishes the patterns of threads that fill at the same time
    LiveSegments(int first) {
        next = first;
    }

    LiveSegments() {
        this(0);
    }

    /// Fills and remembers the segment.
    MemorySegment add(MemorySegment segment) {
        // 1 to 251: never the zero of fresh memory, and a prime, so that no power of two meets its own byte again.
        byte pattern = (byte) (1 + next++ % 251);
        all.add(new Live(segment, pattern));
        segment.fill(pattern);
        return segment;
    }

    void addAll(LiveSegments others) {
        all.addAll(others.all);
    }

    List<MemorySegment> segments() {
        return all.stream().map(Live::segment).toList();
    }

    /// Asserts that no two have a byte in common, by address and by content, and that none of size 0 points inside another.
    void assertDisjointAndIntact() {
        assertDisjoint();
        assertIntact();
    }

    private void assertDisjoint() {
        TreeMap<Long, MemorySegment> byAddress = new TreeMap<>();
        for (MemorySegment segment : segments()) {
            MemorySegment same = segment.byteSize() == 0 ? null : byAddress.put(segment.address(), segment);
            if (same != null) {
                fail("Live segments at one address: %s, %s", same, segment);
            }
        }
        MemorySegment previous = MemorySegment.NULL;
        for (MemorySegment segment : byAddress.values()) {
            if (segment.address() < end(previous)) {
                fail("Live segments overlap: %s, %s", previous, segment);
            }
            previous = segment;
        }
        for (MemorySegment segment : segments()) {
            Map.Entry<Long, MemorySegment> below = byAddress.lowerEntry(segment.address());
            if (segment.byteSize() == 0 && below != null && segment.address() < end(below.getValue())) {
                fail("An empty segment points inside a live one: %s, %s", segment, below.getValue());
            }
        }
    }

    private void assertIntact() {
        for (Live live : all) {
            if (!holdsOnly(live.segment, live.pattern)) {
                fail("Somebody else wrote into a live segment: %s", live.segment);
            }
        }
    }

    /// Asserts that their arena's close has ended them all.
    void assertDead() {
        for (MemorySegment segment : segments()) {
            assertThat(segment.scope().isAlive()).as("%s is alive after close", segment).isFalse();
        }
        // The scope has told already; one access shows that it is asked.
        segments().stream()
                .limit(1)
                .forEach(segment -> assertThatThrownBy(() -> segment.fill((byte) 0))
                        .isInstanceOf(IllegalStateException.class));
    }

    /// Whether every byte of the segment is the given one.
    static boolean holdsOnly(MemorySegment segment, byte value) {
        if (segment.byteSize() == 0) {
            return true;
        }
        // All bytes are equal when the segment without its last byte equals the segment without its first.
        long last = segment.byteSize() - 1;
        return segment.get(ValueLayout.JAVA_BYTE, 0) == value
                && segment.asSlice(0, last).mismatch(segment.asSlice(1, last)) < 0;
    }

    private static long end(MemorySegment segment) {
        return segment.address() + segment.byteSize();
    }
}
