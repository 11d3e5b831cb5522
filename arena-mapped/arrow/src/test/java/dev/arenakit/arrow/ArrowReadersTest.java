package dev.arenakit.arrow;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Clients in Python read what was written.
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

    @ParameterizedTest
    @ValueSource(strings = {"pyarrow", "polars", "duckdb"})
    void read_byAClient_returnsTheRows(String client) throws IOException, InterruptedException {
        String needed = client.equals("duckdb") ? "duckdb, pyarrow" : client;
        assumeTrue(PythonRun.of(directory, "-c", "import " + needed).exitCode() == 0,
                () -> PythonRun.PYTHON + " has no " + needed + ": its test is skipped");
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
}
