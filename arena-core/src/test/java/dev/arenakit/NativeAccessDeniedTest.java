package dev.arenakit;

import dev.arenakit.diagnostics.AllocationFaults;
import dev.arenakit.diagnostics.DebugArena;
import dev.arenakit.diagnostics.DebugOptions;
import dev.arenakit.diagnostics.FaultyArena;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.testing.ChildJvm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The exceptions and warnings when native access is denied, or not granted.
class NativeAccessDeniedTest {
    private static final String DENY = "--illegal-native-access=deny";

    @Test
    void anyEntry_onTheClassPath_namesTheFlagOnEveryCall() {
        assertAllDenied(ChildJvm.onClassPath(DENY), "unnamed (class path)", "ALL-UNNAMED");
    }

    @Test
    @Tag("full")
    void anyEntry_onTheModulePath_namesTheFlagOnEveryCall() {
        assertAllDenied(ChildJvm.onModulePath(DENY), "dev.arenakit", "dev.arenakit");
    }

    private static void assertAllDenied(ChildJvm jvm, String module, String granted) {
        assumeTrue(PageMappings.isSupported(), "some entries need anonymous mappings");
        ChildJvm.Result result = jvm.run(Denied.class);
        assertThat(result.output().lines()).hasSize(Denied.CALLS * Denied.ENTRIES.size())
                .allSatisfy(
                        line -> assertThat(line).endsWith("java.lang.IllegalCallerException: Native access is denied: "
                                + "module=" + module + "; start java with --enable-native-access=" + granted));
        assertThat(result.exitCode()).isZero();
    }

    @Test
    @Tag("full")
    void anyEntry_whereAccessIsAllowed_passesInSilence() {
        assertThat(List.of(ChildJvm.onClassPath(DENY, "--enable-native-access=ALL-UNNAMED"),
                ChildJvm.onModulePath(DENY, "--enable-native-access=dev.arenakit"),
                ChildJvm.onClassPath("--illegal-native-access=allow")))
                .allSatisfy(jvm -> assertThat(jvm.run(Denied.class).output().lines())
                        .hasSize(Denied.CALLS * Denied.ENTRIES.size())
                        .allSatisfy(line -> assertThat(line).endsWith("passed")));
    }

    @Test
    @Tag("full")
    void anyEntry_withoutAFlag_passesAndJavaWarnsOnce() {
        assertThat(List.of(ChildJvm.onClassPath().run(Denied.class), ChildJvm.onModulePath().run(Denied.class)))
                .allSatisfy(result -> {
                    assertThat(result.output().lines().filter(line -> line.endsWith("passed")))
                            .hasSize(Denied.CALLS * Denied.ENTRIES.size());
                    assertThat(result.output()).containsOnlyOnce("WARNING: A restricted method");
                    assertThat(result.exitCode()).isZero();
                });
    }

    @Test
    void poolOrAllocator_whereAccessIsDenied_isCreated() {
        assertThat(ChildJvm.onClassPath(DENY).run(Created.class)).isEqualTo(new ChildJvm.Result(0, "created\n"));
    }

    /// The child process: creates what asks for native access later.
    static final class Created {
        public static void main(String[] args) {
            SlabPool pool = SlabPool.builder().allocator(NativeAllocator.libc()).build();
            System.out.println(pool.stats().openArenas() == 0 && pool.trim() == 0 ? "created" : pool);
            pool.close();
            SlabPool.create().close();
        }
    }

    /// The child process: calls each entry point ten times and prints the results.
    static final class Denied {
        static final int CALLS = 10;
        static final List<Supplier<Object>> ENTRIES = List.of(MallocArena::ofConfined, MallocArena::ofShared,
                () -> MallocArena.builder().build(), () -> MallocArena.builder().shared().checked().build(),
                Holder.POOL::openConfined, Holder.POOL::openShared,
                () -> SlabPool.builder().maxByteSize(1 << 20).build().openConfined(),
                () -> NativeAllocator.libc().allocate(8, 8), () -> RecordMapper.of(Node.class),
                () -> DebugArena.wrap(Arena.ofConfined(), DebugOptions.canaries()),
                () -> DebugArena.wrap(Arena.ofConfined(), DebugOptions.behind()),
                () -> FaultyArena.wrap(Arena.ofConfined(), AllocationFaults.nth(1)));

        /// As in most programs.
        private static final class Holder {
            static final SlabPool POOL = SlabPool.create();

        }

        record Node(@TargetByteSize(8) MemorySegment next) {}

        public static void main(String[] args) {
            for (int entry = 0; entry < ENTRIES.size(); entry++) {
                for (int call = 1; call <= CALLS; call++) {
                    System.out.println("entry " + entry + ", call " + call + ": " + outcome(ENTRIES.get(entry)));
                }
            }
        }

        private static String outcome(Supplier<Object> entry) {
            try {
                return entry.get() == null ? "null" : "passed";
            } catch (Throwable t) {
                return t.toString();
            }
        }
    }
}
