package dev.arenakit.tool;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceRecorder;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// The option `--json` of all commands, and its documentation.
class JsonLinesTest extends InSharedMemory {
    private static final Path PAGE = Path.of("../../docs/command-reference.md");
    private static final StructType OTHER = LayoutText.parse("#pragma layout 2\nstruct Trade { int64_t id[4]; };");

    @Test
    void json_ofAllCommands_hasTheDocumentedProperties() throws Exception {
        Map<String, List<String>> printed = new TreeMap<>();
        TestImage.closed(base);
        Files.copy(base.resolveSibling("memory-0"), directory.resolve("loose-0"));
        Path other = otherImage();
        for (List<?> command : List.of(List.of("ls", directory), List.of("ls", base),
                List.of("verify", base),
                List.of("diff", base, other, "--limit", "1"),
                List.of("diff", other, base, "--limit", "1"), List.of("diff", base, keyed(), "--key", "id"),
                List.of("purge", "--dry-run", directory),
                List.of("find", base, "trades", "--where", "id == 3"), List.of("find", base, "--text", "345"),
                List.of("find", base, "--text", "345", "--count"),
                List.of("sql", base, "select id from trades"))) {
            collect(printed, ToolRun.of(withJson(command)));
        }
        assertThat(ToolRun.of("seal", other.toString()).exitCode()).isZero();
        Files.write(directory.resolve("other-0"), new byte[]{9}, StandardOpenOption.WRITE);
        collect(printed, ToolRun.of("verify", "--data", "--json", other.toString()));
        Files.delete(base.resolveSibling("memory-0"));
        collect(printed, ToolRun.of("verify", "--json", base.toString()));
        collectRing(printed);
        Path trace = directory.resolve("trace");
        try (TraceRecorder recorder = AllocationTrace.record(trace); Arena arena = recorder.wrap(Arena.ofConfined())) {
            arena.allocate(8);
        }
        collect(printed, ToolRun.of("trace", "--json", trace.toString()));
        Map<String, List<String>> documented = documented();
        assertThat(printed).isEqualTo(documented);
    }

    private void collectRing(Map<String, List<String>> printed) throws Exception {
        Path ring = directory.resolve("ring");
        try (TestRing _ = TestRing.fill(ring)) {
            collect(printed, ToolRun.of("show", "--json", ring.toString()));
            collect(printed, ToolRun.of("verify", "--json", ring.toString()));
        }
    }

    private static String[] withJson(List<?> command) {
        List<String> args = new ArrayList<>(command.stream().map(Object::toString).toList());
        args.add("--json");
        return args.toArray(String[]::new);
    }

    /// An image that differs from the first one in every way.
    private Path otherImage() {
        Path other = directory.resolve("other");
        try (InfiniteArena arena = InfiniteArena.ofShared(other)) {
            MemorySegment trades = arena.names().allocate("trades", TestImage.TRADE, 999);
            trades.fill((byte) 1);
            arena.names().allocate("old", JAVA_LONG, 1);
            arena.names().allocate("prices", OTHER, 1);
            arena.allocate(1 << 20, 8).set(JAVA_LONG, 0, 1);
        }
        return other;
    }

    /// An image that has a trade with another key.
    private Path keyed() {
        Path keyed = directory.resolve("keyed");
        using(InfiniteArena.ofShared(keyed),
                arena -> arena.names().allocate("trades", TestImage.TRADE, 1).set(JAVA_LONG, 0, 77_777));
        return keyed;
    }

    /// Adds the properties of each kind of line, and checks that all lines of a kind have the same properties.
    private static void collect(Map<String, List<String>> printed, ToolRun run) {
        assertThat(run.err()).isEmpty();
        List<Map<String, String>> lines = run.out().lines().map(JsonLinesTest::parse).toList();
        assertThat(lines).hasSizeGreaterThan(1);
        Map<String, String> first = lines.getFirst();
        assertThat(first).containsEntry("kind", "version").containsEntry("version", "1");
        for (Map<String, String> line : lines) {
            List<String> names = line.keySet().stream().filter(name -> !name.equals("kind")).sorted().toList();
            String kind = line.get("kind");
            String key = ("version".equals(kind) ? "all" : first.get("command")) + " " + kind;
            assertThat(printed.computeIfAbsent(key, _ -> names)).as(key).isEqualTo(names);
        }
    }

