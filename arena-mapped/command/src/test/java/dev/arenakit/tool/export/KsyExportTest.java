package dev.arenakit.tool.export;

import dev.arenakit.tool.FormatsImage;
import dev.arenakit.tool.InstalledPrograms;
import dev.arenakit.tool.SharedMemory;
import dev.arenakit.tool.TestImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class KsyExportTest {
    private static final String[] PACKAGES = {"kaitai-struct-compiler@0.11.0", "kaitai-struct@0.11.0", "js-yaml@4.1.0"};
    /// Compiles a specification, and prints what its parser reads in a file.
    private static final String SCRIPT = """
            const fs = require('fs');
            const { KaitaiStream } = require('kaitai-struct');
            const compiler = require('kaitai-struct-compiler');
            const specification = require('js-yaml').load(fs.readFileSync('memory.ksy', 'utf8'));
            compiler.compile('javascript', specification, null, false).then(files => {
                fs.writeFileSync('Memory.js', files['Memory.js']);
                const { Memory } = require('./Memory.js');
                const file = fs.readFileSync('memory-0');
                const memory = new Memory(new KaitaiStream(file.buffer.slice(file.byteOffset, file.byteOffset + file.length)));
                const point = p => [p.x, p.y];
                PRINT
            }).catch(problem => {
                console.error(problem);
                process.exit(1);
            });
            """;

    private static final String PRINT_SHAPES = """
            for (const s of memory.shapes) {
                console.log(JSON.stringify([s.id, s.isFilled, s.unit, s.kind, s.kinds, s.late, s.name, s.codes, s.wide, s.wider,
                    s.ratio, s.next, s.path.map(point), s.grid.map(row => row.items)]));
                console.log(JSON.stringify([s.value.circle && [...point(s.value.circle.centre), s.value.circle.radius],
                    s.value.box && s.value.box.map(point), s.early.map(e => [e.a, e.text && e.text.slice(0, 3)]),
                    s.either.low, s.either.all]));
            }
            for (const p of memory.gridPoints) {
                console.log(JSON.stringify([p.struct, p.maxX, p.maxX2, p.kind]));
            }
            const bytes = memory[Object.getOwnPropertyNames(Memory.prototype).find(name => name.startsWith('allocation'))];
            console.log(JSON.stringify([bytes.length, memory.prices.length, memory.prices[99]]));
            """;
    private static final String PRINT_PACKETS = """
            for (const p of memory.packets) {
                const h = p.header;
                console.log(JSON.stringify([h.version, h.length, h.flags, h.place, h.kind, p.port, p.odd, p.nanos.value,
                    p.low, p.signed, p.set, p.known, p.one, p.temperature, p.values, p.count, p.code, p.text.text,
                    p.body.data, p.body.ack && {}, p.body.raw]));
            }
            """;
    private static final String PRINT_MESSAGES = """
            for (const m of memory.messages) {
                console.log(JSON.stringify([m.kind.kind, m.count.count, m.rows.map(row => row.items), m.body.shorts,
                    m.body.wide, m.either.bytes, m.either.all]));
            }
            """;

    private final Path directory;
    private final Path base;

    KsyExportTest(@TempDir(factory = SharedMemory.class) Path directory) {
        this.directory = directory;
        base = directory.resolve("memory");
    }

    @Test
    void ksy_ofOneType_isAPlainSpecification() {
        TestImage.closed(base);
        assertThat(ExportCommandTest.export(base, "trades", "--ksy").out()).isEqualTo("""
                meta:
                  id: memory
                  title: "memory-0, of the image memory"
                  ks-version: "0.11"
                  endian: le
                types:
                  trade:
                    seq:
                      - id: id
                        type: s8
                      - id: side
                        type: s1
                        enum: side
                      - size: 7
                      - id: price
                        type: f8
                      - id: symbol
                        type: strz
                        size: 8
                        encoding: UTF-8
                enums:
                  side:
                    0:
                      id: buy
                      -orig-id: "BUY"
                    1:
                      id: sell
                      -orig-id: "SELL"
                instances:
                  trades:
                    doc: "trades: Trade[1000]"
                    pos: 0
                    type: trade
                    size: 32
                    repeat: expr
                    repeat-expr: 1000
                """);
    }

    @Test
    void ksy_ofEveryKindOfType_hasUnionsBehindWhatTellsOfThem() {
        ExportImage.write(base);
        assertThat(ExportCommandTest.export(base, "--ksy").out()).contains("""
                    instances:
                      value:
                        pos: 20
                        type: shape_value(kind.to_i)
                        size: 16
                      early:
                        pos: 36
                        type: shape_early(late)
                        size: 4
                        repeat: expr
                        repeat-expr: 2
                      either:
                        pos: 48
                        type: shape_either
                        size: 4
                """, "if: discriminator == -2\n", "      - id: max_x_2\n        -orig-id: \"max_x\"\n");
    }

    @Test
    void ksy_namesOfAllocations_endNoCommentOfAProgram() {
        ExportImage.write(base);
        assertThat(ExportCommandTest.export(base, "--ksy").out()).contains("doc: \"grid ?? ?points?: Point[2]\"")
                .doesNotContain("*/");
    }

    @Test
    @Tag("slow") // Installs the compiler in target, from the registry of npm.
    void ksy_byTheCompiler_becomesAParserOfTheFile() throws IOException, InterruptedException {
        InstalledPrograms.assume("node");
        InstalledPrograms.assume("npm");
        Path modules = install();
        ExportImage.write(base);
        ExportCommandTest.export(base, "--ksy", "-o", directory.resolve("memory.ksy").toString());
        Files.writeString(directory.resolve("script.js"), SCRIPT.replace("PRINT", PRINT_SHAPES));
        assertThat(InstalledPrograms.run(directory, "env", "NODE_PATH=" + modules, "node", "script.js")).isEqualTo("""
                [1000,0,65,1,[-2,1,0],7,"k\u00e4se",["ab","cde"],"\u20acx","yz\u0101",0,139637976731648,[[60,50],[62,52]],[[0,1,2],[3,4,5]]]
                [[10,20,2.5],null,[[97,null],[-4,null]],-16321,1.5]
                [1001,1,66,-2,[-2,1,0],8,"sixsix",["ab","cde"],"\u20acx","yz\u0101",0.25,139637976731648,[[61,50],[62,52]],[[100,101,102],[103,104,105]]]
                [null,[[11,21],[12,22]],[[null,"abc"],[null,"\ufffd"]],-16321,1.5]
                [1002,0,67,9,[-2,1,0],9,"sixsix",["ab","cde"],"\u20acx","yz\u0101",0.5,139637976731648,[[62,50],[62,52]],[[200,201,202],[203,204,205]]]
                [null,null,[[null,null],[null,null]],-16321,1.5]
                [0,1099511627776,-3,1]
                [-1,2199023255552,-4,2]
                [5000,100,2.5]
                """);
    }

    @Test
    @Tag("slow") // Installs the compiler in target, from the registry of npm.
    void ksy_ofFormatsByTheCompiler_readsThem() throws IOException, InterruptedException {
        InstalledPrograms.assume("node");
        InstalledPrograms.assume("npm");
        Path modules = install();
        FormatsImage.write(base);
        ExportCommandTest.export(base, "--ksy", "-o", directory.resolve("memory.ksy").toString());
        Files.writeString(directory.resolve("script.js"),
                SCRIPT.replace("PRINT", PRINT_PACKETS));
        assertThat(InstalledPrograms.run(directory, "env", "NODE_PATH=" + modules, "node", "script.js")).isEqualTo("""
                [4,5,2,1,1,65534,66051,21542142465,5,-3,false,2,1,-2,[1,-2],2,"A B","ab",4294967295,null,null]
                [6,1,5,-1,2,80,1,0,0,0,false,0,0,1,[],0,"","",null,{},null]
                [0,0,0,0,17,0,0,0,0,0,false,0,0,0,[1,-2,3,4],9,"ABCDEF","abcde",null,null,[1,2,3,4]]
                """);
    }

    @Test
    void ksy_referencesInArraysAndUnions_areParameters() {
        ReferencesImage.write(base);
        assertThat(ExportCommandTest.export(base, "--ksy").out()).contains("""
                  message_body:
                    params:
                      - id: discriminator
                        type: s8
                      - id: count
                        type: s8
                """, "type: message_body(kind.kind, count.count)\n", "type: message_rows_row(count.count)\n",
                "type: message_either(late)\n", "repeat-expr: '(count < 0 or count > 4 ? 4 : count)'\n");
    }

    @Test
    @Tag("slow") // Installs the compiler in target, from the registry of npm.
    void ksy_ofReferencesByTheCompiler_readsThem() throws IOException, InterruptedException {
        InstalledPrograms.assume("node");
        InstalledPrograms.assume("npm");
        Path modules = install();
        ReferencesImage.write(base);
        ExportCommandTest.export(base, "--ksy", "-o", directory.resolve("memory.ksy").toString());
        Files.writeString(directory.resolve("script.js"), SCRIPT.replace("PRINT", PRINT_MESSAGES));
        assertThat(InstalledPrograms.run(directory, "env", "NODE_PATH=" + modules, "node", "script.js")).isEqualTo("""
                [1,2,[[1,2],[4,5]],[1,2],null,[1,2,3],578437695752307200]
                [2,3,[[1,2,3],[4,5,6]],null,1,[1,2,3,4,5,6,7,8],578437695752307200]
                """);
    }

    private static Path install() throws IOException, InterruptedException {
        Path place = Path.of("target", "kaitai").toAbsolutePath();
        Path modules = place.resolve("node_modules");
        if (!Files.isDirectory(modules.resolve("kaitai-struct-compiler"))) {
            Files.createDirectories(place);
            String[] command = {"npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix",
                    place.toString(),
                    PACKAGES[0], PACKAGES[1], PACKAGES[2]};
            int exitCode = InstalledPrograms.exitCode(place, place.resolve("npm.txt"), command);
            assumeTrue(exitCode == 0, () -> "the compiler cannot be installed: see " + place.resolve("npm.txt"));
        }
        return modules;
    }
}
