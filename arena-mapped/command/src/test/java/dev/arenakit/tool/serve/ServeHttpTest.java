package dev.arenakit.tool.serve;

import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.layout.ColumnMapper;
import dev.arenakit.layout.ColumnTable;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.InstalledPrograms;
import dev.arenakit.tool.TestImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests of `arena serve` as its clients see it. Most use the same server, which serves 1,000 trades, and many.
class ServeHttpTest extends InSharedMemory {
    private static final StructType TRADE = LayoutText.parse("""
            #pragma layout 2
            enum Side : uint8_t { BUY = 0, SELL = 1, };
            struct Trade { int64_t id; enum Side side; };
            """);
    private static final StructType ROW = LayoutText.parse("""
            #pragma layout 2
            enum Side : uint8_t { BUY = 0, SELL = 1, };
            struct Trade @packed { int64_t index; int64_t id; enum Side side; uint8_t padding[7]; };
            """);
    private static final String TRADES = "/tables/prices/trades";
    private static final String MANY_TRADES = "/tables/many/trades";
    private static final Pattern PATH = Pattern.compile("\"path\":\"([^\"]*)\"");
    /// More than the buffers of a connection.
    private static final int MANY = 1 << 19;
    private static final Duration SHORT_STALL = Duration.ofMillis(200);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path common;
    @SuppressWarnings("NullAway.Init")
    private static TestServer server;

    private Path prices = Path.of("");

    @BeforeAll
    static void startServer() throws IOException {
        makeImage(common.resolve("prices"), 1000);
        makeImage(common.resolve("many"), MANY);
        server = new TestServer(common);
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    @BeforeEach
    void findPrices() {
        prices = directory.resolve("prices");
    }

    /// Stores trades that have their index as id.
    private static void store(MemorySegment trades, long from, long to) {
        for (long i = from; i < to; i++) {
            trades.set(JAVA_LONG, i * TRADE.byteSize(), i);
            trades.set(JAVA_BYTE, i * TRADE.byteSize() + 8, (byte) (i & 1));
        }
    }

    private static void makeImage(Path base, long count) {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            store(arena.names().allocate("trades", TRADE, count), 0, count);
        }
    }

    /// The stream with rows of such trades, with some of the first columns.
    private static byte[] rows(int columns, LongStream indices) throws IOException {
        long[] all = indices.toArray();
        ByteBuffer bytes = ByteBuffer.allocate(all.length * 24).order(ByteOrder.nativeOrder());
        for (long index : all) {
            bytes.putLong(index).putLong(index).putLong(index & 1);
        }
        StructType type = new StructType("Trade", ROW.members().subList(0, columns), 24, 1);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        ArrowIpc.write(Channels.newChannel(stream), type, MemorySegment.ofArray(bytes.array()));
        return stream.toByteArray();
    }

    @Test
    void table_ofAnImage_hasTheStoredStructsWithTheirIndices() throws Exception {
        makeImage(prices, 200_000);
        try (TestServer server = new TestServer(prices)) {
            HttpResponse<byte[]> reply = server.get(TRADES);
            assertThat(reply.statusCode()).isEqualTo(200);
            assertThat(reply.headers().map()).containsEntry("content-type",
                    List.of("application/vnd.apache.arrow.stream"))
                    .containsEntry("x-content-type-options",
                            List.of("nosniff"))
                    .doesNotContainKey("access-control-allow-origin");
            // The struct of zeros is no row.
            assertThat(reply.body()).isEqualTo(rows(3, LongStream.range(1, 200_000)));
        }
    }

    @ParameterizedTest
    @CsvSource({"100..199,100,200", "7,7,8", "990..,990,1000", "0..5000000000,1,1000", "1000..,0,0", "5000,0,0",
            "999999999999999999..,0,0"})
    void rows_aRange_areThoseOfTheTable(String range, long from, long to) throws Exception {
        assertThat(server.get(TRADES + "?rows=" + range).body()).isEqualTo(rows(3, LongStream.range(from, to)));
    }

