package dev.arenakit;

import dev.arenakit.collection.LongList;
import dev.arenakit.collection.RecordList;
import dev.arenakit.diagnostics.DebugArena;
import dev.arenakit.diagnostics.DebugOptions;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/// The messages of calls by threads that may not make them.
class WrongThreadMessageTest {
    private static final Executor VIRTUAL = task -> Thread.ofVirtual().start(task);

    record Point(int x) {}

    interface PointView {
        int x();
    }

    @Test
    void message_ofACallByAnUnnamedVirtualThread_namesBothThreads() {
        try (Arena jdk = Arena.ofConfined();
                MallocArena malloc = MallocArena.ofConfined();
                MallocArena checked = MallocArena.builder().checked().build();
                SlabPool pool = SlabPool.create();
                SlabArena slab = pool.openConfined();
                FreeListArena list = FreeListArena.ofConfined();
                Arena debug = DebugArena.wrap(Arena.ofConfined(), DebugOptions.canaries());
                LongList longs = LongList.create(jdk)) {
            RecordMapper<Point> points = RecordMapper.of(Point.class);
            try (RecordList<Point> records = RecordList.create(jdk, points)) {
                Map<String, Runnable> calls = new LinkedHashMap<>();
                MemorySegment block = malloc.allocate(8);
                calls.put("MallocArena.allocate", () -> malloc.allocate(8));
                calls.put("MallocArena.free", () -> malloc.free(block));
                calls.put("MallocArena.close", malloc::close);
                calls.put("checked MallocArena.allocate", () -> checked.allocate(8));
                calls.put("checked MallocArena.close", checked::close);
                calls.put("SlabArena.allocate", () -> slab.allocate(8));
                calls.put("SlabArena.pushFrame", slab::pushFrame);
                calls.put("SlabArena.close", slab::close);
                calls.put("FreeListArena.allocate", () -> list.allocate(8));
                calls.put("FreeListArena.close", list::close);
                OffsetAllocator offsets = OffsetAllocator.over(jdk.allocate(1 << 20, 64));
                calls.put("OffsetAllocator.allocate", () -> offsets.allocate(8));
                calls.put("DebugArena.close", debug::close);
                MemorySegment point = points.allocate(jdk);
                calls.put("RecordMapper.get", () -> points.get(point));
                calls.put("RecordMapper.copy", () -> points.copy(point, 0, point, 0, 0));
                calls.put("view", ViewMapper.of(PointView.class).view(point)::x);
                calls.put("LongList.close", longs::close);
                calls.put("RecordList.get", () -> records.get(0));
                calls.put("RecordList.close", records::close);
                records.add(new Point(1));
                calls.forEach((call, run) -> assertThatThrownBy(() -> CompletableFuture.runAsync(run, VIRTUAL).join())
                        .as(call)
                        .cause()
                        .isInstanceOf(WrongThreadException.class)
                        .message()
                        .containsPattern("[:,] thread=#\\d+, owner=" + named(Thread.currentThread())));
            }
        }
    }

    @Test
    void message_ofAnArenaOfAVirtualThread_saysSo() {
        MallocArena arena = CompletableFuture.supplyAsync(MallocArena::ofConfined, VIRTUAL).join();
        MemorySegment segment = CompletableFuture.supplyAsync(() -> Arena.ofConfined().allocate(8), VIRTUAL).join();
        assertThat(catchThrowableOfType(WrongThreadException.class, () -> arena.allocate(8)))
                .hasMessageContaining(": thread=" + named(Thread.currentThread()) + ", owner=");
        assertThat(catchThrowableOfType(WrongThreadException.class, () -> RecordMapper.of(Point.class).get(segment)))
                .hasMessageEndingWith(", thread=" + named(Thread.currentThread())
                        + ", owner=a virtual thread, or one that has ended");
    }

    private static String named(Thread thread) {
        return thread.getName() + "#" + thread.threadId();
    }
}
