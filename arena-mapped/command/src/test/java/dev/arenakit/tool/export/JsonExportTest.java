package dev.arenakit.tool.export;

import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

import static org.assertj.core.api.Assertions.assertThat;

class JsonExportTest extends InSharedMemory {

    @Test
    void json_ofAkilledImage_printsImageAllocationsAndStructs() throws IOException, InterruptedException {
        Process process = TestImage.killed(base);
        ToolRun run = ExportCommandTest.export(base, "--json").succeeds();
        List<String> lines = run.out().lines().toList();
        assertThat(lines.getFirst())
                .matches("\\{\"image\":\"memory\",\"state\":\"died\",\"chunked\":false,\"byteOrder\":\"little\","
                        + "\"owners\":\\[\\{\"pid\":" + process.pid()
                        + ",\"started\":\"[-0-9T:.]+Z\",\"opened\":\"[-0-9T:.]+Z\","
                        + "\"jvm\":\"[^\"]+\",\"closed\":false}]}");
        assertThat(lines.get(1))
                .matches("\\{\"allocation\":\"trades\",\"number\":\\d+,\"live\":true,\"file\":0,\"byteOffset\":0,"
                        + "\"byteSize\":32000,\"byteAlignment\":8,\"made\":\"[-0-9T:.]+Z\",\"thread\":\\d+,"
                        + "\"type\":\"#pragma layout 2\\\\n\\\\nenum Side .*\"}");
        assertThat(String.join("\n", lines.subList(2, 8)) + "\n")
                .isEqualTo(ToolRun.of("show", base.toString(), "trades", "--json").out());
        assertThat(lines.get(8)).matches(".*\"allocation\":\"old\",\"number\":\\d+,\"live\":false.*");
        assertThat(lines.get(9)).startsWith("{\"allocation\":\"prices\",\"number\":");
        assertThat(lines.subList(10, 13)).allMatch(line -> line.startsWith("{\"allocation\":\"prices\",\"index\":"));
        String label = TestImage.label(base, 3);
        assertThat(lines.get(13))
                .startsWith("{\"allocation\":\"" + label + "\",\"number\":" + label.substring(1) + ",")
                .doesNotContain("\"type\"");
        assertThat(lines.get(14)).startsWith("{\"allocation\":\"counter\",\"number\":");
        assertThat(lines).hasSize(16);
    }

    @Test
    void json_eachLine_isAnObject() {
        ExportImage.write(base);
        List<String> lines = ExportCommandTest.export(base, "--json").out().lines().toList();
        assertThat(lines).hasSize(1 + 5 + ExportImage.SHAPES + ExportImage.POINTS + 2)
                .allSatisfy(JsonExportTest::parse);
        assertThat(lines).contains("{\"allocation\":\"grid */ \\\"points\\\"\",\"index\":1,"
                + "\"value\":{\"struct\":-1,\"maxX\":2199023255552,\"max_x\":-4,\"Kind\":2}}");
        assertThat(lines.getLast()).contains("\"allocation\":\"empty\"", "\"byteSize\":0").doesNotContain("\"file\"");
    }

    @Test
    void json_ofANamedAllocation_printsNoOther() {
        ExportImage.write(base);
        assertThat(ExportCommandTest.export(base, "prices", "--json").out().lines())
                .hasSize(4)
                .filteredOn(line -> !line.startsWith("{\"allocation\":\"prices\""))
                .singleElement()
                .asString()
                .startsWith("{\"image\":");
    }

    private static void parse(String line) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), line)) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            parser.skipChildren();
            assertThat(parser.nextToken()).isNull();
        }
    }
}