    /// Libraries for HTTP encode the characters of a query.
    @ParameterizedTest
    @ValueSource(strings = {"columns=id,index", "columns=id%2Cindex", "columns=id%2cindex", "columns=%69d,index",
            "rows=0%2E.999&columns=index%2Cid"})
    void query_encodedByALibrary_isDecoded(String query) throws Exception {
        assertThat(server.get(TRADES + "?" + query).body()).isEqualTo(rows(2, LongStream.range(1, 1000)));
    }

    @Test
    void index_ofImagesWithAnyNames_hasPathsThatClientsCanUse() throws Exception {
        List<String> names = List.of("a/b", "..", ".", "%41", "\u00e4 \u6f22", "?x=1&rows=2", "a+b");
        Path image = directory.resolve("100% of #1?");
        try (InfiniteArena arena = InfiniteArena.ofShared(image)) {
            for (String name : names) {
                store(arena.names().allocate(name, TRADE, 10), 0, 10);
            }
            arena.allocate(100, 1);
            arena.names().allocate("freed", TRADE, 10);
            arena.names().free("freed");
            arena.structures().longMap("map").put(7, 8);
        }
        try (TestServer server = new TestServer(directory)) {
            HttpResponse<byte[]> reply = server.get("/");
            assertThat(reply.headers().firstValue("content-type")).contains("application/json");
            String index = new String(reply.body(), UTF_8);
            assertThat(index)
                    .startsWith("{\"version\":1,\"images\":[{\"image\":\"100% of #1?\",\"tables\":[{\"table\":")
                    .contains("\"count\":10,\"byteSize\":160,\"type\":\"#pragma layout 2\\n", "\"typeName\":\"Trade\"")
                    .endsWith("}],\"state\":\"closed\",\"problem\":null}]}\n");
            List<String> paths = PATH.matcher(index).results().map(found -> found.group(1)).toList();
            assertThat(paths).hasSize(names.size() + 1);
            for (String path : paths.subList(0, names.size())) {
                assertThat(server.get(path).body()).isEqualTo(rows(3, LongStream.range(1, 10)));
            }
            assertThat(paths.getLast()).endsWith("/map");
            assertThat(server.get(paths.getLast()).statusCode()).isEqualTo(200);
        }
    }

    /// The image may change while a reply is sent, so that its length is unknown.
    @Test
    void directory_withAnImageThatAppearsLater_hasItsTables() throws Exception {
        try (TestServer server = new TestServer(directory)) {
            assertThat(new String(server.get("/").body(), UTF_8)).isEqualTo("{\"version\":1,\"images\":[]}\n");
            assertThat(server.get(TRADES).statusCode()).isEqualTo(404);
            try (InfiniteArena arena = InfiniteArena.ofShared(prices)) {
                MemorySegment trades = arena.names().allocate("trades", TRADE, 1000);
                store(trades, 0, 10);
                assertThat(server.get(TRADES).body()).isEqualTo(rows(3, LongStream.range(1, 10)));
                store(trades, 10, 20);
                HttpResponse<byte[]> reply = server.get(TRADES);
                assertThat(reply.body()).isEqualTo(rows(3, LongStream.range(1, 20)));
                assertThat(reply.headers().firstValue("content-length")).isEmpty();
                assertThat(new String(server.get("/").body(), UTF_8)).contains("\"state\":\"open\"");
                trades.set(JAVA_BYTE, TRADE.byteSize() + 8, (byte) 2);
                assertThat(server.get(TRADES).statusCode()).isEqualTo(500);
            }
        }
    }

    @Test
    void index_ofAnImageThatIsDeleted_saysSo() throws Exception {
        makeImage(prices, 10);
        try (TestServer server = new TestServer(prices)) {
            Files.delete(directory.resolve("prices.catalog"));
            assertThat(new String(server.get("/").body(), UTF_8))
                    .contains("\"tables\":[],\"state\":null,\"problem\":\"no catalog, only data files");
            assertThat(server.get(TRADES).statusCode()).isEqualTo(500);
        }
    }

