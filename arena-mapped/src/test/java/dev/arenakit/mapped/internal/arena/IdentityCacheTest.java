package dev.arenakit.mapped.internal.arena;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class IdentityCacheTest {
    @Test
    void get_sameKey_computesOnce() {
        IdentityCache<StructType, Integer> cache = new IdentityCache<>();
        AtomicInteger computed = new AtomicInteger();
        List<StructType> types = IntStream.range(0, 20)
                .mapToObj(i -> StructType.wrapperOf(ValueType.of(i % 2 == 0 ? int.class : long.class)))
                .toList();
        for (int round = 0; round < 3; round++) {
            for (StructType type : types) {
                assertThat(cache.get(type, _ -> computed.incrementAndGet())).isPositive();
            }
        }
        assertThat(computed).as("keys are compared by identity").hasValueBetween(types.size(), types.size() + 4);
    }

    @Test
    void get_manyKeys_keepsFewOfThem() throws Exception {
        IdentityCache<Object, String> cache = new IdentityCache<>();
        List<WeakReference<Object>> keys = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            Object key = new Object();
            assertThat(cache.get(key, Object::toString)).isEqualTo(key.toString());
            keys.add(new WeakReference<>(key));
        }
        System.gc();
        TimeUnit.MILLISECONDS.sleep(10);
        assertThat(keys.stream().filter(key -> key.get() != null).count()).isLessThanOrEqualTo(256);
    }
}
