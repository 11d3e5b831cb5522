package dev.arenakit.mapped.internal.files;

import dev.arenakit.internal.Sizes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class PageSizeTest {
    @TempDir
    Path directory;

    @Test
    void bytes_onThisMachine_isThePageSizeOfTheKernel() throws IOException {
        assertThat(Sizes.isPowerOfTwo(PageSize.BYTES)).isTrue();
        Path smaps = Path.of("/proc/self/smaps");
        assumeTrue(Files.isReadable(smaps), "needs Linux");
        Pattern line = Pattern.compile("(?m)^KernelPageSize: +(\\d+) kB$");
        long smallest = line.matcher(Files.readString(smaps))
                .results()
                .map(MatchResult::group)
                .mapToLong(text -> Long.parseLong(text.replaceAll("\\D", "")))
                .min()
                .orElseThrow();
        assertThat(PageSize.BYTES).isEqualTo(smallest << 10);
    }

    @Test
    void read_largePages_findsTheirSize() throws IOException {
        assertThat(PageSize.read(vector(3, 1L << 40, 6, 65_536, 0, 0))).isEqualTo(65_536);
    }

    @Test
    void read_nothingUsable_isTheSmallest() throws IOException {
        assertThat(PageSize.read(directory.resolve("missing"))).isEqualTo(4096);
        assertThat(PageSize.read(vector())).isEqualTo(4096);
        assertThat(PageSize.read(vector(6))).isEqualTo(4096);
        assertThat(PageSize.read(vector(6, 12_345, 0, 0))).isEqualTo(4096);
        assertThat(PageSize.read(vector(3, 6, 16_384, 3))).isEqualTo(4096);
    }

    private Path vector(long... entries) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(entries.length * Long.BYTES).order(ByteOrder.nativeOrder());
        bytes.asLongBuffer().put(entries);
        return Files.write(directory.resolve("auxv"), bytes.array());
    }
}
