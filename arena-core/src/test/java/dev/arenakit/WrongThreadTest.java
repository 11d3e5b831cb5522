package dev.arenakit;

import dev.arenakit.collection.LongList;
import dev.arenakit.collection.LongLongMap;
import dev.arenakit.collection.RecordList;
import dev.arenakit.diagnostics.DebugArena;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WrongThreadTest {
    record Point(int x) {}

    interface PointView {
        int x();
    }

    @Test
    void print() throws Exception {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        MallocArena malloc = MallocArena.ofConfined();
        MemorySegment block = malloc.allocate(8);
        calls.put("malloc.allocate", () -> malloc.allocate(8));
        calls.put("malloc.free", () -> malloc.free(block));
        calls.put("malloc.close", malloc::close);
        MallocArena checked = MallocArena.builder().checked().build();
        MemorySegment cblock = checked.allocate(8);
        calls.put("checked.allocate", () -> checked.allocate(8));
        calls.put("checked.free", () -> checked.free(cblock));
        calls.put("checked.close", checked::close);
        SlabPool pool = SlabPool.create();
        SlabArena slab = pool.openConfined();
        calls.put("slab.allocate", () -> slab.allocate(8));
        calls.put("slab.large", () -> slab.allocate(1 << 20));
        calls.put("slab.pushFrame", () -> slab.pushFrame());
        calls.put("slab.close", slab::close);
        FreeListArena list = FreeListArena.ofConfined();
        MemorySegment lblock = list.allocate(8);
        calls.put("list.allocate", () -> list.allocate(8));
        calls.put("list.free", () -> list.free(lblock));
        calls.put("list.close", list::close);
        OffsetAllocator offsets = OffsetAllocator.over(Arena.ofConfined().allocate(4096, 64));
        calls.put("offsets.allocate", () -> offsets.allocate(8));
        Arena debug = DebugArena.wrap(Arena.ofConfined());
        calls.put("debug.allocate", () -> debug.allocate(8));
        calls.put("debug.close", debug::close);
        RecordMapper<Point> points = RecordMapper.of(Point.class);
        MemorySegment point = points.allocate(Arena.ofConfined());
        calls.put("mapper.get", () -> points.get(point));
        calls.put("mapper.copy", () -> points.copy(point, 0, point, 0, 0));
        PointView view = ViewMapper.of(PointView.class).view(point);
        calls.put("view.x", view::x);
        LongList longs = LongList.create(Arena.ofConfined());
        longs.add(1);
        calls.put("longs.get", () -> longs.get(0));
        calls.put("longs.close", longs::close);
        RecordList<Point> records = RecordList.create(Arena.ofConfined(), points);
        records.add(new Point(1));
        calls.put("records.get", () -> records.get(0));
        calls.put("records.close", records::close);
        LongLongMap map = LongLongMap.create(Arena.ofConfined());
        map.put(1, 1);
        calls.put("map.put", () -> map.put(2, 2));
        calls.put("map.close", map::close);
        calls.forEach((name, call) -> {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            try {
                Thread.ofVirtual().start(() -> {
                    try { call.run(); } catch (Throwable t) { thrown.set(t); }
                }).join();
            } catch (InterruptedException e) { throw new AssertionError(e); }
            System.err.println(name + ": " + thrown.get());
        });
    }
}
