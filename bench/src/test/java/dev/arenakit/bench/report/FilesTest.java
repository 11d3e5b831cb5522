package dev.arenakit.bench.report;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/// Tests of the three files of a report.
class FilesTest {
    private static final String UNCERTAIN = "<td class=\"uncertain\" title=\"uncertain: its interval contains 1, "
            + "or is wider than a factor of 1.3.\">";

    @TempDir
    Path directory;

    /// Copies the stored results into a directory.
    static Path results(Path directory) {
        try {
            Path stored = Path.of(Objects.requireNonNull(FilesTest.class.getResource("/results.json")).toURI());
            Files.copy(stored, directory.resolve("results.json"));
            return directory;
        } catch (IOException | URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void csv_ofStoredResults_hasARowPerCell() throws IOException {
        write();

        assertThat(directory.resolve("results.csv")).content().isEqualTo("""
                suite,benchmark,candidate,memory,params,ns_per_op_median,ns_per_op_modes,ns_per_op_min,ns_per_op_max,\
                spread_percent,cpu_ns_per_op,bytes_per_op,baseline,times_faster,times_faster_low,times_faster_high,times_less_cpu,times_less_cpu_low,\
                times_less_cpu_high,process_cpu_ns_per_op,page_faults_per_op,resident_peak_bytes,resident_retained_bytes,p50_ns,p90_ns,\
                p99_ns,p99_9_ns,p99_99_ns,max_ns,samples,forks,note
                tiny,one block,Arena.ofConfined,zeroed checked scoped,byteSize=64;written=first,27,,25,41,59.2592592593,26,48,\
                Arena.ofConfined,,,,,,,,,,,,,,,,,,3,
                tiny,one block,Arena.ofConfined,zeroed checked scoped,byteSize=64;written=all,40,,40,42,5,40,48,Arena.ofConfined,,,,,,,,,,,,,,,,,,3,
                tiny,one block,MallocArena,checked scoped,byteSize=64;written=first,10,,8,12.5,45,10,0.001,Arena.ofConfined,3.125,\
                1.36035502331,6.72573092175,3,1.38269354593,6.34730883151,,,,,,,,,,,,3,
                tiny,one block,MallocArena,checked scoped,byteSize=64;written=all,10,10 | 16,10,16,60,10,0,Arena.ofConfined,4,1.70613342898,\
                7.08195562592,4,1.74288017645,6.71077169327,,,,,,,,,,,,5,
                tiny,one block,malloc,none,byteSize=64;written=first,20,,20,20,0,20,0,Arena.ofConfined,1.35,0.780701523989,2.92985909586,1.3,\
                0.738423469632,2.89155131819,,,,,,,,,,,,3,
                tiny,one block,malloc,none,byteSize=64;written=all,20,,20,20,0,20,0,Arena.ofConfined,2,1.89540940035,2.18013386228,2,2,2,,,,,,,,,,,,3,
                tiny,one block,MallocArena mimalloc,checked scoped,byteSize=64;written=first,,,,,,,,Arena.ofConfined,,,,,,,,,,,,,,,,,\
                ,0,not available: mimalloc is not installed
                tiny,one block,Arena.ofConfined,zeroed checked scoped,byteSize=1048576;written=first,9000,,8000,10000,22.2222222222,9000,80,\
                Arena.ofConfined,,,,,,,,,,,,,,,,,,3,
                tiny,one block,MallocArena,checked scoped,byteSize=1048576;written=first,40,,32,64,80,,16,Arena.ofConfined,250,\
                90.4209058455,471.005720373,,,,,,,,,,,,,,,3,leaks: 12 KiB
                tiny,mapped,Arena.ofConfined,,byteSize=100,12,,12,12,0,12,0,Arena.ofConfined,,,,,,,,,,,,,,,,,,3,
                tiny,mapped,InfiniteArena file each,,byteSize=100,60000,,60000,60000,0,60000,2000,Arena.ofConfined,\
                0.0002,0.0002,0.0002,0.0002,0.0002,0.0002,,,,,,,,,,,,3,
                tiny,Strange,mine,,,,,,,,,,,,,,,,,,,,,,,,,,,,0,failed: threw <b>this</b>; and | that
                """);
    }

    @Test
    void csv_ofStrangeNames_isReadAsItWasWritten() throws IOException {
        write();

        try (CSVParser parser = CSVParser.parse(directory.resolve("results.csv"), StandardCharsets.UTF_8,
                CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get())) {
            assertThat(parser.getRecords()).last()
                    .satisfies(row -> assertThat(row.get("note")).isEqualTo("failed: threw <b>this</b>; and | that"));
        }
    }

    @Test
    void markdown_ofStoredResults_hasTheFiguresSideBySide() throws IOException {
        write();

        assertThat(directory.resolve("summary.md")).content()
                .startsWith("# A \\<tiny> suite\n\n- Machine: A processor, 2 CPUs\n")
                .contains("- JDK: Temurin-25\n- Date: 2026-01-31, started 2026-01-31 10:15 UTC\n",
                        "**Preliminary: few forks",
                        "## One block\n\nOpens an arena, allocates one block, ",
                        "| params | candidate | memory | ns/op, one long written | min..max, one long written |",
                        "| 64 B | MallocArena | checked, scoped | 10.0 | 8.00..12.5 | 10.0 | 0 | 3.13x faster [1.36..6.73] ~ | 10.0 \\| 16.0 | 10.0..16.0 | 10.0 "
                                + "| 0 | 4.00x faster [1.71..7.08] ~ |",
                        "| 64 B | malloc | none | 20.0 | 20.0..20.0 | 20.0 | 0 | 1.35x faster [0.78..2.93] ~ | 20.0 | 20.0..20.0 | 20.0 | 0 "
                                + "| 2.00x faster [1.90..2.18] |",
                        "| 64 B | MallocArena mimalloc | checked, scoped | not available: mimalloc is not installed |",
                        "| 1 MiB | MallocArena | checked, scoped | 40.0 | 32.0..64.0 | - | 16 | 250x faster [90.4..471] ~, leaks: 12 KiB | - |",
                        "## Missing or untrusted figures\n\n- one block, 64 B, one long written, MallocArena mimalloc: not available: ",
                        "- Strange, mine: failed: threw \\<b>this\\</b>; and \\| that\n");
    }

    @Test
    void page_ofStoredResults_hasTheFiguresInTables() throws IOException {
        write();

        assertThat(tables()).contains(
                "<th scope=\"row\">MallocArena</th><td class=\"memory\">checked, scoped</td><td>10.0</td><td>8.00..12.5</td><td>10.0</td><td>0</td>"
                        + UNCERTAIN
                        + "3.13x faster [1.36..6.73]</td><td>10.0 | 16.0</td><td>10.0..16.0</td><td>10.0</td><td>0</td>"
                        + UNCERTAIN
                        + "4.00x faster [1.71..7.08]</td>",
                "<th scope=\"row\">malloc</th><td class=\"memory\">none</td><td>20.0</td><td>20.0..20.0</td><td>20.0</td><td>0</td>"
                        + UNCERTAIN
                        + "1.35x faster [0.78..2.93]</td><td>20.0</td><td>20.0..20.0</td><td>20.0</td><td>0</td><td><b>2.00x faster [1.90..2.18]</b></td>",
                "<th scope=\"row\">MallocArena mimalloc</th><td class=\"memory\">checked, scoped</td><td class=\"missing\" colspan=\"5\">not available: mimalloc is "
                        + "not installed</td><td class=\"missing\" colspan=\"5\">not part of the suite</td>",
                UNCERTAIN + "250x faster [90.4..471] <span class=\"warning\">leaks: 12 KiB</span></td>",
                "<th scope=\"row\">InfiniteArena file each</th><td>60,000</td><td>60,000..60,000</td><td>60,000</td>"
                        + "<td>2,000</td><td><b>5,000x slower [5,000..5,000]</b></td>");
    }

    @Test
    void page_ofStoredResults_saysWhereAndHowItWasMeasured() throws IOException {
        write();

        assertThat(tables()).contains("<title>A &lt;tiny&gt; suite</title>", "<span class=\"badge\">preliminary</span>",
                "<dd>A processor, 2 CPUs</dd>", "<dd>Temurin-25</dd>",
                "<dd>2026-01-31, started 2026-01-31 10:15 UTC</dd>",
                "<dd>--flag=&lt;a&gt; -Xmx1g</dd>", "<dt>Heap</dt><dd>512 MiB at most, Serial GC</dd>",
                "<dt>Further flags</dt><dd>-Xone (one block, malloc; session, malloc)</dd>",
                "<dd>3 to 5 forks each</dd>",
                "Missing or untrusted figures (3)",
                "failed: threw &lt;b&gt;this&lt;/b&gt;; and | that",
                "its interval contains 1, or is wider than a factor of 1.3")
                .doesNotContain("<b>this");
    }

    @Test
    void page_needsNothingButItself() throws IOException {
        write();

        String page = Files.readString(directory.resolve("index.html"));
        assertThat(tables()).doesNotContain("<link", "<img", "<iframe", "@import", "url(");
        assertThat(page.contains("<script src=")).isFalse();
        // The licences of ECharts and of a part of it require these. The page is too long for a failure message.
        assertThat(page.contains("Apache License, Version 2.0")).isTrue();
        assertThat(page.contains("Copyright 2010-2016 Mike Bostock")).isTrue();
    }

    @Test
    void report_withoutADescriptionOfTheRun_isWrittenAllTheSame() throws IOException {
        assertThat(Report.write(results(directory))).isEqualTo(directory.resolve("index.html"));

        assertThat(tables())
                .contains("<h1>Benchmark results <span class=\"badge\">preliminary</span></h1>",
                        "not recorded: there is no run.json")
                .doesNotContain("Missing or untrusted");
        assertThat(directory.resolve("results.csv")).content().contains("\n\"\",one block,MallocArena,");
        assertThat(directory.resolve("summary.md")).content().startsWith("# Benchmark results\n");
    }

    @Test
    void report_withoutResults_saysWhichFileIsMissing() {
        assertThatIOException().isThrownBy(() -> Report.write(directory))
                .withMessage("No such result file: file=" + directory.resolve("results.json"));
    }

    private void write() throws IOException {
        RunDescriptionTest.stored().write(results(directory));
        Report.write(directory);
    }

    /// Returns the page up to its scripts.
    private String tables() throws IOException {
        String page = Files.readString(directory.resolve("index.html"));
        return page.substring(0, page.indexOf("<script"));
    }
}
