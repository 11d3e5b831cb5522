package dev.arenakit.internal.nativecall;

import dev.arenakit.layout.Programs;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static org.assertj.core.api.Assertions.assertThat;

/// The constants have the values of the C headers of this machine, and the structs have the offsets of both
/// architectures. [HeadersTest] compares all declarations where jextract is installed.
class CHeadersTest {
    @Test
    @EnabledOnOs(OS.LINUX)
    void constants_haveTheValuesOfTheHeaders(@TempDir Path directory) throws Exception {
        StringBuilder program = new StringBuilder(Files.readString(Path.of("src/jextract/libc.h")))
                .append("#include <stdio.h>\nint main(void) {\n");
        List<String> expected = new ArrayList<>();
        for (Field field : CHeaders.class.getDeclaredFields()) {
            if (field.getType() == int.class) {
                String name = field.getName();
                program.append("#ifdef ").append(name).append("\n");
                program.append("printf(\"").append(name).append(" %d\\n\", (int) ").append(name).append(");\n#endif\n");
                expected.add(name + " " + field.getInt(null));
            }
        }
        // Older headers lack some names.
        assertThat(Programs.gcc(directory, program + "return 0;\n}\n")).hasSizeGreaterThan(expected.size() - 5)
                .isSubsetOf(expected);
    }

    @Test
    void constantsThatDiffer_areChosenByTheArchitecture() {
        assertThat(CHeaders.futex("amd64")).isEqualTo(202);
        assertThat(CHeaders.futex("aarch64")).isEqualTo(98);
        assertThat(CHeaders.noFollow("amd64")).isEqualTo(0x20000);
        assertThat(CHeaders.noFollow("aarch64")).isEqualTo(0x8000);
    }

    /// Both structs have the same sizes and offsets on both architectures.
    @Test
    void structs_areThoseOfBothArchitectures() {
        assertThat(CHeaders.STATX.byteSize()).isEqualTo(256);
        assertThat(offset(CHeaders.STATX, "stx_blocks")).isEqualTo(48);
        assertThat(CHeaders.TIMESPEC.byteSize()).isEqualTo(16);
        assertThat(CHeaders.FLOCK.byteSize()).isEqualTo(32);
        assertThat(offset(CHeaders.FLOCK, "l_whence")).isEqualTo(2);
        assertThat(offset(CHeaders.FLOCK, "l_start")).isEqualTo(8);
        assertThat(offset(CHeaders.FLOCK, "l_len")).isEqualTo(16);
        assertThat(offset(CHeaders.FLOCK, "l_pid")).isEqualTo(24);
    }

    private static long offset(StructLayout struct, String member) {
        return struct.byteOffset(groupElement(member));
    }
}
