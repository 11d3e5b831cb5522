package dev.arenakit.mapped.internal.arena;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class IdentityCacheTest {

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
