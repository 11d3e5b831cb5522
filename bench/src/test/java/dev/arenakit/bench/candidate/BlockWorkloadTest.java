package dev.arenakit.bench.candidate;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BlockWorkloadTest {
    @Test
    void mixedSizes_areWithinTheirBoundsAndAlwaysTheSame() {
        List<Long> sizes = LongStream.of(BlockWorkload.mixedSizes()).boxed().toList();

        assertThat(sizes).hasSize(100)
                .startsWith(90L, 388L, 430L, 58L)
                .allSatisfy(size -> assertThat(size).isBetween(16L, 512L));
    }
}
