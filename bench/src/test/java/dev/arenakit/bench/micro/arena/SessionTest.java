package dev.arenakit.bench.micro.arena;

import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.candidate.WorkloadState;
import java.lang.foreign.Arena;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SessionTest {
    @Test
    void peers_returnWhatTheWorkloadReturnsInAnArena() {
        WorkloadState work = new WorkloadState();
        work.workload = BlockWorkload.HUNDRED_MIXED;
        work.create();
        long expected;
        try (Arena arena = Arena.ofConfined()) {
            expected = work.run(arena);
        }
        Session session = new Session();
        Session.OfMalloc malloc = new Session.OfMalloc();
        Session.WithUnsafe netty = new Session.WithUnsafe();
        Session.OfLwjgl lwjgl = new Session.OfLwjgl();
        Stream<ToLongFunction<WorkloadState>> peers = Stream.of(each -> session.mallocCritical(each, malloc),
                each -> session.nettyAdaptiveEventLoop(each, netty), each -> session.lwjglStack(each, lwjgl),
                each -> session.lwjglAlloc(each, lwjgl));

        assertThat(expected).isEqualTo(99 * 100 / 2);
        assertThat(peers.map(peer -> peer.applyAsLong(work))).hasSize(4).containsOnly(expected);
    }
}
