package dev.arenakit.bench.guides;

import dev.arenakit.MallocArena;
import dev.arenakit.collection.BytesLongMap;
import dev.arenakit.collection.LongList;
import dev.arenakit.collection.LongLongMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.objects.Object2LongOpenHashMap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

import static it.unimi.dsi.fastutil.longs.Long2LongMaps.fastForEach;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Runs both columns of the section "fastutil" of `docs/migration.md`.
class FromFastutilTest {
    private final long[] numbers = {30, 10, 20};

    @Test
    void rows_areTested() throws IOException {
        Guide.section("fastutil", FromFastutilTest.class).assertRowsAreTested();
    }

    @Test
    void map_hasTheEntries() {
        List<Long> there = new ArrayList<>();
        {
            Long2LongOpenHashMap map = new Long2LongOpenHashMap();
            there.add(map.put(1, 10));
            there.add(map.put(1, 20));
            there.add(map.get(1));
            there.add(map.get(5));
            map.trim();
            there.add((long) map.size());
        }
        List<Long> here = new ArrayList<>();
        try (LongLongMap map = LongLongMap.owning(MallocArena::ofConfined)) {
            here.add(map.getAndPut(1, 10, 0));
            here.add(map.getAndPut(1, 20, 0));
            here.add(map.get(1, 0));
            here.add(map.get(5, 0));
            map.shrink();
            here.add(map.size());
        }
        assertThat(here).isEqualTo(there);
    }

    @Test
    void addTo_returnsTheNewValueHereAlone() {
        long there;
        long old;
        {
            Long2LongOpenHashMap map = new Long2LongOpenHashMap();
            map.addTo(1, 3);
            old = map.addTo(1, 3);
            there = map.get(1);
        }
        try (LongLongMap map = LongLongMap.owning(MallocArena::ofConfined)) {
            map.addTo(1, 3);
            assertThat(map.addTo(1, 3)).isEqualTo(there).isNotEqualTo(old);
        }
    }

    @Test
    void forEach_visitsAllEntries() {
        long there;
        {
            Long2LongOpenHashMap map = new Long2LongOpenHashMap(new long[]{1, 2}, new long[]{40, 2});
            LongAdder sum = new LongAdder();
            fastForEach(map, entry -> sum.add(entry.getLongValue()));
            there = sum.sum();
        }
        try (LongLongMap map = LongLongMap.owning(MallocArena::ofConfined)) {
            map.put(1, 40);
            map.put(2, 2);
            LongAdder sum = new LongAdder();
            map.forEach((_, value) -> sum.add(value));
            assertThat(sum.sum()).isEqualTo(there).isEqualTo(42);
            LongLongMap.Cursor cursor = map.cursor();
            map.put(3, 3);
            assertThatThrownBy(cursor::moveNext).isInstanceOf(ConcurrentModificationException.class);
        }
    }

    @Test
    void swapRemove_movesTheLastNumber() {
        long there;
        {
            LongArrayList list = new LongArrayList(numbers);
            there = list.removeLong(0);
            assertThat(list.toLongArray()).containsExactly(10, 20);
        }
        try (LongList list = LongList.owning(MallocArena::ofConfined)) {
            list.addAll(numbers);
            long here = list.swapRemove(0);
            assertThat(here).isEqualTo(there);
            assertThat(list.toArray()).containsExactly(20, 10);
        }
    }

    @Test
    void text_isAKey() {
        long there;
        {
            Object2LongOpenHashMap<String> map = new Object2LongOpenHashMap<String>();
            map.addTo("saw", 3);
            there = map.getLong("saw");
        }
        try (BytesLongMap map = BytesLongMap.owning(MallocArena::ofConfined)) {
            map.addTo("saw", 3);
            assertThat(map.get("saw", 0)).isEqualTo(there);
            assertThat(map.get("a saw!".getBytes(UTF_8), 2, 3, 0)).isEqualTo(there);
        }
    }
}
