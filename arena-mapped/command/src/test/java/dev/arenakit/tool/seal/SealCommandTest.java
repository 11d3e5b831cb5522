package dev.arenakit.tool.seal;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests `arena seal`, and `arena verify --data`.
class SealCommandTest extends InSharedMemory {
    private static final int COULD_NOT_READ = 3;

    private ToolRun seal(String... args) {
        return onBase("seal", args);
    }

    private ToolRun verifyData() {
        return ToolRun.of("verify", "--data", base.toString());
    }

    private void flip(int file, long position) throws IOException {
        try (FileChannel channel = FileChannel.open(base.resolveSibling("memory-" + file), StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, position);
            channel.write(one.put(0, (byte) (one.get(0) ^ 4)).rewind(), position);
        }
    }

    @Test
    @Tag("full")
    void seal_imageOfAKilledProcess_verifiesUntilABitFlips() throws IOException, InterruptedException {
        TestImage.killed(base);
        ToolRun sealed = seal().succeeds();
        assertThat(sealed.out()).isEqualTo(base + ": sealed 4 allocations of 9.0 MiB\n");
        assertThat(ToolRun.of("verify", base.toString()).out()).isEqualTo(
                base + ": no problem in 5 allocations of 9.0 MiB; closed; 4 sealed, which --data compares\n");
        assertThat(verifyData().exits(0).out())
                .isEqualTo(base + ": no problem in 5 allocations of 9.0 MiB; closed; compared 4 sealed allocations\n");

        flip(0, 7L * TestImage.BYTES + 3);
        flip(2, (5 << 20) + 1);
        ToolRun damaged = verifyData().exits(1);
        assertThat(damaged.out().lines()).satisfiesExactly(
                line -> assertThat(line).matches("\\Q" + base
                        + "\\E: trades: bytes 0x0\\.\\.0x7cff differ from the seal of \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d;"
                        + " structs \\[0\\.\\.999]"),
                line -> assertThat(line)
                        .startsWith(base + ": prices: bytes 0x500000..0x5fffff differ from the seal of ")
                        .endsWith("; structs [655360..786431]"),
                line -> assertThat(line).isEqualTo(base + ": 2 problems; compared 4 sealed allocations"));
        assertThat(ToolRun.of("verify", base.toString()).exitCode()).isZero();
        assertThat(seal("trades", "prices").exitCode()).isZero();
        assertThat(verifyData().exitCode()).isZero();
    }

    @Test
    void seal_namedAllocations_sealsNoOthers() throws IOException {
        TestImage.chunked(base);
        String untyped = TestImage.label(base, 3);
        assertThat(seal("trades", untyped).out()).isEqualTo(base + ": sealed 2 allocations of 1.0 MiB\n");
        assertThat(verifyData().out()).endsWith("; compared 2 sealed allocations, 1 not sealed\n");
        assertThat(verifyData().exitCode()).isZero();
    }

    @Test
    void seal_grownAllocation_isANote() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("values", JAVA_LONG, 1000).fill((byte) 1);
            arena.names().seal("values");
            arena.names().resize("values", 2000).fill((byte) 1);
            assertThat(verifyData().exits(0).out()).contains(
                    ": note: values: Bytes were added after the seal, and are not compared: byteSize=8000, sealed=");
        }
    }

    @Test
    void seal_refused_saysWhyAndSealsNothing() throws IOException {
        assertThat(seal().exits(1).err()).isEqualTo("arena: " + base + ": no such image\n");
        TestImage.closed(base);
        ToolRun unknown = seal("trades", "nothing", TestImage.label(base, 1)).exits(1);
        assertThat(unknown.err().lines()).containsExactly(
                "arena: " + base + ": no allocation named nothing (try arena ls)",
                "arena: " + base + ": old was freed, and cannot be sealed");
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            arena.allocate(8);
            ToolRun owned = seal().exits(1);
            assertThat(owned.err()).hasLineCount(1)
                    .contains("Image is owned by this process", "InfiniteArena.names().seal");
        }
        assertThat(verifyData().out()).contains("; compared 0 sealed allocations, 4 not sealed");
        assertThat(ToolRun.of("seal").exitCode()).isEqualTo(2);
    }

    @Test
    void seal_imageOfARunningProcess_namesIt() throws IOException, InterruptedException {
        Process owner = new ProcessBuilder(TestImage.command(base)).redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(owner.inputReader().readLine()).isEqualTo("ready");
            assertThat(seal().exits(1).err()).hasLineCount(1)
                    .contains("Image is owned by another process: base=" + base + ", pid=" + owner.pid())
                    .contains(
                            "wait until that process closes the image or ends, or seal in it with InfiniteArena.names().seal");
            assertThat(ToolRun.of("verify", "--data", base.toString()).out()).contains("compared 0 sealed allocations");
        } finally {
            owner.destroyForcibly();
            owner.waitFor();
        }
    }

    @Test
    void verifyData_missingOrTruncatedFile_isReported() throws IOException {
        TestImage.closed(base);
        seal();
        Files.delete(base.resolveSibling("memory-0"));
        TestImage.truncate(base.resolveSibling("memory-3"), 7);
        String label = TestImage.label(base, 3);
        assertThat(verifyData().exits(1).out()).contains(": trades: Data file is missing",
                label + ": bytes 0x0..0xfffff differ",
                label + ": Data file is truncated", "; compared 2 sealed allocations");
        assertThat(seal().exits(1).err()).hasLineCount(1)
                .contains("reason=No such file or directory, path=", "memory-0");
        Files.deleteIfExists(base.resolveSibling("memory.catalog"));
        assertThat(verifyData().exitCode()).isEqualTo(COULD_NOT_READ);
    }
}
