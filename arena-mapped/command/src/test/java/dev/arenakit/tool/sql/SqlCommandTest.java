package dev.arenakit.tool.sql;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import dev.arenakit.tool.console.Output;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests of `arena sql`, with the library on the class path. Takes some seconds: each test opens a database of
/// DuckDB.
class SqlCommandTest extends InSharedMemory {
    private static final StructType POINT = LayoutText.parse("""
            #pragma layout 2
            struct Point { int32_t x; int32_t y; char text[24]; };
            """);

    private ToolRun sql(String... args) {
        return onBase("sql", args);
    }

    private Path points(String name, int count) {
        Path points = directory.resolve(name);
        using(InfiniteArena.ofShared(points), arena -> fill(arena.names().allocate("points", POINT, 1000), count));
        return points;
    }

    /// Sets x from 1 and y to its square.
    private static void fill(MemorySegment points, int count) {
        for (int i = 0; i < count; i++) {
            points.set(JAVA_INT, i * POINT.byteSize(), i + 1);
            points.set(JAVA_INT, i * POINT.byteSize() + 4, (i + 1) * (i + 1));
        }
    }

    @Test
    void sql_query_printsAnAlignedTable() {
        points("memory", 100);
        ToolRun run = sql(
                "select x % 2 as odd, sum(y), min(text) as m, null as nothing from points group by 1 order by 1")
                .succeeds();
        assertThat(run.out()).isEqualTo("""
                odd  sum(y)  m  nothing
                  0  171700     NULL
                  1  166650     NULL
                """);
    }

    @Test
    void sql_severalStatements_areExecutedInOrder() {
        points("memory", 3);
        assertThat(sql("create table copied as from points; select count(*) as n from copied; from copied where 1=2")
                .out()).isEqualTo("""
                        Count
                            3
                        n
                        3
                        rowid  x  y  text
                        """);
    }

    @Test
    void sql_statementThatIsNoQuery_printsNothingForPrograms() {
        points("memory", 3);
        String statements = "create table t as from points; create view v as from t; set threads = 1;"
                + " delete from t where x = 1; insert into t(x) values (7) returning x; select count(*) as \"Count\" from t";
        assertThat(sql("--csv", statements).out()).isEqualTo("x\n7\nCount\n3\n");
        assertThat(sql("--json", statements).out().lines().skip(1)).containsExactly(
                "{\"kind\":\"columns\",\"names\":[\"x\"]}", "{\"kind\":\"row\",\"values\":{\"x\":7}}",
                "{\"kind\":\"end\",\"rows\":1}", "{\"kind\":\"columns\",\"names\":[\"Count\"]}",
                "{\"kind\":\"row\",\"values\":{\"Count\":3}}", "{\"kind\":\"end\",\"rows\":1}");
        assertThat(sql("select 1 as \"Count\" where 1 = 2").out()).isEqualTo("Count\n");
    }

    @Test
    void sql_zeros_areRowsIfAskedFor() {
        points("memory", 3);
        assertThat(sql("select count(*) as n, max(rowid) as last from points").out()).isEqualTo("n  last\n3     2\n");
        assertThat(sql("--zeros", "select count(*) as n, max(rowid) as last from points").out())
                .isEqualTo("   n  last\n1000   999\n");
    }

    @Test
    void sql_csv_quotesWhatNeedsIt() {
        points("memory", 1);
        assertThat(sql("--csv", "select x, 'a,\"b' as t, '' as e, null as n, {'a': [1, null], 'b': 'c'} as s,"
                + " 1.50::decimal(9,2) as d from points").out()).isEqualTo("""
                        x,t,e,n,s,d
                        1,"a,""b","",,"{ a = [1, NULL], b = ""c"" }",1.50
                        """);
    }