    private static Map<String, String> parse(String line) {
        Map<String, String> values = new TreeMap<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), line)) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                values.put(name, parser.getString());
                parser.skipChildren();
            }
            assertThat(parser.nextToken()).isNull();
        }
        return values;
    }

    /// The rows of the table in the documentation, such as `ls image`.
    private static Map<String, List<String>> documented() throws IOException {
        Map<String, List<String>> documented = new TreeMap<>();
        List<String> rows = Files.readAllLines(PAGE)
                .stream()
                .dropWhile(line -> !line.startsWith("| command | kind |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        for (String row : rows) {
            String[] cells = row.replace("`", "").split(" *\\| *", -1);
            for (String command : cells[1].split(", ", -1)) {
                for (String kind : cells[2].split(", ", -1)) {
                    documented.put(command + " " + kind, List.of(cells[3].split(", ", -1)).stream().sorted().toList());
                }
            }
        }
        return documented;
    }

    @Test
    void ls_json_hasBytesTimesInUtcAndNulls() {
        Instant before = Instant.now();
        TestImage.closed(base);
        ToolRun run = ToolRun.of("ls", "--json", base.toString()).exits(0);
        List<Map<String, String>> lines = run.out().lines().map(JsonLinesTest::parse).toList();
        assertThat(lines.get(1)).containsEntry("image", "memory")
                .containsEntry("base", base.toString())
                .containsEntry("allocations", "3")
                .containsEntry("byteSize", "9469184")
                .containsEntry("state", "closed")
                .containsEntry("pid", Long.toString(ProcessHandle.current().pid()));
        assertThat(lines.get(2)).containsEntry("allocation", "trades")
                .containsEntry("byteSize", "32000")
                .containsEntry("typeName", "Trade")
                .containsEntry("count", "1000")
                .hasEntrySatisfying("made",
                        made -> assertThat(Instant.parse(made)).isBetween(before, Instant.now()));
        assertThat(lines.get(3)).containsEntry("state", "freed");
        assertThat(run.out().lines().toList()).last()
                .asString()
                .endsWith(
                        ",\"typeName\":null,\"count\":null,\"elementCount\":null,\"storedCount\":null,\"type\":null}");
    }

    @Test
    void json_nameThatIsNotAscii_isEscaped() {
        using(InfiniteArena.ofShared(base), arena -> arena.names().allocate("k\u00e4se\u202e\"", JAVA_LONG, 1));
        assertThat(ToolRun.of("ls", "--json", base.toString()).out())
                .contains("{\"kind\":\"allocation\",\"allocation\":\"k\\u00E4se\\u202E\\\"\",");
    }

    @Test
    void json_problems_goToStandardErrorWithTheSameExitCodes() throws IOException {
        TestImage.closed(base);
        Files.writeString(directory.resolve("bad.catalog"), "garbage");
        for (List<?> command : List.of(List.of("ls", directory), List.of("ls", directory.resolve("bad")),
                List.of("verify", directory),
                List.of("diff", base, base + "x"),
                List.of("purge", "--dry-run", directory))) {
            ToolRun text = ToolRun.of(command.stream().map(Object::toString).toArray(String[]::new));
            ToolRun json = ToolRun.of(withJson(command));
            assertThat(json.err()).as("%s", command).isEqualTo(text.err()).isNotEmpty();
            assertThat(json.exitCode()).as("%s", command).isEqualTo(text.exitCode()).isNotZero();
        }
    }

    @Test
    void purge_json_printsWhatItRemoves() {
        TestImage.closed(base);
        ToolRun run = ToolRun.of("purge", "--json", "--yes", directory.toString());
        assertThat(run.out()).contains("\"removed\":true").endsWith("\"images\":1,\"onDisk\":20480}\n");
        assertThat(base.resolveSibling("memory.catalog")).doesNotExist();
        assertThat(ToolRun.of("purge", "--json", "--yes", directory.toString()).out().lines().toList()).last()
                .isEqualTo("{\"kind\":\"summary\",\"removed\":true,\"images\":0,\"onDisk\":0}");
    }

}
