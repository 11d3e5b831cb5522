package dev.arenakit.tool.where;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares the search with [WhereModel] for random types, bytes and predicates.
class WhereModelTest {
    private static final int STRUCTS = 12;

    @Test
    void search_randomPredicates_findsTheStructsOfTheModel() throws Exception {
        run(1500);
    }

    /// This test takes some minutes.
    @Test
    @Tag("slow")
    void search_aHundredThousandRandomPredicates_findsTheStructsOfTheModel() throws Exception {
        run(100_000);
    }

    private static void run(int seeds) throws Exception {
        long found = 0;
        for (int seed = 0; seed < seeds; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            RandomStructs structs = new RandomStructs(random);
            StructType type = structs.struct("S", 2);
            byte[] bytes = structs.bytes(type.byteSize() * STRUCTS);
            List<Map<String, Object>> decoded = new ArrayList<>();
            for (int i = 0; i < STRUCTS; i++) {
                decoded.add(DecodedStruct.decode(type, struct(type, bytes, i)));
            }
            String predicate = new RandomPredicates(random, decoded).predicate(3);
            List<Long> expected = check(seed, type, bytes, decoded, predicate, random);
            found += expected.size();
        }
        assertThat(found).as("matches of %d", (long) seeds * STRUCTS).isBetween(seeds * 3L, seeds * (STRUCTS - 3L));
    }

    private static List<Long> check(int seed, StructType type, byte[] bytes, List<Map<String, Object>> decoded,
            String predicate, SplittableRandom random) throws Exception {
        List<Long> expected = model(predicate, type, bytes, decoded);
        List<Long> actual = new ArrayList<>();
        Where.parse(predicate)
                .on(type)
                .search(pieces(bytes, random), 0, Long.MAX_VALUE, (index, count, _) -> add(actual, index, count));
        assertThat(actual).as("seed=%d: %s%n%s", seed, predicate, LayoutText.print(type)).isEqualTo(expected);
        return expected;
    }

    private static List<Long> model(String predicate, StructType type, byte[] bytes, List<Map<String, Object>> decoded)
            throws WhereException {
        List<Long> found = new ArrayList<>();
        for (int i = 0; i < STRUCTS; i++) {
            boolean isZero = Stream.of(struct(type, bytes, i))
                    .allMatch(struct -> struct.mismatch(
                            MemorySegment.ofArray(new byte[(int) type.byteSize()])) < 0);
            if (!isZero && new WhereModel(decoded.get(i)).test(predicate)) {
                found.add((long) i);
            }
        }
        return found;
    }

    private static boolean add(List<Long> found, long first, long count) {
        LongStream.range(first, first + count).forEach(found::add);
        return true;
    }

    private static MemorySegment struct(StructType type, byte[] bytes, long index) {
        return MemorySegment.ofArray(bytes).asSlice(index * type.byteSize(), type.byteSize());
    }

    /// A source that returns the bytes as data and zeros of random sizes.
    private static ExtentSource pieces(byte[] bytes, SplittableRandom random) {
        return (sink, skip, limit) -> {
            for (int at = 0; at < bytes.length;) {
                int size = Math.min(bytes.length - at, 1 + random.nextInt(100));
                pass(sink, MemorySegment.ofArray(bytes).asSlice(at, size));
                at += size;
            }
            return skip;
        };
    }

    private static void pass(ExtentSource.Sink sink, MemorySegment piece) throws IOException {
        if (piece.mismatch(MemorySegment.ofArray(new byte[(int) piece.byteSize()])) < 0) {
            sink.zeros(piece.byteSize());
        } else {
            sink.data(piece);
        }
    }
}