    @Test
    void sql_times_haveTheDigitsOfTheirType() {
        points("memory", 1);
        String query = "select s::timestamp_s as s, s::timestamp_ms as ms, s::timestamp as us, s::timestamp_ns as ns, s::time"
                + " as t, s::timestamptz as tz, [s::timestamp_ms, null] as l from (values (timestamp"
                + " '2020-01-01 00:00:00'), ('2020-01-02 10:00:01.25')) v(s)";
        assertThat(sql("--csv", query).out()).isEqualTo("""
                s,ms,us,ns,t,tz,l
                2020-01-01T00:00:00,2020-01-01T00:00:00.000,2020-01-01T00:00:00.000000,2020-01-01T00:00:00.000000000,\
                00:00:00.000000,2020-01-01T00:00:00.000000Z,"[2020-01-01T00:00:00.000, NULL]"
                2020-01-02T10:00:01,2020-01-02T10:00:01.250,2020-01-02T10:00:01.250000,2020-01-02T10:00:01.250000000,\
                10:00:01.250000,2020-01-02T10:00:01.250000Z,"[2020-01-02T10:00:01.250, NULL]"
                """);
        assertThat(sql("--json", "select time '10:00' as t, date '2020-01-01' as d").out())
                .contains("{\"t\":\"10:00:00.000000\",\"d\":\"2020-01-01\"}");
    }

