package dev.arenakit;

import dev.arenakit.diagnostics.ArenaRecorder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

/// Counts the events of each arena.
final class CountingRecorder implements ArenaRecorder {
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong openedShared = new AtomicLong();
    private final AtomicLong allocations = new AtomicLong();
    private final AtomicLong byteSize = new AtomicLong();
    private final Map<Long, Long> open = new ConcurrentHashMap<>();

    @Override
    public long opened(boolean isShared) {
        openedShared.addAndGet(isShared ? 1 : 0);
        long arena = opened.incrementAndGet();
        open.put(arena, 0L);
        return arena;
    }

    @Override
    public void allocated(long arena, long byteSize, long byteAlignment) {
        // Another thread may have closed the arena after the allocation.
        open.computeIfPresent(arena, (_, allocations) -> allocations + 1);
        allocations.incrementAndGet();
        this.byteSize.addAndGet(byteSize);
    }

    @Override
    public void closed(long arena) {
        assertThat(open.remove(arena)).as("allocations of a closed arena").isNotNull();
    }

    /// The allocations of each open arena.
    Map<Long, Long> open() {
        return open;
    }

    long opened() {
        return opened.get();
    }

    long openedShared() {
        return openedShared.get();
    }

    long allocations() {
        return allocations.get();
    }

    long byteSize() {
        return byteSize.get();
    }
}
