package dev.arenakit.tool.find;

import dev.arenakit.dump.ExtentSource;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ByteScanTest {
    @Test
    void search_randomExtents_findsWhatAScanOfAllBytesFinds() throws Exception {
        int found = 0;
        for (int seed = 0; seed < 2000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] bytes = bytes(random);
            String pattern = pattern(random);
            List<Long> expected = model(bytes, pattern);
            List<Long> actual = new ArrayList<>();
            ByteScan.search(extents(bytes, random), BytePattern.parse(pattern), 0, Long.MAX_VALUE, actual::add);
            assertThat(actual).as("seed=%d, pattern=%s, bytes=%s", seed, pattern, HexFormat.of().formatHex(bytes))
                    .isEqualTo(expected);
            found += expected.size();
        }
        assertThat(found).isGreaterThan(5000);
    }

    @Test
    void search_matchAcrossALargePiece_isFoundOnce() throws Exception {
        byte[] bytes = new byte[300_000];
        for (int at : new int[]{0, (1 << 17) - 3, (1 << 17) - 1, (1 << 17) + 1, bytes.length - 4}) {
            bytes[at] = 1;
            bytes[at + 1] = 2;
        }
        List<Long> found = new ArrayList<>();
        ByteScan.search(ExtentSource.of(MemorySegment.ofArray(bytes)), BytePattern.parse("01 02 ??"), 0, Long.MAX_VALUE,
                found::add);
        assertThat(found).containsExactly(0L, (1L << 17) - 3, (1L << 17) - 1, (1L << 17) + 1, bytes.length - 4L);
    }

    private static byte[] bytes(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(200)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Math.max(0, random.nextInt(6) - 3);
        }
        int from = random.nextInt(bytes.length + 1);
        int to = from + random.nextInt(bytes.length - from + 1);
        for (int i = from; i < to; i++) {
            bytes[i] = 0;
        }
        return bytes;
    }

    private static String pattern(SplittableRandom random) {
        StringBuilder pattern = new StringBuilder();
        int length = 1 + random.nextInt(6);
        for (int i = 0; i < length; i++) {
            pattern.append(List.of("00", "01", "02", "??", "0?", "?1").get(random.nextInt(6)));
        }
        return pattern.toString().matches("0*") ? "01" : pattern.toString();
    }

    private static List<Long> model(byte[] bytes, String pattern) {
        List<Long> found = new ArrayList<>();
        String hex = HexFormat.of().formatHex(bytes);
        for (int at = 0; at + pattern.length() <= hex.length(); at += 2) {
            String there = hex.substring(at, at + pattern.length());
            if (there.matches(pattern.replace("?", ".")) && !there.matches("0*")) {
                found.add(at / 2L);
            }
        }
        return found;
    }

    /// Extents of random sizes. Extents of zeros are holes or data.
    private static ExtentSource extents(byte[] bytes, SplittableRandom random) {
        return (sink, skip, limit) -> {
            for (int at = 0; at < bytes.length;) {
                int size = Math.min(bytes.length - at, 1 + random.nextInt(40));
                MemorySegment extent = MemorySegment.ofArray(bytes).asSlice(at, size);
                if (extent.mismatch(MemorySegment.ofArray(new byte[size])) < 0 && random.nextInt(3) > 0) {
                    sink.zeros(size);
                } else {
                    sink.data(extent);
                }
                at += size;
            }
            return skip;
        };
    }
}
