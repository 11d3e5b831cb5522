package dev.arenakit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// No heap object is left behind by a warm session. Each contestant has a JVM of its own: what becomes of its objects
/// depends on what the compiler has seen of the classes, and other tests show it everything.
class GarbageTest {

    @ParameterizedTest
    @EnumSource
    void session_warm_leavesLessThanAByte(GarbageSession session) {
        ChildJvm.Result result = ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED")
                .run(GarbageSession.class,
                        session.name());
        assertThat(result.exitCode()).as(result.output()).isZero();
        long bytes = Long.parseLong(result.output().strip());
        assertThat(bytes).as("bytes of %s sessions", GarbageSession.SESSIONS).isLessThan(GarbageSession.SESSIONS);
    }
}
