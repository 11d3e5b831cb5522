package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// A warm session creates no garbage on the heap. Each session has a JVM of its own: escape analysis depends on the
/// profile of the classes, which other tests would change.
@Tag("full")
class GarbageTest {
    /*
     * By default the compiler runs in the background, and its result depends on timing: in one JVM of a hundred on a
     * busy machine, sessions create garbage permanently. In some of these, C2 did not inline the JDK's
     * `reinterpretInternal`, which creates views of memory: while the queue of C2 is long, C1 compiles without
     * profiling, and C2 takes a call that was not counted for a rare one. With this flag each thread waits for the
     * compiler, so that no queue builds up.
     */
    private static final String COMPILE_IN_FOREGROUND = "-Xbatch";

    @ParameterizedTest
    @EnumSource
    void session_warm_createsNoGarbage(GarbageSession session) {
        ChildJvm.Result result = ChildJvm
                .onClassPath(ChildJvm.OPTIMIZING, COMPILE_IN_FOREGROUND, "--enable-native-access=ALL-UNNAMED")
                .run(GarbageSession.class, session.name());
        assertThat(result.exitCode()).as(result.output()).isZero();
        long bytes = Long.parseLong(result.output().strip());
        assertThat(bytes).as("bytes of %s sessions", GarbageSession.SESSIONS)
                .isLessThan((long) session.mostBytes() * GarbageSession.SESSIONS);
    }
}
