package dev.arenakit.tool.find;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.ReleasedImages;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

class FindCommandTest extends InSharedMemory {

    private ToolRun find(String... args) {
        return onBase("find", args);
    }

    private void assertFound(String expected, String... args) {
        ToolRun run = find(args);
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo(expected);
        assertThat(run.exitCode()).isEqualTo(expected.isEmpty() ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            side == SELL; 1 998
            id == 1152921504606846977; 0
            id < 0 || price < -1e300; 1 998
            !(price < 0) && !(price >= 0); 1
            symbol == "ARNA" && side == BUY; 0
            symbol == "12345678"; 998
            symbol ~ "^.{8}$"; 998
            symbol != ""; 0 1 2 998
            symbol == ""; 999
            id == 0; ``
            """)
    void find_where_findsTheStructsThatSatisfyIt(String predicate, String indices) {
        TestImage.chunked(base);
        String expected = indices.isEmpty() ? "" : "trades[" + indices.replace(" ", "]\ntrades[") + "]\n";
        assertFound(expected, "trades", "--where", predicate);
    }

    @Test
    void find_noName_searchesTheTypesWithTheFieldAndNamesTheOthers() {
        TestImage.closed(base);
        ToolRun run = find("--where", "value > 1").exits(0);
        assertThat(run.out()).isEqualTo("prices[524288]\n");
        assertThat(run.err()).isEqualTo("arena: trades: left out: column 1: no field 'value'; Trade has id, side,"
                + " price, symbol\n");
    }

    @Test
    void find_fieldOfNoType_isAWrongCommandLine() {
        TestImage.closed(base);
        ToolRun run = find("--where", "pricee > 1", "--count").exits(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .isEqualTo("arena: Invalid value for option '--where': column 1: no field 'pricee' (did you"
                        + " mean price?); Trade has id, side, price, symbol; see arena find --help\n");
    }

    @Test
    void find_wrongPredicate_isReportedBeforeTheImageIsRead() {
        assertThat(find("--where", "price >").exits(2).err()).startsWith("arena: Invalid value for option '--where'")
                .contains("column 8: expected a number, a text or a constant, found the end");
    }

    @Test
    void find_count_printsOneNumber() {
        TestImage.closed(base);
        assertThat(find("trades", "--where", "side == SELL", "--count").out()).isEqualTo("2\n");
        assertThat(find("trades", "--where", "side == SELL", "--count", "--json").out())
                .endsWith("}\n{\"kind\":\"count\",\"count\":2}\n");
        assertThat(find("trades", "--where", "id == 77", "--count").exits(1).out()).isEqualTo("0\n");
    }

    @Test
    void find_limit_endsTheSearch() {
        TestImage.closed(base);
        assertFound("trades[0]\ntrades[1]\n", "trades", "--where", "id != 0", "--limit", "2");
        assertThat(find("--bytes", "01", "--limit", "3").out().lines()).hasSize(3);
        assertFound("", "trades", "--where", "id != 0", "--limit", "0");
    }

    @Test
    void find_rowsAndGlobs_areSearchedAlone() {
        TestImage.closed(base);
        assertFound("trades[1]\ntrades[2]\n", "trades[1..2]", "--where", "id != 0");
        assertFound("trades[2]\n", "trad*[2]", "--where", "id != 0");
        assertFound("trades+0x40  trades[2].id\n", "trades[2..997]", "--bytes", "02");
        assertFound("", "trades[3..997]", "--bytes", "02");
        assertThat(find("trades[1000]", "--where", "id != 0").exits(3).err())
                .isEqualTo("arena: trades: there is no [1000]: it has 1,000 structs\n");
    }

    @Test
    void find_jsonOfStructsAndBytes_isAnObjectALine() {
        TestImage.closed(base);
        String untyped = untyped();
        String version = "{\"kind\":\"version\",\"command\":\"find\",\"version\":1}\n";
        assertFound(version + """
                {"kind":"struct","allocation":"trades","index":1}
                {"kind":"struct","allocation":"trades","index":998}
                """, "trades", "--where", "side == SELL", "--json");
        assertFound(version + """
                {"kind":"bytes","allocation":"%s","byteOffset":3948,"index":null,"field":null}
                """.formatted(untyped), "trades", untyped, "--bytes", "59 dd 0e", "--json");
        assertFound(version + """
                {"kind":"bytes","allocation":"trades","byteOffset":31962,"index":998,"field":"symbol"}
                """, "trades", "--text", "345", "--json");
    }

    private String untyped() {
        try {
            return TestImage.label(base, 3);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void find_bytes_areNamedByOffsetAndField() {
        TestImage.closed(base);
        assertFound("trades+0x18  trades[0].symbol\n", "--bytes", "41 52 4e 41");
        assertFound("trades+0x18  trades[0].symbol\n", "--text", "ARNA");
        assertFound("trades+0x0  trades[0].id\n", "--bytes", "0100000000000010");
        assertFound("prices[524288]\n", "prices", "--type", "double", "--where", "value == 2.5");
        assertFound(untyped() + "+0xf6c\n", untyped(), "--bytes", "59 dd 0e 00");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            --bytes; 7f 4; is not hexadecimal
            --bytes; 7f 4g; is not hexadecimal
            --bytes; 00 00; has no byte other than zero
            --bytes; ``; has no byte other than zero
            --text; ``; has no byte other than zero
            """)
    void find_wrongBytes_areAWrongCommandLine(String option, String value, String message) {
        assertThat(find(option, value).exits(2).err())
                .startsWith("arena: Invalid value for option '" + option + "': '" + value + "' " + message);
    }

    @Test
    void find_lastStructBeforeTheFirst_isRefused() {
        TestImage.closed(base);
        assertThat(find("trades[5..3]", "--where", "id != 0").exits(3).err())
                .isEqualTo("arena: " + base + ": trades[5..3]: the last struct is before the first\n");
    }

    @Test
    void find_limitOfZero_checksThePredicate() {
        TestImage.closed(base);
        assertThat(find("--limit", "0", "--where", "nofield == 1").exits(2).err())
                .contains("Invalid value for option '--where': column 1: no field 'nofield'");
        assertFound("", "--limit", "0", "--text", "ARNA");
    }

    @Test
    void find_damagedCatalog_isReported() throws IOException {
        TestImage.closed(base);
        TestImage.damageRecords(base);
        String damaged = "arena: " + base + ": records of the catalog are damaged, and allocations may be missing (try"
                + " arena verify)\n";
        for (String[] args : new String[][]{{"--where", "id != 0"}, {"--text", "ARNA"}, {"--bytes", "01", "--count"}}) {
            assertThat(find(args).exits(3).err()).contains(damaged);
        }
        for (String command : new String[]{"ls", "show"}) {
            assertThat(ToolRun.of(command, base.toString()).exits(1).err()).contains(damaged);
        }
        assertThat(ToolRun.of("show", base.toString(), "--json", "--where", "id != 0").exits(1).err())
                .contains(damaged);
        assertThat(ToolRun.of("diff", base.toString(), base.toString(), "--where", "id != 0").exits(3).err())
                .contains(damaged);
        assertThat(ToolRun.of("ls", String.valueOf(base.getParent())).exits(1).err()).contains(damaged);
    }

    @Test
    void find_imageOfVersion1_isSearched() throws IOException {
        Path image = ReleasedImages.unzip("images-version-1.zip", directory.resolve("old")).resolve("plain");
        ToolRun found = ToolRun.of("find", image.toString(), "numbers", "--type", "struct { int32_t n; };", "--where",
                "n > 22");
        assertThat(found.err()).isEmpty();
        assertThat(found.out()).isEqualTo("numbers[23]\nnumbers[24]\n");
        assertThat(ToolRun.of("find", image.toString(), "numbers", "--bytes", "18").out())
                .startsWith("numbers+0x60");
    }

    @Test
    void find_imageThatIsBeingWritten_findsWhatIsThere() {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 26).build()) {
            TestImage.fill(arena);
            assertFound("trades[1]\ntrades[998]\n", "trades", "--where", "side == SELL");
            MemorySegment later = arena.names().allocate("later", TestImage.TRADE, 3);
            later.set(JAVA_LONG, 2 * TestImage.BYTES, 77);
            arena.names().free("trades");
            assertFound("later[2]\n", "*t*r*", "--where", "id == 77 || side == SELL");
            assertFound("later+0x40  later[2].id\n", "later", "--bytes", "4d");
        }
    }

    @Test
    void find_noTargetOrTwo_isAWrongCommandLine() {
        assertThat(find("trades").exitCode()).isEqualTo(2);
        assertThat(find("--text", "a", "--bytes", "01").exitCode()).isEqualTo(2);
    }

    @Test
    void find_structAcrossExtents_isFound() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment structs = arena.names()
                    .allocate("structs", LayoutText.parse(
                            "#pragma layout 2\nstruct S { int32_t a; int32_t b[25]; };"), 10_000);
            // Structs of 104 bytes that begin before a hole, end after a hole, or consist of data only.
            structs.set(JAVA_INT, 39 * 104, 7);
            structs.set(JAVA_INT, 1000 * 104 + 100, 8);
            structs.set(JAVA_INT, 9999 * 104 + 4, 9);
        }
        assertFound("structs[39]\n", "--where", "a == 7");
        assertFound("structs[1000]\n", "--where", "b[24] == 8");
        assertFound("structs[39]\nstructs[1000]\nstructs[9999]\n", "--where", "a == 7 || b[*] > 7");
        assertFound("structs[1000]\nstructs[9999]\n", "--where", "a == 0");
    }

    @Test
    void find_imageOfATebibyteOfHoles_takesNoTime() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment numbers = arena.names().allocate("numbers", JAVA_LONG, 1L << 37);
            for (long i = 0; i < 1000; i++) {
                numbers.setAtIndex(JAVA_LONG, i << 27, i + 1);
            }
        }
        assertFound("numbers[134083510272]\n", "--where", "value == 1000");
        assertFound("1000\n", "--where", "value > 0", "--count");
        assertFound("numbers+0xf9c0000000  numbers[134083510272].value\n", "--bytes", "e803");
    }

    @Test
    void find_truncatedOrMissingFile_isReportedAndTheOthersAreSearched() throws IOException {
        TestImage.closed(base);
        TestImage.truncate(Path.of(base + "-0"), 100);
        ToolRun truncated = find("trades", "--where", "id != 0").exits(3);
        assertThat(truncated.out()).isEqualTo("trades[0]\ntrades[1]\ntrades[2]\n");
        assertThat(truncated.err()).contains("is truncated: 100 of 32000 bytes are left");
        Files.delete(Path.of(base + "-0"));
        ToolRun missing = find("--bytes", "04 40").exits(3);
        assertThat(missing.out()).isEqualTo("prices+0x400006  prices[524288].value\n");
        assertThat(missing.err()).startsWith("arena: trades: ").contains("No such file");
    }

    @Test
    void find_noImageOrName_cannotBeRead() {
        assertThat(find("--text", "a").exits(3).err()).isEqualTo("arena: " + base + ": no such image\n");
        TestImage.closed(base);
        assertThat(find("nothing", "tr*x", "--text", "a").exits(3).err())
                .isEqualTo("arena: " + base + ": no allocation named nothing (try arena ls)\n"
                        + "arena: " + base + ": no allocation matches tr*x (try arena ls)\n");
        assertThat(find(untyped(), "--where", "id == 1").exits(3).err())
                .contains("its type is not recorded: give the type with --type");
        assertFound(untyped() + "[3]\n", untyped(), "--where", "n == 9", "--type", "struct { int32_t n; };");
    }

    @Test
    void find_nameWithBracketsAndStars_isTheExactOneFirst() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("ax*[0]", JAVA_INT, 10).setAtIndex(JAVA_INT, 0, 5);
            arena.names().allocate("axb[0]", JAVA_INT, 10).setAtIndex(JAVA_INT, 3, 5);
        }
        assertFound("ax*[0][0]\n", "ax*[0]", "--where", "value == 5");
        assertFound("axb[0][3]\n", "axb[0]", "--where", "value == 5");
        assertFound("axb[0][3]\n", "axb[0][3]", "--where", "value == 5");
        assertFound("ax*[0][0]\naxb[0][3]\n", "a*", "--where", "value == 5");
    }

    @Test
    void search_randomExtents_findsWhatAScanOfAllBytesFinds() throws Exception {
        int found = 0;
        for (int seed = 0; seed < 2000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] bytes = bytes(random);
            String pattern = pattern(random);
            List<Long> expected = model(bytes, pattern);
            List<Long> actual = new ArrayList<>();
            ByteScan.search(extents(bytes, random), HexFormat.of().parseHex(pattern), 0, Long.MAX_VALUE, actual::add);
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
        ByteScan.search(ExtentSource.of(MemorySegment.ofArray(bytes)), new byte[]{1, 2}, 0, Long.MAX_VALUE,
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
            pattern.append(List.of("00", "01", "02").get(random.nextInt(3)));
        }
        return pattern.toString().matches("0*") ? "01" : pattern.toString();
    }

    private static List<Long> model(byte[] bytes, String pattern) {
        List<Long> found = new ArrayList<>();
        String hex = HexFormat.of().formatHex(bytes);
        for (int at = 0; at + pattern.length() <= hex.length(); at += 2) {
            String there = hex.substring(at, at + pattern.length());
            if (there.equals(pattern)) {
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