    @Test
    void sql_json_hasTypedValuesAndDistinctNames() {
        points("memory", 1);
        ToolRun run = sql("--json", "select x, x as x, 'é' as t, null as n, true as b, 'nan'::double as f,"
                + " {'a': [1.5::double, null]} as s, 18446744073709551615::ubigint as u from points");
        assertThat(run.out()).isEqualTo("""
                {"kind":"version","command":"sql","version":1}
                {"kind":"columns","names":["x","x_1","t","n","b","f","s","u"]}
                {"kind":"row","values":{"x":1,"x_1":1,"t":"\\u00E9","n":null,"b":true,"f":"NaN","s":{"a":[1.5,null]},\
                "u":18446744073709551615}}
                {"kind":"end","rows":1}
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--csv", "--json"})
    void sql_queryThatFailsInTheMiddle_hasItsFirstRowsAndFails(String form) {
        points("memory", 1);
        ToolRun run = sql(form,
                "set streaming_buffer_size = '64KB'; select case when i = 300000 then error('late') else i::varchar end as i from range(1000000) r(i)");
        assertThat(run.out().lines().count()).isGreaterThan(1000);
        assertThat(run.out()).doesNotContain("\"end\"");
        assertThat(run.err()).contains("late");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    @Tag("full")
    void sql_dataFileThatIsDeletedInTheMiddle_isReadToTheEnd() {
        Path points = directory.resolve("many");
        using(InfiniteArena.ofShared(points), arena -> fill(arena.names().allocate("points", POINT, 100_000), 100_000));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ToolRun run = ToolRun.withOutput(new Output(new FilterOutputStream(out) {
            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                Files.deleteIfExists(directory.resolve("many-0"));
                out.write(bytes, from, count);
            }
        }, false), "sql", points.toString(), "--csv", "from points");
        assertThat(run.err()).isEmpty();
        assertThat(directory.resolve("many-0")).doesNotExist();
        assertThat(out.toString(UTF_8).lines().skip(100_000)).containsExactly("99999,100000,1410065408,\"\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--csv", "--json"})
    void sql_readerThatEnds_endsAnEndlessQuery(String form) {
        points("memory", 1);
        ToolRun.withOutput(new Output(ToolRun.failingStream("Broken pipe"), true), "sql",
                base.toString(), form, "from range(1000000000000)").succeeds();
    }

    @Test
    void sql_anotherImage_isJoinedByItsName() {
        points("memory", 5);
        Path other = points("other", 4);
        assertThat(
                sql("--as", "then=" + other, "select rowid, p.y from points p anti join \"then\".points using (rowid)")
                        .out())
                .isEqualTo("rowid   y\n    4  25\n");
    }

    @Test
    void sql_liveImage_hasWhatIsStoredNow() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment points = arena.names().allocate("points", POINT, 1000);
            fill(points, 2);
            assertThat(sql("select sum(x) as s from points").out()).isEqualTo("s\n3\n");
            fill(points, 3);
            assertThat(sql("select sum(x) as s from points").out()).isEqualTo("s\n6\n");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"selec 1 | Parser Error: syntax error",
            "from pionts | Table with name pionts does not exist", "select z from points | Binder Error",
            "select 1; from pionts | Did you mean \"points\"?", "select ? | parameter",
            "select error('no') | no"})
    void sql_failingStatement_isReportedInLines(String statement, String message) {
        points("memory", 1);
        ToolRun run = sql(statement).exits(1);
        assertThat(run.err()).contains(message);
        assertThat(run.err().lines()).allMatch(line -> line.startsWith("arena: "));
    }

    @Test
    void sql_wrongCommandLine_isBadUsage() {
        points("memory", 1);
        assertThat(sql("--csv", "--json", "select 1").exitCode()).isEqualTo(2);
        assertThat(sql("--as", base.toString(), "select 1").exitCode()).isEqualTo(2);
        assertThat(sql("--as", "noon=" + base, "--as", "Noon=" + base, "select 1").exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "main", "Main", "memory", "temp", "TEMP", "system", "pg_catalog", "information_schema"})
    void sql_nameOfAnImageThatIsTaken_isBadUsage(String name) {
        points("memory", 1);
        assertThat(sql("--as", name + "=" + base, "select 1").exits(2).err())
                .contains("Invalid value for option '--as': '" + name + "'");
    }

    @Test
    void sql_nameOfAnImageWithQuotes_isASchema() {
        points("memory", 1);
        Path other = points("a=b", 5);
        ToolRun run = sql("--as", "a\"b.c=" + other, "select count(*) as n from \"a\"\"b.c\".points");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("n\n5\n");
    }

    @Test
    void sql_tablesOfSeveralImages_haveTheirSchemas() {
        points("memory", 1);
        Path other = points("other", 1);
        assertThat(sql("--as", "also=" + other, ".tables").out()).isEqualTo("points\nalso.points\n");
        assertThat(sql("--as", "also=" + other, "describe also.points").out()).contains("rowid        BIGINT");
    }

    @Test
    void sql_statementThatBeginsWithAComment_followsTwoHyphens() {
        points("memory", 1);
        assertThat(sql("--csv", "--", "-- all\nselect 1 as a").out()).isEqualTo("a\n1\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"from read_csv('%s/secret')", "from '%s/secret.csv'", "from read_text('%s/secret')",
            "from glob('%s/*')", "copy points to '%s/out.csv'", "copy points from '%s/secret'",
            "export database '%s/out'", "attach '%s/out.db'", "install json", "load '%s/x.duckdb_extension'",
            "set enable_external_access = true", "reset enable_external_access", "set lock_configuration = false",
            "set temp_directory = '%s'", "pragma profile_output = '%s/out'", "set profiling_output = '%s/out'",
            "call enable_logging(storage = 'file', storage_path = '%s/out')"})
    @Tag("full")
    void sql_statementOutsideTheImage_isRefusedIfSafe(String statement) throws IOException {
        points("memory", 1);
        Files.writeString(directory.resolve("secret"), "secret\n");
        Files.writeString(directory.resolve("secret.csv"), "secret\n");
        ToolRun run = sql("--safe", statement.formatted(directory));
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(1);
        assertThat(run.out()).doesNotContain("secret");
        assertThat(names()).noneMatch(name -> name.startsWith("out"));
    }

    @Test
    void sql_queryOfImages_isExecutedIfSafe() {
        points("memory", 3);
        Path other = points("other", 2);
        ToolRun run = sql("--safe", "--csv", "--as", "other=" + other, "select sum(x) as x from points;"
                + " create table t as from other.points; select count(*) as n from t; show tables");
        assertThat(run.out()).startsWith("x\n6\nn\n2\n");
    }

    @Test
    void historyFile_ofAUserWithoutAHome_isNotCreated() throws IOException {
        assertThatThrownBy(() -> SqlHistoryFile.in(SqlHistoryFile.directoryOfUser(null, "?")))
                .isInstanceOf(IOException.class);
        assertThat(Path.of("?")).doesNotExist();
        Path state = directory.resolve("state");
        assertThat(SqlHistoryFile.in(SqlHistoryFile.directoryOfUser(state.toString(), "?")))
                .isEqualTo(state.resolve("arenakit/sql-history"));
        assertThat(Files.getPosixFilePermissions(state.resolve("arenakit/sql-history")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void historyFile_inADirectoryThatOthersMayWrite_isRefused() throws IOException {
        Path state = Files.createDirectory(directory.resolve("state"));
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> SqlHistoryFile.in(state.resolve("arenakit"))).isInstanceOf(IOException.class)
                .hasMessageContaining("directory=" + state);
        assertThat(state).isEmptyDirectory();
    }

    @Test
    void historyFile_thatIsALink_isRefused() throws IOException {
        Path arenakit = directory.resolve("arenakit");
        Files.createSymbolicLink(SqlHistoryFile.in(arenakit).resolveSibling("other"), Path.of("target"));
        Files.move(arenakit.resolve("other"), arenakit.resolve("sql-history"), StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> SqlHistoryFile.in(arenakit)).isInstanceOf(IOException.class);
    }

    @Test
    void sql_nameThatIsAWordOfSql_isPrintedInQuotes() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            fill(arena.names().allocate("order", POINT, 3), 1);
            fill(arena.names().allocate("left", POINT, 3), 1);
            fill(arena.names().allocate("a\"b", POINT, 3), 1);
        }
        assertThat(sql(".tables").out()).isEqualTo("\"order\"\n\"left\"\n\"a\"\"b\"\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {".tables;", "  .tables", ".tables ; "})
    void sql_commandBetweenSpacesAndASemicolon_isExecuted(String line) {
        points("memory", 1);
        ToolRun run = ToolRun.withInput((line + "\nselect 1 as a;").getBytes(UTF_8), "sql", base.toString());
        assertThat(run.out()).isEqualTo("points\na\n1\n");
        assertThat(run.err()).isEmpty();
        assertThat(sql(line).out()).isEqualTo("points\n");
    }

    @Test
    void sql_noImage_isReported() {
        assertThat(sql("select 1").exits(1).err()).isEqualTo("arena: " + base + ": no such image\n");
    }

    @Test
    void sql_noLibrary_isReportedWithItsPath() throws IOException {
        points("memory", 1);
        Path missing = directory.resolve("libduckdb.so");
        assertThat(sql("--duckdb", missing.toString(), "select 1").err())
                .isEqualTo("arena: Library of DuckDB is not a file: path=" + missing + "\n");
        Path text = Files.writeString(directory.resolve("text.jar"), "no jar");
        assertThat(sql("--duckdb", text.toString(), "select 1").exits(1).err())
                .startsWith("arena: Library of DuckDB cannot be unpacked: ")
                .hasLineCount(1);
    }

    @Test
    void sql_truncatedFile_hasTheRestAndIsReported() throws IOException {
        points("memory", 1000);
        Path file = directory.resolve("memory-0");
        try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw")) {
            data.setLength(10 * POINT.byteSize());
        }
        ToolRun run = sql("select count(*) as n from points").exits(1);
        assertThat(run.out()).isEqualTo(" n\n10\n");
        assertThat(run.err()).isEqualTo("arena: points: file " + file + " is truncated: 320 of 32000 bytes are left\n");
        Files.delete(file);
        assertThat(sql("select count(*) as n from points").err()).contains(
                "arena: points: file " + file + ": No such file or directory\n", "Data file is missing: path=" + file);
    }

    @Test
    void sql_damagedRecords_areReported() throws IOException {
        TestImage.closed(base);
        TestImage.damageRecords(base);
        assertThat(sql("from trades").exits(1).err()).contains("records of the catalog are damaged");
    }

    @Test
    void sql_valueThatIsNoConstant_namesTheStruct() {
        TestImage.closed(base);
        assertThat(sql("select side from trades").exits(1).err()).contains("trades").contains("2");
        assertThat(sql("select id from trades where rowid = 0").out()).contains(String.valueOf(TestImage.EXACT));
    }

    @Test
    void sql_controlCharacters_doNotReachATerminal() {
        TestImage.closed(base);
        assertThat(ToolRun.onTerminal("sql", base.toString(), "select symbol from trades where rowid = 1").out())
                .contains("a\"?[31m");
        assertThat(
                ToolRun.onTerminal("sql", base.toString(), "--csv", "select symbol from trades where rowid = 1").out())
                .contains("\"a\"\"?[31m\"");
        assertThat(sql("--csv", "select symbol from trades where rowid = 1").out()).contains("\u001b[31m");
    }

    @Test
    void sql_manyRows_areAllPrinted() {
        points("memory", 1);
        ToolRun run = sql("select i, repeat('x', (i % 50)::int) as t from range(5000) r(i)");
        assertThat(run.out().lines()).hasSize(5001);
        assertThat(
                run.out().lines().skip(1).mapToLong(line -> Long.parseLong(line.strip().replaceFirst(" .*", ""))).sum())
                .isEqualTo(4999L * 5000 / 2);
    }

    @Test
    void sql_standardInput_isExecutedUpToTheFirstFailure() {
        points("memory", 2);
        ToolRun run = ToolRun.withInput("""
                .tables
                describe points;
                select ';' as a;

                select sum(x) as
                 "s,t" from points; select 2 as n
                ;
                select z;
                select 3;
                """.getBytes(UTF_8), "sql", "--csv", base.toString());
        assertThat(run.out()).isEqualTo("""
                points
                column_name,column_type,null,key,default,extra
                rowid,BIGINT,YES,,,
                x,INTEGER,YES,,,
                y,INTEGER,YES,,,
                text,VARCHAR,YES,,,
                a
                ;
                "s,t"
                3
                n
                2
                """);
        assertThat(run.err()).contains("Binder Error").endsWith("arena: the input has not been read further: line=8\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void sql_namesThatDifferInCase_areReported() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            fill(arena.names().allocate("Points", POINT, 1), 1);
            fill(arena.names().allocate("points", POINT, 2), 2);
        }
        ToolRun run = sql("--csv", "select count(*) as n from points_2").exits(0);
        assertThat(run.err().lines()).containsExactly(
                "arena: " + base + ": the name of Points differs from another one in case only: its table is Points_1",
                "arena: " + base + ": the name of points differs from another one in case only: its table is points_2");
        assertThat(run.out()).isEqualTo("n\n2\n");
    }

    @Test
    void sql_statementsThatAreNotInUtf8_areRefused() {
        points("memory", 1);
        ToolRun run = ToolRun.withInput("\ufeffselect 'é' as a;\n".getBytes(UTF_8), "sql", base.toString(), "--csv");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("a\né\n");
        ToolRun latin = ToolRun.withInput("select 'é' as a;\n".getBytes(ISO_8859_1), "sql", base.toString(), "--csv");
        assertThat(latin.err()).isEqualTo("arena: standard input: not in UTF-8: convert it with iconv\n");
        assertThat(latin.out()).isEmpty();
        assertThat(latin.exitCode()).isEqualTo(1);
    }

    @Test
    void sql_inputWithoutALastSemicolon_isExecuted() {
        points("memory", 1);
        assertThat(ToolRun.withInput("select 1 as a;\nselect 2 as b".getBytes(UTF_8), "sql", base.toString()).out())
                .isEqualTo("a\n1\nb\n2\n");
        assertThat(ToolRun.withInput(new byte[0], "sql", base.toString()).exitCode()).isZero();
    }
}
