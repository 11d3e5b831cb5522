package dev.arenakit.tool.serve;

import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InstalledPrograms;
import dev.arenakit.tool.SharedMemory;
import dev.arenakit.tool.TestImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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

class ServeHttpTest {
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
    private static final Pattern PATH = Pattern.compile("\"path\":\"([^\"]*)\"");
    /// More than the buffers of a connection.
    private static final int MANY = 1 << 19;

    private final Path directory;
    private final Path base;

    ServeHttpTest(@TempDir(factory = SharedMemory.class) Path directory) {
        this.directory = directory;
        base = directory.resolve("prices");
    }

    /// Stores trades that have their index as id.
    private static void store(MemorySegment trades, long from, long to) {
        for (long i = from; i < to; i++) {
            trades.set(JAVA_LONG, i * TRADE.byteSize(), i);
            trades.set(JAVA_BYTE, i * TRADE.byteSize() + 8, (byte) (i & 1));
        }
    }

    private void makeImage(long count) {
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
        makeImage(200_000);
        try (TestServer server = new TestServer(base)) {
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

    @Test
    void length_ofColumnsOfFixedSize_isKnownUnlessTheImageIsOpen() throws Exception {
        makeImage(200_000);
        StructType named = LayoutText.parse("#pragma layout 2\nstruct Named { char name[8]; };\n");
        try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("names"))) {
            arena.names().allocate("names", named, 10).fill((byte) 'x');
        }
        try (TestServer server = new TestServer(directory);
                InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("open"))) {
            store(arena.names().allocate("trades", TRADE, 10), 0, 10);
            for (String range : List.of("", "?rows=0..65536", "?rows=0", "?rows=199999..")) {
                HttpResponse<byte[]> reply = server.get(TRADES + range);
                assertThat(reply.headers().firstValueAsLong("content-length")).hasValue(reply.body().length);
            }
            assertThat(server.get("/tables/open/trades").headers().firstValue("transfer-encoding")).contains("chunked");
            assertThat(server.get("/tables/names/names").headers().firstValue("transfer-encoding")).contains("chunked");
        }
    }

    @ParameterizedTest
    @CsvSource({"100..199,100,200", "7,7,8", "990..,990,1000", "0..5000000000,1,1000", "1000..,0,0", "5000,0,0",
            "999999999999999999..,0,0"})
    void rows_aRange_areThoseOfTheTable(String range, long from, long to) throws Exception {
        makeImage(1000);
        try (TestServer server = new TestServer(base)) {
            assertThat(server.get(TRADES + "?rows=" + range).body()).isEqualTo(rows(3, LongStream.range(from, to)));
        }
    }

    @Test
    void columns_ofAChoice_areInTheOrderOfTheTable() throws Exception {
        makeImage(1000);
        try (TestServer server = new TestServer(base)) {
            assertThat(server.get(TRADES + "?columns=id,index").body()).isEqualTo(rows(2, LongStream.range(1, 1000)));
        }
    }

    /// Libraries for HTTP encode the characters of a query.
    @ParameterizedTest
    @ValueSource(strings = {"columns=id%2Cindex", "columns=id%2cindex", "columns=%69d,index",
            "rows=0%2E.999&columns=index%2Cid"})
    void query_encodedByALibrary_isDecoded(String query) throws Exception {
        makeImage(1000);
        try (TestServer server = new TestServer(base)) {
            assertThat(server.get(TRADES + "?" + query).body()).isEqualTo(rows(2, LongStream.range(1, 1000)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rows=0&rows=1", "columns=id&rows=1&columns=index", "rows=1&rows=1"})
    void query_withAParameterTwice_isRefused(String query) throws Exception {
        makeImage(10);
        try (TestServer server = new TestServer(base)) {
            HttpResponse<byte[]> reply = server.get(TRADES + "?" + query);
            assertThat(reply.statusCode()).isEqualTo(400);
            assertThat(new String(reply.body(), UTF_8)).startsWith("Parameter is there twice: parameter=");
        }
    }

    /// A client would not see that a reply is incomplete.
    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.0", "HTTP/2.0"})
    void request_ofAnotherVersion_isRefused(String version) throws Exception {
        makeImage(10);
        try (TestServer server = new TestServer(base)) {
            assertThat(server.raw("GET " + TRADES + " " + version + "\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 505 ")
                    .endsWith("\r\n\r\nThe version must be HTTP/1.1\n");
        }
    }

    @ParameterizedTest
    @CsvSource({"http://localhost:8421/tables/prices/trades?rows=1..9,200", "HTTP://127.0.0.1/,200",
            "http://localhost/other,404"})
    void target_thatIsAUrl_isItsPath(String target, int code) throws Exception {
        makeImage(10);
        try (TestServer server = new TestServer(base)) {
            assertThat(server.raw("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 " + code + " ");
        }
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

    @Test
    void directory_withAnImageThatAppearsLater_hasItsTables() throws Exception {
        try (TestServer server = new TestServer(directory)) {
            assertThat(new String(server.get("/").body(), UTF_8)).isEqualTo("{\"version\":1,\"images\":[]}\n");
            assertThat(server.get(TRADES).statusCode()).isEqualTo(404);
            try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
                MemorySegment trades = arena.names().allocate("trades", TRADE, 1000);
                store(trades, 0, 10);
                assertThat(server.get(TRADES).body()).isEqualTo(rows(3, LongStream.range(1, 10)));
                store(trades, 10, 20);
                assertThat(server.get(TRADES).body()).isEqualTo(rows(3, LongStream.range(1, 20)));
                assertThat(new String(server.get("/").body(), UTF_8)).contains("\"state\":\"open\"");
            }
        }
    }

    @Test
    void index_ofAnImageThatIsDeleted_saysSo() throws Exception {
        makeImage(10);
        try (TestServer server = new TestServer(base)) {
            Files.delete(directory.resolve("prices.catalog"));
            assertThat(new String(server.get("/").body(), UTF_8))
                    .contains("\"tables\":[],\"state\":null,\"problem\":\"no catalog, only data files");
            assertThat(server.get(TRADES).statusCode()).isEqualTo(500);
        }
    }

    @Test
    void table_ofATruncatedFile_endsSoThatTheClientNotices() throws Exception {
        makeImage(MANY);
        TestImage.truncate(directory.resolve("prices-0"), MANY * TRADE.byteSize() / 2);
        try (TestServer server = new TestServer(base)) {
            assertThatThrownBy(() -> server.get(TRADES)).isInstanceOf(IOException.class);
            server.awaitErr("failed");
            assertThat(server.err()).contains(TRADES + ": a data file is truncated: " + MANY / 2
                    + " structs are missing");
            assertThat(server.get(TRADES + "?rows=0..99").body()).isEqualTo(rows(3, LongStream.range(1, 100)));
        }
    }

    @Test
    void table_withAValueThatIsNone_endsSoThatTheClientNotices() throws Exception {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment trades = arena.names().allocate("trades", TRADE, 10);
            store(trades, 0, 10);
            trades.set(JAVA_BYTE, 5 * TRADE.byteSize() + 8, (byte) 2);
        }
        try (TestServer server = new TestServer(base)) {
            assertThatThrownBy(() -> server.get(TRADES)).isInstanceOf(IOException.class);
            server.awaitErr("failed");
            assertThat(server.err()).contains("field=side, reason=not a constant of the enum");
            assertThat(server.get(TRADES + "?columns=index").statusCode()).isEqualTo(200);
            HttpResponse<byte[]> first = server.get(TRADES + "?rows=5..6");
            assertThat(first.statusCode()).isEqualTo(500);
            assertThat(new String(first.body(), UTF_8)).contains("field=side, reason=not a constant of the enum");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"})
    void method_thatDoesNotRead_isRefused(String method) throws Exception {
        makeImage(10);
        try (TestServer server = new TestServer(base)) {
            String reply = server
                    .raw(method + " " + TRADES + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(reply).startsWith("HTTP/1.1 405 ")
                    .contains("\r\nAllow: GET, HEAD\r\n")
                    .doesNotContain("Access-Control");
        }
    }

    @Test
    void log_ofRequests_hasTheRowsAndNoControlCharacters() throws Exception {
        makeImage(10);
        try (TestServer server = new TestServer(base)) {
            assertThat(server.get(TRADES + "?rows=0..4").statusCode()).isEqualTo(200);
            // A request is logged after its client has closed the connection.
            server.awaitErr("4 rows, ");
            assertThat(server.get("/%1b").statusCode()).isEqualTo(404);
            server.awaitErr("404, ");
            assertThat(server.err().lines().toList()).hasSize(2)
                    .satisfies(lines -> assertThat(lines.getFirst())
                            .matches(
                                    "127\\.0\\.0\\.1 GET " + TRADES + "\\?rows=0\\.\\.4: 200, 4 rows, \\d+\\.\\d{3} s"))
                    .last()
                    .asString()
                    .startsWith("127.0.0.1 GET /%1b");
        }
    }

    @ParameterizedTest
    @CsvSource({"/,200", "/tables/prices/trades,200", "/tables/prices/other,404"})
    void head_ofAPath_hasNoBody(String path, int code) throws Exception {
        makeImage(10);
        try (TestServer server = new TestServer(base)) {
            HttpResponse<byte[]> reply = server.send("HEAD", path);
            assertThat(reply.statusCode()).isEqualTo(code);
            assertThat(reply.body()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"/tables/prices/%00,404", "/tables/prices/trades/,404", "/tables/prices,404", "/favicon.ico,404",
            "/tables/..%2f..%2fetc/passwd,404", "/tables/prices/%237,404", "/tables/prices/%ff,404",
            "/tables/prices/trades?rows=,400",
            "/tables/prices/trades?rows=-1..7,400", "/tables/prices/trades?columns=ID,400",
            "/tables/prices/trades?columns=,400", "/tables/prices/trades?limit=7,400",
            "/tables/prices/trades?rows=99999999999999999999,400", "/tables/prices/trades?rows=..,400",
            "/tables/prices/trades?rows=7%5D%5B8,400"})
    void path_ofNothing_isAnError(String path, int code) throws Exception {
        makeImage(10);
        try (TestServer server = new TestServer(base)) {
            assertThat(server.get(path).statusCode()).isEqualTo(code);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Host: localhost                          | 200
            Host: LOCALHOST:8421                     | 200
            Host: 127.0.0.1:9                        | 200
            Host: [::1]:9                            | 200
            Host: evil.example                       | 403
            Host: localhost.evil.example             | 403
            Host: 127.0.0.1.evil.example             | 403
            Host: [::1].evil.example                 | 403
            Host: 192.0.2.1                          | 403
            Host: evil.example:8421                  | 403
            Host:                                    | 403
            X: y                                     | 403
            Host: localhost\\r\\nHost: evil.example  | 403
            """)
    void host_ofAnotherServer_isRefused(String header, int code) throws Exception {
        makeImage(10);
        try (TestServer server = new TestServer(base)) {
            assertThat(server
                    .raw("GET / HTTP/1.1\r\n" + header.replace("\\r\\n", "\r\n") + "\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 " + code + " ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\nHost: localhost\r\nX: %s\r\n\r\n", "GET /%s HTTP/1.1\r\n\r\n", "%s",
            "GET /%%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", "\r\n\r\n\r\n", "GET\r\n\r\n",
            "GET mailto:x HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET x/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET x/tables/prices/trades HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET http://localhost@evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET http:///tables/prices/trades HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET http://localhost/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"})
    void request_thatIsHostile_disturbsNobody(String request) throws Exception {
        makeImage(10);
        try (TestServer server = new TestServer(base)) {
            try (Socket socket = server.connect("")) {
                byte[] bytes = request.formatted("x".repeat(1 << 20)).getBytes(UTF_8);
                try {
                    socket.getOutputStream().write(bytes);
                    socket.shutdownOutput();
                    assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8)).doesNotContain(" 200 ");
                } catch (IOException e) {
                    // The server has closed the connection.
                }
                assertThat(server.get(TRADES).body()).isEqualTo(rows(3, LongStream.range(1, 10)));
            }
        }
    }

    @Test
    void request_thatArrivesByteByByte_isAnswered() throws Exception {
        makeImage(10);
        try (TestServer server = new TestServer(base); Socket socket = server.connect("")) {
            socket.setTcpNoDelay(true);
            for (byte b : ("GET " + TRADES + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .getBytes(UTF_8)) {
                socket.getOutputStream().write(b);
            }
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8)).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void error_whileARequestIsAnswered_isReportedToBothSides() throws Exception {
        ServeHandler.Images images = () -> {
            throw new StackOverflowError("planted");
        };
        try (TestServer server = new TestServer(TestServer.LIMITS, images)) {
            assertThat(server.raw("GET " + TRADES + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 500 ");
            assertThat(server.err())
                    .contains("arena: GET " + TRADES + ": unexpected: java.lang.StackOverflowError: planted");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pyarrow", "polars", "duckdb"})
    void table_readByAClient_hasTheRows(String client) throws Exception {
        String python = InstalledPrograms.assumePython(directory,
                client.equals("pyarrow") ? client : "pyarrow, " + client);
        makeImage(100_000);
        try (TestServer server = new TestServer(base)) {
            assertThat(InstalledPrograms.run(directory, python,
                    Path.of("src/test/python/read_table.py").toAbsolutePath().toString(), client,
                    server.uri(TRADES + "?rows=10..99999").toString())).isEqualTo("99990 4999949955 SELL\n");
        }
    }

    @Test
    void client_thatStopsReading_isDroppedAndHoldsUpNobody() throws Exception {
        makeImage(MANY);
        ServeHandler.Limits limits = new ServeHandler.Limits(2, Duration.ofSeconds(60), Duration.ofMillis(200));
        String request = "GET " + TRADES + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (TestServer server = new TestServer(limits, base);
                Socket first = server.connect(request);
                Socket second = server.connect(request)) {
            // Both have a transfer, or had one.
            int _ = first.getInputStream().read();
            int _ = second.getInputStream().read();
            // The list needs no transfer; the table waits until the server has dropped a client.
            assertThat(server.get("/").statusCode()).isEqualTo(200);
            assertThat(server.get(TRADES + "?rows=1..99").body()).isEqualTo(rows(3, LongStream.range(1, 100)));
            server.awaitErr(TRADES + ": 200, the client is too slow");
        }
    }

    @Test
    void table_whileAllTransfersAreTaken_isRefused() throws Exception {
        makeImage(MANY);
        ServeHandler.Limits limits = new ServeHandler.Limits(1, Duration.ofMillis(20), Duration.ofSeconds(60));
        try (TestServer server = new TestServer(limits, base);
                Socket socket = server.connect("GET " + TRADES + " HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            HttpResponse<byte[]> reply = server.get(TRADES);
            assertThat(reply.statusCode()).isEqualTo(503);
            assertThat(reply.headers().firstValue("retry-after")).contains("5");
            assertThat(server.get("/").statusCode()).isEqualTo(200);
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
        makeImage(MANY);
        try (TestServer server = new TestServer(base)) {
            assertThat(server.get("/").statusCode()).isEqualTo(200);
            long before = descriptors();
            for (int i = 0; i < clients; i++) {
                try (Socket socket = server.connect("GET " + TRADES + " HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
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
