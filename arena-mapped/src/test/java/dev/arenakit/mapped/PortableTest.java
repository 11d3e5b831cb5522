package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests where native access is denied, and on a system that the library does not know, which properties of the JVM
/// pretend. The JDK does not use these properties.
class PortableTest extends InDirectory {
    private static final List<String> NEED_NATIVE_CALLS = List.of("reserved", "randomAccess", "free", "advise",
            "prefault", "residentBytes");

    PortableTest() throws IOException {
        super(TestFileSystem.BUILD);
    }

    @Test
    void use_nativeAccessDenied_namesTheFlagEachTime() throws Exception {
        check(ChildJvm.onModulePath(ChildJvm.DENY, "-Xmx64m").command(PortableChild.class, base.toString()),
                "IllegalCallerException: Native access is denied: module=dev.arenakit; "
                        + "start java with --enable-native-access=dev.arenakit");
    }

    @Test
    void use_unknownSystem_namesSystemAndArchitectureEachTime() throws Exception {
        check(ChildJvm.granted("-Dos.name=Plan 9", "-Dos.arch=riscv64").command(PortableChild.class, base.toString()),
                "UnsupportedOperationException", "Linux x86-64 and aarch64 only",
                "system=Plan 9, architecture=riscv64");
    }

    private void check(ProcessBuilder command, String... expected) throws Exception {
        List<String> lines = ChildJvm.run(command).lines().toList();
        assertThat(lines).as("each is called twice").hasSize(2 * NEED_NATIVE_CALLS.size());
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i)).startsWith(NEED_NATIVE_CALLS.get(i % NEED_NATIVE_CALLS.size()) + " java.lang.")
                    .contains(expected);
        }
        assertThat(TestFileSystem.names(directory)).noneMatch(name -> name.startsWith("other"));
    }
}
