package dev.arenakit.arrow;

import dev.arenakit.arrow.internal.cdata.CDataState;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.teststructs.JavaValues;
import dev.arenakit.teststructs.RandomStruct;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

/// Clients in Python read what was written and what was exported, and structs of random types have the same values in
/// Arrow as in Java.
@Tag("full")
class ArrowReadersTest {
    private static final StructType ORDER = LayoutText.parse("""
            #pragma layout 2
            enum Side : uint8_t { BUY = 7, SELL = 1, OTHER = @otherwise, };
            struct Order {
                bool open;
                enum Side side;
                uint24_t @big quantity;
                char16_t symbol[4];
                uint8_t high : 4;
                int8_t n;
                int16_t legs[3] @count(n);
                float pair[2];
                enum Side sides[2];
                struct { char venue[4]; uint64_t id; } at;
                union @switch(n) { int32_t i @case(2); char c[2] @case(1); } value;
            };
            """);
    private static final String EXPECTED = """
            open,side,quantity,symbol,high,n,legs,pair,sides,venue,id,i,c
            True,BUY,66051,äb,5,2,[1; -1],[1.0; 2.0],[SELL; BUY],XETR,18446744073709551615,7,None
            False,OTHER,0,,0,1,[3],[0.0; 0.0],[OTHER; OTHER],,0,None,ok
            True,SELL,1,x,15,0,[],[0.0; 0.5],[OTHER; BUY],XETR,1,None,None
            """;
    private static final Path SCRIPT = Path.of("src/test/python/read_orders.py").toAbsolutePath();

    @TempDir
    private Path directory;
    private static final Path EXPORTS_SCRIPT = Path.of("src/test/python/read_exports.py").toAbsolutePath();
    private static final int SEEDS = 100;
    private static final int MANY_SEEDS = 5000;

    @ParameterizedTest
    @ValueSource(strings = {"pyarrow", "polars", "duckdb"})
    void read_byAClient_returnsTheRows(String client) throws IOException, InterruptedException {
        PythonRun.assumeModules(directory, client.equals("duckdb") ? "duckdb, pyarrow" : client);
        Path stream = directory.resolve("orders.arrows");
        Path file = directory.resolve("orders.arrow");
        write(stream, ArrowIpc.stream(ORDER));
        write(file, ArrowIpc.file(ORDER).withTextDictionaries("symbol", "at.venue"));
        PythonRun read = PythonRun.of(directory, SCRIPT.toString(), client, stream.toString(), file.toString());
        assertThat(read.output()).isEqualTo(EXPECTED + EXPECTED);
        assertThat(read.exitCode()).isZero();
    }

    private static void write(Path path, ArrowIpc format) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            format.withBatchRows(2).write(channel, rows());
        }
    }

    private static MemorySegment rows() {
        MemorySegment rows = MemorySegment.ofArray(new byte[3 * (int) ORDER.byteSize()]);
        OrderBytes first = new OrderBytes(rows, 0);
        first.set("open", 1).set("side", 7).set("quantity", 1, 2, 3).set("symbol", 0xe4, 0, 'b', 0);
        first.set("high", 5).set("n", 2).set("legs", 1, 0, 0xff, 0xff).set("pair", 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40);
        first.set("at.venue", 'X', 'E', 'T', 'R').set("at.id", 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
        first.set("value", 7).set("sides", 1, 7);
        new OrderBytes(rows, 1).set("side", 2).set("n", 1).set("legs", 3).set("value", 'o', 'k');
        OrderBytes third = new OrderBytes(rows, 2);
        third.set("sides", 0, 7)
                .set("open", 3)
                .set("side", 1)
                .set("quantity", 0, 0, 1)
                .set("symbol", 'x')
                .set("high", 15);
        third.set("pair", 0, 0, 0, 0, 0, 0, 0, 0x3f).set("at.venue", 'X', 'E', 'T', 'R').set("at.id", 1);
        return rows;
    }

    /// The bytes of one row.
    private record OrderBytes(MemorySegment rows, long row) {
        OrderBytes set(String member, int... bytes) {
            long at = row * ORDER.byteSize() + ORDER.nested(member).orElseThrow().byteOffset();
            for (int i = 0; i < bytes.length; i++) {
                rows.set(JAVA_BYTE, at + i, (byte) bytes[i]);
            }
            return this;
        }
    }

    @Test
    void exports_areReadByClientsInPython() throws IOException, InterruptedException {
        PythonRun.assumeModules(directory, "jpype, pyarrow, polars, duckdb");
        PythonRun run = PythonRun.of(directory, EXPORTS_SCRIPT.toString(), System.getProperty("java.home"),
                System.getProperty("java.class.path"));
        assertThat(run.output()).isEqualTo("""
                #pragma layout 2
                0 A aaa False 0 [] [97, 97] {'a': 97, 'b': 97} {'i': None, 'c': None}
                1000 B bbb True 1 [98] [98, 98] {'a': 98, 'b': 98} {'i': 98, 'c': None}
                2000 A ccc False 2 [99, 99] [99, 99] {'a': 99, 'b': 99} {'i': None, 'c': 'c'}
                3000 B ddd True 0 [] [100, 100] {'a': 100, 'b': 100} {'i': None, 'c': None}
                4000 A eee False 1 [101] [101, 101] {'a': 101, 'b': 101} {'i': 101, 'c': None}
                5 3 True
                ['A', 'B', 'A', 'B', 'A']
                Value cannot be converted: row=3, field=kind, reason=not a constant of the enum: enum=Kind, value=9
                int64 1099511627779 False
                True
                [('A', 6000), ('B', 4000)]
                ['aaa', 'bbb', 'ccc', 'ddd', 'eee']
                0 0
                """);
        assertThat(run.exitCode()).isZero();
    }

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
