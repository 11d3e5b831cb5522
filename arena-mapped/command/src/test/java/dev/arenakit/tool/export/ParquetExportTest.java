package dev.arenakit.tool.export;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.FullDisk;
import dev.arenakit.tool.InstalledPrograms;
import dev.arenakit.tool.SharedMemory;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests of `arena export --parquet`, with the library of DuckDB on the class path.
@Tag("full")
class ParquetExportTest {
    private static final StructType POINT = LayoutText.parse("""
            #pragma layout 2
            struct Point { int64_t x; int64_t y; };
            """);

    private final Path base;
    private final Path file;

    ParquetExportTest(@TempDir(factory = SharedMemory.class) Path directory) {
        base = directory.resolve("memory");
        file = directory.resolve("points.parquet");
    }

    @BeforeEach
    void store() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment points = arena.names().allocate("points", POINT, 1_000);
            points.setAtIndex(JAVA_LONG, 6, 7);
            points.setAtIndex(JAVA_LONG, 7, 49);
        }
    }

    @Test
    void parquet_ofASparseAllocation_hasTheStoredStructs() throws IOException {
        ExportCommandTest.export(base, "points", "--parquet", "-o", file.toString()).succeeds();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        assertThat(ToolRun.of("sql", base.toString(), "--csv", "from '" + file + "'").out())
                .isEqualTo("rowid,x,y\n3,7,49\n");
        assertThat(ExportCommandTest.export(base, "points", "--parquet", "-o", file.toString()).exits(1).err())
                .isEqualTo("arena: " + file + ": File exists; --force replaces it\n");
        ExportCommandTest.export(base, "points", "--parquet", "-o", file.toString(), "--force").succeeds();
    }

    @Test
    void parquet_onAFullDisk_isReported(@TempDir Path disk) throws Exception {
        try (InfiniteArena arena = InfiniteArena.ofShared(Path.of(base + "-large"))) {
            MemorySegment points = arena.names().allocate("points", POINT, 1_000_000);
            for (int i = 0; i < 2_000_000; i++) {
                points.setAtIndex(JAVA_LONG, i, i * 0x9E3779B97F4A7C15L);
            }
        }
        assertThat(FullDisk.run(disk, "export", base + "-large", "points", "--parquet", "-o",
                disk.resolve("p").toString())).startsWith("arena: ")
                .contains("No space left on device")
                .endsWith("\n1\n");
    }

    @Test
    void parquet_withoutOneNameOrAnOutput_isRefused() {
        assertThat(ExportCommandTest.export(base, "points", "--parquet").err()).contains("needs '--output'");
        assertThat(ExportCommandTest.export(base, "--parquet", "-o", file.toString()).exits(2).err())
                .contains("give one NAME of an allocation");
        assertThat(ExportCommandTest.export(base, "points", "--parquet", "-o", base + "-7").err())
                .contains("a file of the image could have this name");
        assertThat(file).doesNotExist();
    }

    @Test
    void parquet_ofArraysInAUnion_hasTheValuesInPyarrow(@TempDir Path directory) throws Exception {
        String python = InstalledPrograms.assumePython(directory, "pyarrow");
        ToolRun imported = ToolRun.withInput("""
                {"id":1,"kind":"NUM","body":{"num":2.5}}
                {"id":2,"kind":"RAW","body":{"raw":[[1,2],[3,4]]}}
                {"id":3,"kind":"NUM","body":{"num":3.5}}
                """.getBytes(UTF_8), "import", base + "-packets", "--type", """
                #pragma layout 2
                enum Kind : uint8_t { NUM = 1, RAW = 2, };
                struct Packet {
                    int64_t id;
                    enum Kind kind;
                    union @switch(kind) { double num @case(1); int16_t raw[2][2] @case(2); } body;
                };
                """, "packets", "-");
        assertThat(imported.err()).isEmpty();
        ToolRun run = ExportCommandTest.export(Path.of(base + "-packets"), "packets", "--parquet", "-o",
                file.toString());
        assertThat(run.err()).isEmpty();
        assertThat(InstalledPrograms.run(directory, python, "-c", """
                import sys, pyarrow.parquet
                for row in pyarrow.parquet.read_table(sys.argv[1], use_threads=False).to_pylist():
                    print(row["id"], row["kind"], row["body"])
                """, file.toString())).isEqualTo("""
                1 NUM {'num': 2.5, 'raw': None}
                2 RAW {'num': None, 'raw': [[1, 2], [3, 4]]}
                3 NUM {'num': 3.5, 'raw': None}
                """);
    }
}
