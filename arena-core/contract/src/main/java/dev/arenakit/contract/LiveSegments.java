package dev.arenakit.contract;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

/// Segments that are alive at the same time, each filled with a byte that differs from those of its neighbours.
/// Addresses reveal an overlap, and contents reveal memory that is mapped at two addresses.
final class LiveSegments {
    private record Live(MemorySegment segment, byte pattern) {}

    private final List<Live> all = new ArrayList<>();
    private int next;

    /// @param first distinguishes the patterns of threads that fill segments at the same time
    LiveSegments(int first) {
        next = first;
    }

    LiveSegments() {
        this(0);
    }

    /// Fills and adds the segment.
    MemorySegment add(MemorySegment segment) {
        // 1 to 251: never zero, as new memory is, and a prime, so that the pattern does not repeat at powers of two.
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

    /// Asserts that no two segments overlap, by address and by content, and that no empty segment points inside another
    /// one.
    void assertDisjointAndIntact() {
        assertDisjoint();
        assertIntact();
    }

    /// Asserts that these segments have no memory of an older segment whose scope has not ended.
    void assertDisjointFromAlive(List<LiveSegments> older) {
        LiveSegments alive = new LiveSegments();
        older.forEach(segments -> segments.all.stream()
                .filter(live -> live.segment.scope().isAlive())
                .forEach(alive.all::add));
        alive.assertIntact();
        alive.addAll(this);
        alive.assertDisjoint();
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
                fail("A live segment was overwritten: %s", live.segment);
            }
        }
    }

    /// Asserts that the close of their arena has ended all segments.
    void assertDead() {
        for (MemorySegment segment : segments()) {
            if (segment.scope().isAlive()) {
                fail("A segment is alive after close: %s", segment);
            }
        }
        // All scopes are checked; one access shows that accesses check the scope.
        segments().stream()
                .limit(1)
                .forEach(segment -> assertThatThrownBy(() -> segment.fill((byte) 0))
                        .isInstanceOf(IllegalStateException.class));
    }

    /// Whether all bytes of the segment have the given value.
    static boolean holdsOnly(MemorySegment segment, byte value) {
        if (segment.byteSize() == 0) {
            return true;
        }
        // All bytes are equal if the segment without its last byte equals the segment without its first.
        long last = segment.byteSize() - 1;
        return segment.get(ValueLayout.JAVA_BYTE, 0) == value
                && segment.asSlice(0, last).mismatch(segment.asSlice(1, last)) < 0;
    }

    private static long end(MemorySegment segment) {
        return segment.address() + segment.byteSize();
    }
}