    @Test
    void table_ofATruncatedFile_isAnErrorUnlessTheRowsAreThere() throws Exception {
        makeImage(prices, 1000);
        TestImage.truncate(directory.resolve("prices-0"), 500 * TRADE.byteSize());
        try (TestServer server = new TestServer(prices)) {
            HttpResponse<byte[]> reply = server.get(TRADES);
            assertThat(reply.statusCode()).isEqualTo(500);
            assertThat(new String(reply.body(), UTF_8))
                    .isEqualTo("a data file is truncated: 500 structs are missing\n");
            server.awaitErr(TRADES + ": a data file is truncated: 500 structs are missing");
            assertThat(server.get(TRADES + "?rows=0..99").body()).isEqualTo(rows(3, LongStream.range(1, 100)));
        }
    }

    /// If nobody writes the image, all values are checked before the reply begins.
    @Test
    void table_withAValueThatIsNone_isAnError() throws Exception {
        makeImage(prices, MANY);
        try (FileChannel data = FileChannel.open(directory.resolve("prices-0"), StandardOpenOption.WRITE)) {
            data.write(ByteBuffer.wrap(new byte[]{2}), (MANY - 1) * TRADE.byteSize() + 8);
        }
        try (TestServer server = new TestServer(prices)) {
            HttpResponse<byte[]> reply = server.get(TRADES);
            assertThat(reply.statusCode()).isEqualTo(500);
            assertThat(new String(reply.body(), UTF_8))
                    .isEqualTo("Value cannot be converted: row=" + (MANY - 2)
                            + ", field=side, reason=not a constant of the enum: enum=Side, value=2\n");
            assertThat(server.send("HEAD", TRADES).statusCode()).isEqualTo(500);
            assertThat(server.get(TRADES + "?columns=index").statusCode()).isEqualTo(200);
        }
    }

    record Padded(byte side, long id) {}

    /// A row takes 16 bytes, and 9 in its columns: all rows are more than are read before the reply begins.
    @Test
    @Tag("full")
    void table_ofColumnsWhoseRowsArePadded_isWhole() throws Exception {
        int count = (1 << 26) / 16 + 1000;
        try (InfiniteArena arena = InfiniteArena.ofShared(prices)) {
            ColumnTable<Padded> trades = arena.structures().columns("trades", ColumnMapper.of(Padded.class), count);
            for (int i = 0; i < count; i++) {
                trades.append(new Padded((byte) 1, i));
            }
        }
        try (TestServer server = new TestServer(prices)) {
            HttpResponse<byte[]> reply = server.get(TRADES);
            assertThat(reply.statusCode()).isEqualTo(200);
            assertThat(reply.body().length).isGreaterThan(17 * count);
            assertThat(reply.headers().firstValue("content-length")).isEmpty();
        }
    }

