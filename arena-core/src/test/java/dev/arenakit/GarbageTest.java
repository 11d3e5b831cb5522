package dev.arenakit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// No heap object is left behind by a warm session. Each contestant has a JVM of its own: what becomes of its objects
/// depends on what the compiler has seen of the classes, and other tests show it everything.
class GarbageTest {
    /*
     * By default compiling keeps nobody waiting, and its outcome is a matter of luck: in one JVM of a hundred on a busy
     * machine sessions leave garbage for good. In some of these C2 was seen not to inline the JDK's `reinterpretInternal`,
     * which views of memory come from: while its queue is long, C1 compiles without profiling, and a call that was not
     * counted is a rare one to C2. With this flag each thread waits for the compiler, so that no queue builds up.
     */
    private static final String COMPILE_IN_TURN = "-Xbatch";

    @ParameterizedTest
    @EnumSource
    void session_warm_leavesLessThanAByte(GarbageSession session) {
        ChildJvm.Result result = ChildJvm.onClassPath(COMPILE_IN_TURN, "--enable-native-access=ALL-UNNAMED")
                .run(GarbageSession.class, session.name());
        assertThat(result.exitCode()).as(result.output()).isZero();
        long bytes = Long.parseLong(result.output().strip());
        assertThat(bytes).as("bytes of %s sessions", GarbageSession.SESSIONS).isLessThan(GarbageSession.SESSIONS);
    }
}
