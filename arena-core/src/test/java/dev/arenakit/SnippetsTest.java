package dev.arenakit;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/// The snippets of the documentation work.
class SnippetsTest {
    @Test
    void pool_sumsAcrossItsCopy() {
        assertThat(Snippets.sum(new long[]{1, 20, 300})).isEqualTo(321);
        assertThat(Snippets.POOL.stats().openArenas()).isZero();
    }

    @Test
    void malloc_runs() {
        assertThatCode(Snippets::malloc).doesNotThrowAnyException();
    }

    @Test
    void adopt_copiesTheText() {
        assertThat(Snippets.adopt("text")).isEqualTo("text");
    }

    @Test
    void release_keepsTheStringInTheEnvironment() {
        Snippets.release("ARENAKIT_SNIPPET=of C");
        assertThat(CStrings.getenv("ARENAKIT_SNIPPET")).isEqualTo("of C");
    }

    @Test
    void freeListArena_runs() {
        assertThatCode(Snippets::freeListArena).doesNotThrowAnyException();
    }

    @Test
    void offsetAllocator_keepsTheValue() {
        try (Arena arena = Arena.ofConfined()) {
            assertThat(Snippets.offsetAllocator(arena.allocate(1 << 20))).isEqualTo(42);
        }
    }

    @Test
    void frames_keepTheResultOfAllNames() {
        try (SlabPool pool = SlabPool.create()) {
            assertThat(Snippets.frames(pool, List.of("one", "three", ""))).isEqualTo(8);
        }
    }

    @Test
    void handOver_answersInAnotherThread() throws Exception {
        try (SlabPool pool = SlabPool.create()) {
            ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
            assertThat(Snippets.handOver(pool, executor, "a question").get()).isEqualTo("Answer to a question");
            executor.close();
            assertThatExceptionOfType(RejectedExecutionException.class)
                    .isThrownBy(() -> Snippets.handOver(pool, executor, "another one"));
            assertThat(pool.stats().openArenas()).isZero();
        }
    }

    @Test
    void shutdown_withoutArenas_closesThePool() throws InterruptedException {
        assertThat(Snippets.stop(SlabPool.create())).isTrue();
    }

    @Test
    void budget_countsTheBlock() {
        assertThat(Snippets.budget()).isEqualTo(1 << 20);
    }

    @Test
    void statistics_nameTheOpenPools() {
        assertThat(Snippets.statistics()).contains(Snippets.POOL.toString());
    }

    @Test
    void failing_refusesTheLargeBlock() {
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(Snippets::failing)
                .withMessageContaining("tried=malloc");
    }

    @Test
    void allocator_alignsToAPage() {
        Path library = NativeAllocatorLibraryTest.find("libmimalloc2.0", "libmimalloc.so.2");
        assertThat(Snippets.allocator(library) % 4096).isZero();
    }
}
