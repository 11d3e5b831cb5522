package dev.arenakit.internal;

import dev.arenakit.SlabPool;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The limit of the container, from files as the kernel shows them.
class ContainerLimitTest {
    private static final long NONE = Long.MAX_VALUE;
    private static final String V2 = "31 23 0:28 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate";
    private static final String V1 = "35 31 0:32 %s /sys/fs/cgroup/memory rw shared:7 - cgroup cgroup rw,memory";

    @TempDir
    private Path root;

    private void write(String file, String... lines) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.write(path, List.of(lines));
    }

    private void process(String group, String... mounts) throws IOException {
        write("proc/self/cgroup", "1:cpu,cpuacct:/elsewhere", group);
        write("proc/self/mountinfo", mounts);
    }

    @Test
    void byteSize_outsideOfLinux_isNone() {
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(NONE);
    }

    @Test
    void byteSize_ofVersion2_isTheSmallestLimitUpToTheMount() throws IOException {
        process("0::/system/service", "22 1 8:1 / / rw - ext4 /dev/sda rw", V2);
        write("sys/fs/cgroup/system/service/memory.max", "max");
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(NONE);
        write("sys/fs/cgroup/system/memory.max", "1000000");
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(1_000_000);
        write("sys/fs/cgroup/system/service/memory.max", "900000");
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(900_000);
        write("sys/fs/cgroup/memory.max", "800000");
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(800_000);
        write("sys/fs/memory.max", "1");
        assertThat(ContainerLimit.byteSize(root)).as("above the mount").isEqualTo(800_000);
    }

    @Test
    void byteSize_inANamespaceOfVersion2_isTheLimitOfTheMount() throws IOException {
        process("0::/", V2);
        write("sys/fs/cgroup/memory.max", "268435456");
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(268_435_456);
        // The mount is from another namespace.
        process("0::/", V2.replace(" / /sys", " /../.. /sys"));
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(268_435_456);
        // A process that was moved to a group outside of its namespace.
        process("0::/../other", V2);
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(268_435_456);
    }

    @Test
    void byteSize_ofVersion1_isTheSmallestLimitUpToTheMount() throws IOException {
        process("4:memory:/docker/1f2e", V1.formatted("/"));
        write("sys/fs/cgroup/memory/docker/1f2e/memory.limit_in_bytes", "9223372036854771712");
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(NONE);
        write("sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "5000000");
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(5_000_000);
    }

    @Test
    void byteSize_inAContainerOfVersion1_isTheLimitOfTheMount() throws IOException {
        process("4:hugetlb,memory:/docker/1f2e", V1.formatted("/docker/1f2e"));
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "4000000");
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(4_000_000);
        // The mount shows another part of the hierarchy.
        process("4:memory:/kubepods/pod1", V1.formatted("/docker/1f2e"));
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(4_000_000);
    }

    @Test
    void byteSize_ofBothVersions_isTheSmaller() throws IOException {
        write("proc/self/cgroup", "4:memory:/", "0::/");
        write("proc/self/mountinfo", V1.formatted("/"),
                "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "3000000");
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(3_000_000);
        write("sys/fs/cgroup/unified/memory.max", "2000000");
        assertThat(ContainerLimit.byteSize(root)).isEqualTo(2_000_000);
    }

    @Test
    void byteSize_ofAFileWithoutALimit_isRefusedWithTheFileAndItsContent() throws IOException {
        process("0::/", V2);
        write("sys/fs/cgroup/memory.max", "much");
        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> ContainerLimit.byteSize(root))
                .withMessage("Limit of the container cannot be read: file="
                        + root.resolve("sys/fs/cgroup/memory.max")
                        + ", content=much; set maxByteSize instead of maxContainerShare");
    }

    @Test
    void maxContainerShare_outOfRange_isRefused() {
        for (double share : new double[]{0, -0.5, 1.01, Double.NaN}) {
            assertThatIllegalArgumentException().isThrownBy(() -> SlabPool.builder().maxContainerShare(share))
                    .withMessage("Share is out of range: share=" + share + ", largest=1.0; pass a fraction of the "
                            + "container, such as 0.25");
        }
    }

    @Test
    void limit_ofAShare_isTheSmallerOne() {
        assertThat(ContainerLimit.limit(NONE, 0, 1024)).isEqualTo(NONE);
        assertThat(ContainerLimit.limit(5000, 0.5, NONE, 1024)).isEqualTo(5000);
        assertThat(ContainerLimit.limit(5000, 0.5, 8192, 1024)).isEqualTo(4096);
        assertThat(ContainerLimit.limit(4000, 0.5, 8192, 1024)).isEqualTo(4000);
        assertThatIllegalArgumentException().isThrownBy(() -> ContainerLimit.limit(NONE, 0.1, 8192, 1024))
                .withMessage("Pool cannot hold one slab: maxContainerShare=0.1, containerByteSize=8192, "
                        + "slabByteSize=1024; raise maxContainerShare or the limit of the container, or choose "
                        + "smaller slabs");
    }

    /// Needs a control group of version 1 or 2 in which this process may create another one.
    @Test
    @Tag("full")
    void build_inAControlGroup_hasAShareOfItsLimit() throws IOException {
        Path version2 = Path.of("/sys/fs/cgroup/cgroup.subtree_control");
        boolean is2 = Files.isReadable(version2) && Files.readString(version2).contains("memory");
        Path group = Path.of(is2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory",
                "arenakit-" + ProcessHandle.current().pid());
        assumeTrue(Files.isWritable(group.getParent()), "no control group can be created");
        Files.createDirectory(group);
        try {
            Files.writeString(group.resolve(is2 ? "memory.max" : "memory.limit_in_bytes"), "268435456");
            ProcessBuilder java = ChildJvm.granted().command(ShareSession.class);
            java.command()
                    .addAll(0, List.of("sh", "-c", "echo $$ > " + group.resolve("cgroup.procs")
                            + " && exec \"$@\"", "sh"));
            assertThat(ChildJvm.run(java)).isEqualTo("67108864\n");
        } finally {
            Files.delete(group);
        }
    }

    /// Prints the limit of a pool.
    static final class ShareSession {
        private ShareSession() {}

        public static void main(String[] args) {
            try (SlabPool pool = SlabPool.builder().maxContainerShare(0.25).build()) {
                System.out.println(pool.stats().maxByteSize());
            }
        }
    }
}
