package dev.arenakit.bench.guides;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.SlabPool;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Runs the program of `docs/faq.md`.
class FaqTest {
    @AutoClose
    private static final SlabPool POOL = SlabPool.create();

    private static long sum(MemorySegment numbers) {
        return LongStream.of(numbers.toArray(JAVA_LONG)).sum();
    }

    private static String withoutIndentation(String code) {
        return code.strip().replaceAll("\n +", "\n");
    }

    @Test
    void block_isOfATest() throws IOException {
        Guide guide = Guide.page("faq.md", FaqTest.class);
        String source = withoutIndentation(String.join("", guide.methods()));
        assertThat(guide.blocks()).singleElement()
                .satisfies(block -> assertThat(source).contains(withoutIndentation(block)));
    }

    @Test
    void detach_handsTheMemoryOver() throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
                SlabArena arena = POOL.openConfined()) {
            MemorySegment numbers = arena.allocateFrom(JAVA_LONG, 40, 2);
            assertThatThrownBy(executor.submit(() -> sum(numbers))::get)
                    .hasCauseInstanceOf(WrongThreadException.class);
            SlabParcel parcel = arena.detach();
            Future<Long> sum = executor.submit(() -> {
                try (SlabArena _ = parcel.attach()) {
                    return sum(parcel.segment(numbers));
                }
            });
            assertThat(sum.get()).isEqualTo(42);
        }
    }
}
