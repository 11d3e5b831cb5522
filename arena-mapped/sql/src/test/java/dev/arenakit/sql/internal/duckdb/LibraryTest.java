package dev.arenakit.sql.internal.duckdb;

import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.SqlResult;
import dev.arenakit.sql.StructSql;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Finding, unpacking and loading the library.
class LibraryTest {
    private static final String ENTRY = "libduckdb_java.so_linux_amd64";
    private static final byte[] CONTENT = "not a library".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path directory;

    private URL jar() throws IOException {
        Path jar = directory.resolve("duckdb.jar");
        try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry(ENTRY));
            out.write(CONTENT);
        }
        return URI.create("jar:" + jar.toUri() + "!/" + ENTRY).toURL();
    }

    private List<Path> files(Path cache) throws IOException {
        try (Stream<Path> files = Files.list(cache)) {
            return files.toList();
        }
    }

    @Test
    void unpack_writesTheFileOnce_andAgainIfItWasChanged() throws IOException {
        Path cache = directory.resolve("parent/cache");
        Path file = new LibraryCache(cache).unpack(jar(), ENTRY);
        assertThat(file).hasBinaryContent(CONTENT);
        assertThat(files(cache)).containsExactly(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache))).isEqualTo("rwx------");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1000));
        assertThat(new LibraryCache(cache).unpack(jar(), ENTRY)).isEqualTo(file);
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(FileTime.fromMillis(1000));
        Files.writeString(file, "not a Library");
        assertThat(new LibraryCache(cache).unpack(jar(), ENTRY)).isEqualTo(file).hasBinaryContent(CONTENT);
        assertThat(files(cache)).containsExactly(file);
    }

    @Test
    void unpack_toADirectoryOfOthers_isRefused() throws IOException {
        URL jar = jar();
        Path open = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatThrownBy(() -> new LibraryCache(open).unpack(jar, ENTRY)).isInstanceOf(IOException.class)
                .hasMessageContaining("mode=755");
        Path own = Files.createDirectory(directory.resolve("own"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path link = Files.createSymbolicLink(directory.resolve("link"), own);
        assertThatThrownBy(() -> new LibraryCache(link).unpack(jar, ENTRY)).isInstanceOf(IOException.class)
                .hasMessageContaining("Not a directory");
        assertThat(files(open)).isEmpty();
        assertThat(files(own)).isEmpty();
    }

    @Test
    void unpack_whereAFileIsALink_replacesTheLink() throws IOException {
        Path cache = directory.resolve("cache");
        Path file = new LibraryCache(cache).unpack(jar(), ENTRY);
        Path other = Files.write(directory.resolve("other"), CONTENT);
        Files.delete(file);
        Files.createSymbolicLink(file, other);
        assertThat(new LibraryCache(cache).unpack(jar(), ENTRY)).isEqualTo(file);
        assertThat(Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).isTrue();
    }

    @Test
    void unpack_intoACacheThatIsFilledAndReadOnly_writesNothing() throws IOException {
        Path cache = directory.resolve("cache");
        Path file = new LibraryCache(cache).unpack(jar(), ENTRY);
        FileTime filled = FileTime.fromMillis(1000);
        Files.setLastModifiedTime(cache, filled);
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("r-x------"));
        try {
            assertThat(new LibraryCache(cache).unpack(jar(), ENTRY)).isEqualTo(file);
            // The administrator can write all the same.
            assertThat(Files.getLastModifiedTime(cache)).isEqualTo(filled);
        } finally {
            Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void unpack_afterAProcessWasKilledMeanwhile_deletesItsFile() throws IOException {
        Path cache = directory.resolve("cache");
        Path file = new LibraryCache(cache).unpack(jar(), ENTRY);
        Files.delete(file);
        Path abandoned = Files.writeString(cache.resolve("unpacking1.tmp"), "not a");
        Files.setLastModifiedTime(abandoned, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        Path current = Files.writeString(cache.resolve("unpacking2.tmp"), "not");
        Path other = Files.writeString(cache.resolve("other"), "");
        Files.setLastModifiedTime(other, FileTime.fromMillis(1000));
        assertThat(new LibraryCache(cache).unpack(jar(), ENTRY)).isEqualTo(file);
        assertThat(files(cache)).containsExactlyInAnyOrder(file, current, other);
    }

    @Test
    void load_ofWhatIsNoLibraryOfDuckDb_saysSo() throws IOException {
        Path text = Files.write(directory.resolve("text.so"), CONTENT);
        assertThatThrownBy(() -> StructSql.open(text)).isInstanceOf(SqlException.class)
                .hasMessageContaining("cannot be loaded: path=" + text);
        if (System.getProperty("os.name").equals("Linux")) {
            assertThatThrownBy(() -> StructSql.open(text)).hasMessageContaining("not in format ELF");
        }
        assertThatThrownBy(() -> StructSql.open(directory.resolve("none.so"))).isInstanceOf(SqlException.class)
                .hasMessageContaining("not a file");
        Path jvm = Path.of(System.getProperty("java.home"), "lib", "libzip.so");
        assertThatThrownBy(() -> StructSql.open(jvm)).isInstanceOf(SqlException.class)
                .hasMessageContaining("version=none")
                .hasMessageContaining("missing=duckdb_library_version");
    }

    @Test
    void load_ofATruncatedLibrary_saysSo() throws IOException {
        byte[] whole = Files.readAllBytes(Path.of(System.getProperty("java.home"), "lib", "libzip.so"));
        Path library = directory.resolve("truncated.so");
        for (int length : List.of(5, 63, 100, 3000, whole.length / 2, whole.length - 1)) {
            Files.write(library, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> StructSql.open(library)).isInstanceOf(SqlException.class)
                    .hasMessageContaining("truncated: path=" + library);
        }
    }

    @Test
    void load_ofAJar_unpacksItsLibrary() throws IOException {
        Path empty = directory.resolve("empty.jar");
        try (OutputStream file = Files.newOutputStream(empty); JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry("nothing"));
        }
        assertThatThrownBy(() -> StructSql.open(empty)).isInstanceOf(SqlException.class)
                .hasMessageContaining("cannot be unpacked: from=" + empty);
        Path jar = Stream.of(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> String.valueOf(path.getFileName()).startsWith("duckdb_jdbc"))
                .findFirst()
                .orElseThrow();
        try (StructSql sql = StructSql.open(jar)) {
            assertThat(sql.version()).startsWith("v");
        }
    }

    @Test
    void ofUser_whoHasNoHome_isRefused() throws IOException {
        assertThatThrownBy(() -> LibraryCache.ofUser(null, "?")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> LibraryCache.ofUser("/a\0b", "/home")).isInstanceOf(IOException.class);
        assertThat(LibraryCache.ofUser("/cache", "?")).isNotNull();
    }

    @Test
    void find_withoutALibrary_saysThreeWaysToGetOne() {
        assertThatThrownBy(() -> LibraryFinder.unpack("libduckdb_java.so_plan9_mips"))
                .isInstanceOf(SqlException.class)
                .hasMessageContaining("StructSql.open(Path)")
                .hasMessageContaining(LibraryFinder.VARIABLE)
                .hasMessageContaining("org.duckdb:duckdb_jdbc");
    }

    @Test
    void resource_hasTheNamesOfTheJar() {
        assertThat(LibraryFinder.resource("Linux", "amd64")).isEqualTo(ENTRY);
        assertThat(LibraryFinder.resource("Linux", "aarch64")).isEqualTo("libduckdb_java.so_linux_arm64");
        assertThat(LibraryFinder.resource("Mac OS X", "aarch64")).isEqualTo("libduckdb_java.so_macos_arm64");
        assertThat(LibraryFinder.resource("Windows 11", "amd64")).isEqualTo("libduckdb_java.so_windows_amd64");
    }

    @Test
    void version_isThatOfTheLibrary() {
        try (StructSql sql = StructSql.open(); SqlResult result = sql.query("select version()")) {
            assertThat(result.next()).isTrue();
            // In the slow build, the tests run with other versions, too.
            assertThat(sql.version()).startsWith("v" + System.getProperty("duckdb.version", ""))
                    .isEqualTo(result.text(0));
        }
    }

    @Test
    void engine_loadsNoExtensionsByItself_andSpillsToNoFile() {
        try (StructSql sql = StructSql.open()) {
            for (String setting : List.of("autoinstall_known_extensions", "autoload_known_extensions",
                    "allow_persistent_secrets")) {
                try (SqlResult result = sql.query("select current_setting(?)::varchar", setting)) {
                    assertThat(result.next()).isTrue();
                    assertThat(result.text(0)).as(setting).isEqualTo("false");
                }
            }
            try (SqlResult result = sql.query("select current_setting('temp_directory')")) {
                assertThat(result.next()).isTrue();
                assertThat(result.value(0).orElse("")).isEqualTo("");
            }
            assertThatThrownBy(() -> sql.query("select * from 'https://localhost:1/x.parquet'"))
                    .isInstanceOf(SqlException.class)
                    .hasMessageContaining("httpfs");
        }
    }
}
