package dev.arenakit.collection;

import dev.arenakit.BlockAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import static org.assertj.core.api.Assertions.assertThat;

/// Blocks with an arena each, so that access through a freed block throws an exception. Each resize moves the block.
/// New memory is dirty, and requests can be refused on demand.
final class ByteModelAllocator implements BlockAllocator {
    private final Map<Long, Arena> live = new HashMap<>();
    private long granted = Long.MAX_VALUE;
    private long requests;

    /// Grants this number of further requests, and refuses all later ones.
    void refuseAfter(long count) {
        granted = count;
    }

    void refuseNothing() {
        granted = Long.MAX_VALUE;
    }

    /// The number of requests so far, including refused requests.
    long requests() {
        return requests;
    }

    long blocks() {
        return live.size();
    }

    void assertNothingHeld() {
        assertThat(live).as("blocks that were not freed").isEmpty();
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        requests++;
        if (granted-- <= 0) {
            throw new OutOfMemoryError("Refused on demand");
        }
        Arena arena = Arena.ofConfined();
        MemorySegment segment = arena.allocate(byteSize, byteAlignment).fill((byte) 0xA5);
        live.put(segment.address(), arena);
        return segment;
    }

    @Override
    public void free(MemorySegment segment) {
        Arena arena = live.remove(segment.address());
        if (arena == null) {
            throw new IllegalArgumentException("Not a live block: " + segment);
        }
        arena.close();
    }

    @Override
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        Arena old = Objects.requireNonNull(live.get(segment.address()), "a live block");
        MemorySegment moved = allocate(newByteSize, 64);
        MemorySegment.copy(segment, 0, moved, 0, Math.min(segment.byteSize(), newByteSize));
        live.remove(segment.address());
        old.close();
        return moved;
    }
}
