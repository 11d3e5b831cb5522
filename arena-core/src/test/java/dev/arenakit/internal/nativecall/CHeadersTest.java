package dev.arenakit.internal.nativecall;

import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static org.assertj.core.api.Assertions.assertThat;

/// The constants are equal to a table of the values in the headers of both architectures. [HeadersTest]
/// compares them with the headers of this machine.
class CHeadersTest {
    /// `name x86-64 aarch64`
    private static final String TABLE = """
            O_RDONLY             0          0
            O_RDWR               2          2
            O_NONBLOCK           0x800      0x800
            O_NOFOLLOW           0x20000    0x8000
            O_CLOEXEC            0x80000    0x80000
            F_OFD_GETLK          36         36
            F_OFD_SETLK          37         37
            F_RDLCK              0          0
            F_WRLCK              1          1
            F_UNLCK              2          2
            SEEK_SET             0          0
            SEEK_END             2          2
            SEEK_DATA            3          3
            SEEK_HOLE            4          4
            FALLOC_FL_KEEP_SIZE  1          1
            FALLOC_FL_PUNCH_HOLE 2          2
            PROT_NONE            0          0
            PROT_READ            1          1
            PROT_WRITE           2          2
            PROT_EXEC            4          4
            MAP_SHARED           1          1
            MAP_PRIVATE          2          2
            MAP_FIXED            0x10       0x10
            MAP_ANONYMOUS        0x20       0x20
            MAP_NORESERVE        0x4000     0x4000
            MADV_NORMAL          0          0
            MADV_RANDOM          1          1
            MADV_SEQUENTIAL      2          2
            MADV_WILLNEED        3          3
            MADV_DONTNEED        4          4
            MADV_HUGEPAGE        14         14
            MADV_NOHUGEPAGE      15         15
            MADV_PAGEOUT         21         21
            MADV_POPULATE_WRITE  23         23
            MS_SYNC              4          4
            _SC_PAGESIZE         30         30
            ENOENT               2          2
            EINTR                4          4
            ENXIO                6          6
            EAGAIN               11         11
            ENOMEM               12         12
            EACCES               13         13
            EFAULT               14         14
            EINVAL               22         22
            EFBIG                27         27
            ENOSPC               28         28
            ENOSYS               38         38
            EOPNOTSUPP           95         95
            EDQUOT               122        122
            SYS_futex            202        98
            FUTEX_WAIT           0          0
            FUTEX_WAKE           1          1
            AT_EMPTY_PATH        0x1000     0x1000
            STATX_BLOCKS         0x400      0x400
            """;

    private static Stream<String[]> rows() {
        return TABLE.lines().map(line -> line.split(" +"));
    }

    @Test
    void constants_areThoseOfTheTable() throws ReflectiveOperationException {
        int column = System.getProperty("os.arch").equals("aarch64") ? 2 : 1;
        Set<String> constants = new HashSet<>();
        for (Field field : CHeaders.class.getDeclaredFields()) {
            if (field.getType() == int.class) {
                constants.add(field.getName());
            }
        }
        assertThat(rows().map(row -> row[0])).containsExactlyInAnyOrderElementsOf(constants);
        for (String[] row : rows().toList()) {
            assertThat(CHeaders.class.getDeclaredField(row[0]).getInt(null)).as(row[0])
                    .isEqualTo(Integer.decode(row[column]));
        }
    }

    @Test
    void constantsThatDiffer_areChosenByTheArchitecture() {
        assertThat(rows().filter(row -> !row[1].equals(row[2])).map(row -> row[0])).containsExactly("O_NOFOLLOW",
                "SYS_futex");
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
