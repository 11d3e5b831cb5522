package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Blocks of checked arenas that are allocated while the arena is being closed.
class CheckedCloseTest {
    static Stream<Named<Supplier<Arena>>> arenas() {
        return Stream.of(Named.of("MallocArena", () -> MallocArena.builder().shared().checked().build()),
                Named.of("FreeListArena", () -> FreeListArena.builder().shared().checked().build()));
    }

    @ParameterizedTest
    @MethodSource("arenas")
    void close_whenABlockOfACleanupIsInUse_leavesTheArenaOpen(Supplier<Arena> open) throws InterruptedException {
        Arena arena = open.get();
        MemorySegment[] late = new MemorySegment[1];
        CountDownLatch inUse = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        Thread user = new Thread(() -> ScopeAccess.runWhileInUse(late[0], () -> {
            inUse.countDown();
            await(finish);
        }));
        ScopeAccess.addCleanup(arena.allocate(100, 8).scope(), () -> {
            late[0] = arena.allocate(100, 8).fill((byte) 7);
            user.start();
            await(inUse);
        });
        assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
        assertThat(arena.scope().isAlive()).isTrue();
        assertThat(late[0].get(JAVA_BYTE, 99)).isEqualTo((byte) 7);
        arena.allocate(100, 8).fill((byte) 1);
        finish.countDown();
        user.join();
        arena.close();
        assertThat(late[0].scope().isAlive()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("arenas")
    void close_whenABlockOfACleanupIsNotInUse_endsItToo(Supplier<Arena> open) {
        Arena arena = open.get();
        MemorySegment[] late = new MemorySegment[1];
        ScopeAccess.addCleanup(arena.allocate(100, 8).scope(), () -> late[0] = arena.allocate(100, 8));
        arena.close();
        assertThat(late[0].scope().isAlive()).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
