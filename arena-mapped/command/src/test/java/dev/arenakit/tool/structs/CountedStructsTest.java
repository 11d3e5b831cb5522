package dev.arenakit.tool.structs;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.GrowableSegment;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests that commands use the structs that a program has stored and counted in memory that grows, and no others.
class CountedStructsTest extends InSharedMemory {
    private static final StructType ROW = LayoutText.parse("#pragma layout 2\nstruct Row { int64_t id; };\n");

    @BeforeEach
    void makeImage() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableSegment rows = arena.names().growable("rows", ROW, 1 << 20);
            MemorySegment memory = rows.grow(4096 * 8);
            memory.setAtIndex(JAVA_LONG, 1, 11);
            memory.setAtIndex(JAVA_LONG, 3, 99);
            rows.elementCount(3);
        }
    }

    private String run(String... arguments) {
        ToolRun run = ToolRun.of(arguments);
        assertThat(run.err()).isEmpty();
        return run.out();
    }

    @Test
    void commands_ofCountedStructs_leaveOutTheOthers() {
        String image = base.toString();
        assertThat(run("ls", image)).contains("Row[3 of 4096]");
        assertThat(run("ls", image, "--json")).contains("\"count\":4096,\"elementCount\":3");
        assertThat(run("show", image, "rows")).contains("id = 11").doesNotContain("id = 99").doesNotContain("rows[3]");
        assertThat(run("show", image, "rows[3]")).as("a struct that was named").contains("id = 99");
        assertThat(run("find", image, "--where", "id == 99")).isEmpty();
        assertThat(run("find", image, "--where", "id == 11")).isEqualTo("rows[1]\n");
        assertThat(run("export", image, "rows", "--csv")).isEqualTo("index,id\n0,0\n1,11\n2,0\n");
        assertThat(run("verify", image)).contains("no problem");
    }

    /// The offset of the number of structs in the catalog.
    private long countLine() throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            return (image.find("rows").orElseThrow().number() / 8 - 1) * CatalogFormat.LINE;
        }
    }

    @Test
    void commands_numberOfStructsIsLost_sayItUntilItIsSet() throws IOException {
        long count = countLine();
        try (RandomAccessFile catalog = new RandomAccessFile(ImageFiles.catalog(base).toFile(), "rw")) {
            catalog.seek(count + CatalogFormat.KIND);
            catalog.write(77);
        }
        Path copy = base.resolveSibling("copy");
        assertThat(ToolRun.of("repair", base.toString(), "--to", copy.toString()).exits(1).out()).contains(
                ": lost: Number of elements is unknown: name=rows; ",
                ": not mended: rows: Number of elements is unknown");
        assertThat(ToolRun.of("verify", copy.toString()).exitCode()).isEqualTo(1);
        assertThat(run("ls", copy.toString())).contains("Row[4096]");
        assertThat(run("export", copy.toString(), "rows", "--csv", "--runs")).endsWith("3,99\n4..4095,\n");
        assertThat(run("show", copy.toString(), "rows")).contains("id = 11", "id = 99");
        try (InfiniteArena arena = InfiniteArena.builder(copy).reopen()) {
            arena.names().growable("rows", ROW, 1).elementCount(3);
        }
        assertThat(run("verify", copy.toString())).contains("no problem");
        assertThat(run("ls", copy.toString())).contains("Row[3 of 4096]");
    }

    /// The image was moved to another machine when the owner had died.
    @Test
    void commands_ofStructsThatWereNotForced_readThemAndSayIt() throws IOException {
        long count = countLine();
        try (RandomAccessFile catalog = new RandomAccessFile(ImageFiles.catalog(base).toFile(), "rw")) {
            catalog.seek(count + CatalogFormat.FORCED_COUNT);
            catalog.writeLong(Long.reverseBytes(CatalogFormat.checkedValue(count + CatalogFormat.FORCED_COUNT, 1)));
            catalog.seek(count + CatalogFormat.TIME);
            catalog.writeLong(1);
        }
        String image = base.toString();
        assertThat(run("ls", image)).contains("Row[3 of 4096, 1 forced]");
        assertThat(run("ls", image, "--json")).contains("\"count\":4096,\"elementCount\":1,\"storedCount\":3");
        String message = "arena: rows: structs were not forced before the machine failed, or the image was moved without"
                + " arena copy, and they may be incomplete: stored=3, forced=1\n";
        assertThat(ToolRun.of("show", image, "rows").out()).contains("id = 11");
        assertThat(ToolRun.of("show", image, "rows").err()).isEqualTo(message);
        assertThat(ToolRun.of("show", image, "rows").exitCode()).isEqualTo(1);
        assertThat(ToolRun.of("export", image, "rows", "--csv"))
                .isEqualTo(new ToolRun(1, "index,id\n0,0\n1,11\n2,0\n", message));
        assertThat(ToolRun.of("find", image, "--where", "id == 11")).isEqualTo(new ToolRun(3, "rows[1]\n", message));
        assertThat(ToolRun.of("verify", image).exits(1).out()).contains(": rows: Elements were not forced",
                "stored=3, forced=1", "arena copy");
    }

    @Test
    void ls_tablesOfOneSize_haveTheirOwnCounts() {
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
            GrowableSegment more = arena.names().growable("more", ROW, 1 << 20);
            more.grow(4096 * 8);
            more.elementCount(5);
        }
        assertThat(run("ls", base.toString())).contains("Row[3 of 4096]", "Row[5 of 4096]");
    }
}