    /// The last structs are behind the 64 MiB that are read before the reply begins.
    @Test
    void table_withAWrongValueFarBehind_endsSoThatTheClientNotices() throws Exception {
        long count = (1L << 26) / TRADE.byteSize() + 1000;
        try (InfiniteArena arena = InfiniteArena.ofShared(prices)) {
            MemorySegment trades = arena.names().allocate("trades", TRADE, count);
            store(trades, 1, 1000);
            store(trades, count - 1000, count);
            trades.set(JAVA_BYTE, (count - 1) * TRADE.byteSize() + 8, (byte) 2);
        }
        try (TestServer server = new TestServer(prices)) {
            assertThat(server.get(TRADES + "?rows=0.." + (count - 2)).headers().firstValue("content-length")).isEmpty();
            assertThatThrownBy(() -> server.get(TRADES)).isInstanceOf(IOException.class);
            server.awaitErr("field=side, reason=not a constant of the enum");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"})
    void method_thatDoesNotRead_isRefused(String method) throws Exception {
        String reply = server
                .raw(method + " " + TRADES + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(reply).startsWith("HTTP/1.1 405 ")
                .contains("\r\nAllow: GET, HEAD\r\n")
                .doesNotContain("Access-Control");
    }

    @ParameterizedTest
    @CsvSource({"/,200", "/tables/many/trades,200", "/tables/prices/trades?rows=7,200", "/tables/prices/other,404",
            "/tables/prices/trades?rows=x,400"})
    void reply_ofAnImageThatNobodyWrites_hasItsLengthAlsoForHead(String path, int code) throws Exception {
        HttpResponse<byte[]> reply = server.get(path);
        HttpResponse<byte[]> head = server.send("HEAD", path);
        assertThat(reply.statusCode()).isEqualTo(code);
        assertThat(reply.headers().firstValue("content-length")).contains(String.valueOf(reply.body().length));
        assertThat(head.statusCode()).isEqualTo(code);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("content-length"))
                .isEqualTo(reply.headers().firstValue("content-length"));
    }

    @ParameterizedTest
    @CsvSource({"/tables/prices/%00,404", "/tables/prices/trades/,404", "/tables/prices,404", "/favicon.ico,404",
            "/tables/..%2f..%2fetc/passwd,404", "/tables/prices/%237,404", "/tables/prices/%ff,404",
            "/tables/prices/trades?rows=,400",
            "/tables/prices/trades?rows=-1..7,400", "/tables/prices/trades?columns=ID,400",
            "/tables/prices/trades?columns=,400", "/tables/prices/trades?rows,400",
            "/tables/prices/trades?limit=7,400",
            "/tables/prices/trades?rows=99999999999999999999,400", "/tables/prices/trades?rows=..,400",
            "/tables/prices/trades?rows=7%5D%5B8,400"})
    void path_ofNothing_isAnError(String path, int code) throws Exception {
        assertThat(server.get(path).statusCode()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET / HTTP/1.1|Host: localhost                          | 200
            GET / HTTP/1.1|Host: LOCALHOST:8421                     | 200
            GET / HTTP/1.1|Host: 127.0.0.1:9                        | 200
            GET / HTTP/1.1|Host: [::1]:9                            | 200
            GET / HTTP/1.1|Host: evil.example                       | 403
            GET / HTTP/1.1|Host: localhost.evil.example             | 403
            GET / HTTP/1.1|Host: 127.0.0.1.evil.example             | 403
            GET / HTTP/1.1|Host: [::1].evil.example                 | 403
            GET / HTTP/1.1|Host: 192.0.2.1                          | 403
            GET / HTTP/1.1|Host: evil.example:8421                  | 403
            GET / HTTP/1.1|Host:                                    | 403
            GET / HTTP/1.1|X: y                                     | 403
            GET / HTTP/1.1|Host: localhost\\r\\nHost: evil.example  | 403
            GET http://localhost:8421/ HTTP/1.1|Host: localhost     | 403
            GET / HTTP/1.0|Host: localhost                          | 505
            GET / HTTP/2.0|Host: localhost                          | 505
            """)
    void request_forAnotherServerOrOfAnotherVersion_isRefused(String line, String header, int code) throws Exception {
        assertThat(server.raw(line + "\r\n" + header.replace("\\r\\n", "\r\n") + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 " + code + " ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\nHost: localhost\r\nX: %s\r\n\r\n", "GET /%s HTTP/1.1\r\n\r\n", "%s",
            "GET /%%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", "\r\n\r\n\r\n", "GET\r\n\r\n",
            "GET mailto:x HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET x/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET x/tables/prices/trades HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET //evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET http://localhost@evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET http:///tables/prices/trades HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET http://localhost/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"})
    void request_thatIsHostile_disturbsNobody(String request) throws Exception {
        try (Socket socket = server.connect("")) {
            byte[] bytes = request.formatted("x".repeat(1 << 20)).getBytes(UTF_8);
            try {
                socket.getOutputStream().write(bytes);
                socket.shutdownOutput();
                assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8)).doesNotContain(" 200 ");
            } catch (IOException e) {
                // The server has closed the connection.
            }
            assertThat(server.get(TRADES).body()).isEqualTo(rows(3, LongStream.range(1, 1000)));
        }
    }

    @Test
    void error_whileARequestIsAnswered_isReportedToBothSides() throws Exception {
        List<Path> planted = new AbstractList<>() {
            @Override
            public Path get(int index) {
                throw new StackOverflowError("planted");
            }

            @Override
            public int size() {
                return 1;
            }
        };
        try (TestServer server = new TestServer(ServeHandler.STALL, planted)) {
            assertThat(server.raw("GET " + TRADES + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 500 ");
            assertThat(server.err())
                    .contains("arena: GET " + TRADES + ": unexpected: java.lang.StackOverflowError: planted");
        }
    }

    /// Takes some seconds, in which the buffers of the connection become full.
    @Test
    @Tag("full")
    void client_thatReadsNoHeaders_isDropped() throws Exception {
        makeImage(prices, 10);
        try (TestServer server = new TestServer(SHORT_STALL, prices); Socket socket = server.connect("")) {
            assertThatThrownBy(() -> {
                while (true) {
                    socket.getOutputStream()
                            .write("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000).getBytes(UTF_8));
                }
            }).isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pyarrow", "polars", "duckdb"})
    void table_readByAClient_hasTheRows(String client) throws Exception {
        String python = InstalledPrograms.assumePython(directory,
                client.equals("pyarrow") ? client : "pyarrow, " + client);
        makeImage(prices, 100_000);
        try (TestServer server = new TestServer(prices)) {
            assertThat(InstalledPrograms.run(directory, python,
                    Path.of("src/test/python/read_table.py").toAbsolutePath().toString(), client,
                    server.uri(TRADES + "?rows=10..99999").toString())).isEqualTo("99990 4999949955 SELL\n");
        }
    }

    @Test
    void clients_thatStopReading_areDroppedAndHoldUpNobody() throws Exception {
        String request = "GET " + MANY_TRADES + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        List<Socket> clients = new ArrayList<>();
        try (TestServer server = new TestServer(SHORT_STALL, common)) {
            for (int i = 0; i < 17; i++) {
                clients.add(server.connect(request));
            }
            // All threads write to such clients, until the server drops these.
            assertThat(server.get("/").statusCode()).isEqualTo(200);
            assertThat(server.get(TRADES + "?rows=1..99").body()).isEqualTo(rows(3, LongStream.range(1, 100)));
            assertThat(server.err()).isEmpty();
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    @Test
    void clients_thatVanish_leaveNothingOpen() throws Exception {
        vanish(10);
    }

    @Test
    @Tag("slow")
    void clients_thatVanishAThousandTimes_leaveNothingOpen() throws Exception {
        vanish(1000);
    }

    private void vanish(int clients) throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "needs the /proc of Linux");
        try (TestServer server = new TestServer(common)) {
            assertThat(server.get("/").statusCode()).isEqualTo(200);
            long before = descriptors();
            for (int i = 0; i < clients; i++) {
                try (Socket socket = server.connect("GET " + MANY_TRADES + " HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
                    if (i % 2 == 0) {
                        assertThat(socket.getInputStream().read()).isEqualTo('H');
                    } else {
                        socket.setSoLinger(true, 0);
                    }
                }
            }
            while (descriptors() > before) {
                Thread.sleep(10);
            }
            assertThat(server.get(TRADES + "?rows=1..99").body()).isEqualTo(rows(3, LongStream.range(1, 100)));
        }
    }

    /// The number of open descriptors, without that of the listing.
    private static long descriptors() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count() - 1;
        }
    }
}
