package dev.arenakit.arrow;

import dev.arenakit.arrow.internal.cdata.CDataState;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Structs of random types have the same values in Arrow as in Java.
@Tag("full")
class ArrowTypesTest {
    private static final int SEEDS = 100;
    private static final int MANY_SEEDS = 5000;

    @Test
    void rows_ofRandomTypes_areWhatJavaReads() throws IOException {
        check(0, SEEDS);
    }

    @Test
    @Tag("slow")
    void rows_ofManyRandomTypes_areWhatJavaReads() throws IOException {
        check(SEEDS, MANY_SEEDS);
    }

    private static void check(int from, int to) throws IOException {
        for (int seed = from; seed < to; seed++) {
            RandomStruct structs = new RandomStruct(seed);
            StructType type = structs.type(2);
            if (type.byteSize() > 0) {
                check(seed, structs, type);
            }
        }
    }

    private static void check(int seed, RandomStruct structs, StructType type) throws IOException {
        Random random = new Random(seed);
        int rows = random.nextInt(40);
        try (Arena arena = Arena.ofShared()) {
            // The first byte is not aligned.
            MemorySegment segment = arena.allocate(1 + rows * type.byteSize()).asSlice(1);
            List<List<@Nullable Object>> expected = new ArrayList<>();
            for (int i = 0; i < rows; i++) {
                MemorySegment struct = segment.asSlice(i * type.byteSize(), type.byteSize());
                structs.fill(type, struct);
                expected.add(JavaValues.columns(type, struct));
            }
            int batchRows = 1 + random.nextInt(rows + 2);
            ArrowIpc stream = ArrowIpc.stream(type).withBatchRows(batchRows);
            byte[] written = written(stream, segment);
            assertThat(ArrowRows.ofStream(written).rows()).as("seed %d, type %s", seed, type).isEqualTo(expected);
            assertThat(inPieces(stream, type, segment, random)).as("seed %d", seed).isEqualTo(written);
            String[] texts = type.members()
                    .stream()
                    .filter(member -> member.type() instanceof StringType)
                    .map(Member::name)
                    .toArray(String[]::new);
            byte[] file = written(ArrowIpc.file(type).withBatchRows(batchRows).withTextDictionaries(texts), segment);
            assertThat(ArrowRows.ofFile(file).rows()).as("seed %d, type %s", seed, type).isEqualTo(expected);
            checkC(seed, type, segment, batchRows, expected);
        }
    }

    private static void checkC(int seed, StructType type, MemorySegment segment, int batchRows,
            List<List<@Nullable Object>> expected) {
        try (ArrowExport export = ArrowC.export(type, segment)) {
            assertThat(ArrowRows.of(export).rows()).as("seed %d, type %s", seed, type).isEqualTo(expected);
        }
        try (ArrowStream stream = ArrowC.stream(type, segment, batchRows)) {
            assertThat(ArrowRows.of(stream).rows()).as("seed %d, type %s", seed, type).isEqualTo(expected);
        }
        assertThat(CDataState.exports()).isZero();
    }

    private static byte[] written(ArrowIpc format, MemorySegment segment) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        format.write(Channels.newChannel(bytes), segment);
        return bytes.toByteArray();
    }

    private static byte[] inPieces(ArrowIpc format, StructType type, MemorySegment segment, Random random)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ArrowWriter writer = format.open(Channels.newChannel(bytes))) {
            for (long at = 0; at < segment.byteSize();) {
                long byteSize = Math.min(segment.byteSize() - at, random.nextInt(9) * type.byteSize());
                writer.write(segment.asSlice(at, byteSize));
                at += byteSize;
            }
            writer.finish();
        }
        return bytes.toByteArray();
    }
}
