package dev.arenakit.examples.pools;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.examples.Page;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Runs the metrics of `docs/servers.md` with the libraries that they are for.
class PoolMetricsTest {
    private static final long SLAB = 65_536;

    @AutoClose
    private final SlabPool pool = SlabPool.builder()
            .name("requests")
            .maxByteSize(SLAB)
            .openTimeout(Duration.ofMillis(2))
            .build();
    @AutoClose
    private final SlabPool withoutName = SlabPool.create();

    /// An open that waits until it is refused.
    @BeforeEach
    void waitOnce() {
        try (SlabArena _ = pool.openConfined()) {
            assertThatThrownBy(pool::openConfined).isInstanceOf(CapacityExceededException.class);
        }
    }

    @Test
    void micrometer_ofAPool_readsItsStatistics() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        PoolMetrics.bind(pool, registry);
        try (SlabArena _ = pool.openConfined()) {
            assertThat(registry.get("arenakit.pool.open.arenas").tag("pool", "requests").gauge().value()).isEqualTo(1);
            assertThat(registry.get("arenakit.pool.used.bytes").gauge().value()).isEqualTo(SLAB);
        }
        assertThat(registry.get("arenakit.pool.idle.bytes").gauge().value()).isEqualTo(SLAB);
        assertThat(registry.get("arenakit.pool.waiting.threads").gauge().value()).isZero();
        assertThat(registry.get("arenakit.pool.refusals").functionCounter().count()).isEqualTo(1);
        assertThat(registry.get("arenakit.pool.waits").functionTimer().count()).isEqualTo(1);
        assertThat(registry.get("arenakit.pool.waits").functionTimer().totalTime(TimeUnit.MILLISECONDS))
                .isGreaterThanOrEqualTo(2);
    }

    @Test
    void prometheus_ofTheProcess_hasTheHistogramOfWaits() throws IOException {
        PrometheusRegistry registry = new PrometheusRegistry();
        MultiCollector pools = PoolMetrics::collect;
        registry.register(pools);
        ByteArrayOutputStream scraped = new ByteArrayOutputStream();
        try (SlabArena _ = pool.openConfined()) {
            PrometheusTextFormatWriter.create().write(scraped, registry.scrape());
        }
        assertThat(scraped.toString(StandardCharsets.UTF_8).lines()).contains(
                "arenakit_pool_used_bytes{pool=\"requests\"} 65536.0",
                "arenakit_pool_wait_seconds_bucket{pool=\"requests\",le=\"0.001\"} 0",
                "arenakit_pool_wait_seconds_bucket{pool=\"requests\",le=\"+Inf\"} 1",
                "arenakit_pool_wait_seconds_count{pool=\"requests\"} 1")
                .noneMatch(line -> line.contains("pool=\"\""));
    }

    @Test
    void blocksOfThePage_areOfTheProgram() throws IOException {
        String program = Page.withoutIndentation(
                Page.read(Path.of("src/test/java/dev/arenakit/examples/pools/PoolMetrics.java")).text());
        List<String> blocks = Page.read(Path.of("..", "docs", "servers.md")).blocks("java").subList(2, 4);
        assertThat(blocks).hasSize(2)
                .allSatisfy(block -> assertThat(program).contains(Page.withoutIndentation(block).strip()));
    }
}
