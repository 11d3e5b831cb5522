package dev.arenakit.tool.types;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.text.CHeader;
import dev.arenakit.layout.text.CHeaderTypes;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class TypesCommandTest {
    private static final String HEADER = """
            # 1 "/usr/include/node.h"
            typedef unsigned int u32;
            union value { long whole; double real; };
            enum color { RED, BLUE = 5, AZURE = 5, GREEN = 0x7fffffff };
            struct node {
                struct node *next;
                u32 kind : 4, large : 20;
                enum color color;
                char class[8];
                union value values;
                union { short s; char c[3]; };
            };
            typedef struct { unsigned short port __attribute__((aligned(4))); int wait[2][3]; } __attribute__((packed)) odd;
            struct list { int count; union value items[2]; struct node nodes[]; };
            struct gap { int a : 3; int : 0; int b : 3; };
            struct none { int x; _Complex float y; };
            """;

    @TempDir
    Path directory;

    private Path header() throws IOException {
        return Files.writeString(directory.resolve("node.i"), HEADER);
    }

    @Test
    void types_header_printsItsStructsWithTheirOffsets() throws IOException {
        ToolRun run = ToolRun.of("types", header().toString()).exits(1);
        assertThat(run.err()).isEqualTo("arena: /usr/include/node.h:15: struct none: _Complex is no known type\n");
        assertThat(run.out().lines().filter(line -> line.contains(": size"))).containsExactly(
                "union value: size 8, alignment 8", "struct node: size 40, alignment 8",
                "struct odd: size 28, alignment 4",
                "struct list: size 24, alignment 8", "struct gap: size 8, alignment 4");
        assertThat(run.out()).contains("\n    12     4  enum color             color\n");
    }

    @Test
    void types_structOfStandardInput_isPrintedAlone() {
        ToolRun run = ToolRun.withInput(HEADER.getBytes(UTF_8), "types", "-", "--struct", "gap").succeeds();
        assertThat(run.out()).isEqualTo("""
                struct gap: size 8, alignment 4

                offset  size  type          name
                     0     1  int32_t : 3   a
                     1     3  *** hole ***
                     4     1  int32_t : 3   b
                     5     3  *** hole ***

                Holes: 6 bytes in 2 places.

                """);
        ToolRun several = ToolRun
                .withInput(HEADER.getBytes(UTF_8), "types", "-", "--struct", "gap", "--struct", "gaps", "--struct",
                        "odd")
                .exits(1);
        assertThat(several.out()).startsWith(run.out() + "struct odd: size 28");
        assertThat(several.err()).isEqualTo("""
                arena: /usr/include/node.h:15: struct none: _Complex is no known type
                arena: -: no type gaps (did you mean gap?)
                """);
        assertThat(ToolRun.withInput(HEADER.getBytes(UTF_8), "types", "-", "--struct", "u32", "--java").exits(1).err())
                .endsWith("has a layout or a size that no record has\n");
    }

    @Test
    void types_text_isParsedAsTheStruct() throws IOException {
        for (String name : List.of("node", "odd", "list", "gap")) {
            ToolRun run = ToolRun.of("types", header().toString(), "--struct", name, "--text").succeeds();
            assertThat(LayoutText.parse(run.out())).isEqualTo(CHeader.parse(HEADER).find(name).orElseThrow());
        }
    }

    /// The compiler takes more than a second when it is first used.
    @Test
    void types_java_hasTheParsedTypes() throws Exception {
        assertThat(compile("struct twice { int class, class_, class__; }; struct text { char large[2147483640]; };"
                + "struct large { int numbers[3][3000000000]; }; struct texts { int count; char none[0][4]; };"))
                .containsExactly("arena: struct text: has a layout or a size that no record has",
                        "arena: struct large: has a layout or a size that no record has",
                        "arena: struct texts: has a layout or a size that no record has");
        assertThat(compile(HEADER)).containsExactly(
                "arena: /usr/include/node.h:15: struct none: _Complex is no known type",
                "arena: struct gap: has a layout or a size that no record has");
        assertThat(ToolRun.of("types", header().toString(), "--java", "--struct", "node").succeeds().out())
                .isEqualTo("""
                        import dev.arenakit.layout.annotation.*;
                        import java.lang.foreign.MemorySegment;

                        public final class node {
                            private node() {}

                            @Name("node")
                            public record Node(
                                    @TargetType(Node.class) MemorySegment next,
                                    @Bits(4) @Unsigned(4) int kind,
                                    @Bits(20) @Unsigned(4) int large,
                                    Color color,
                                    @Name("class") @Length(8) String class_,
                                    @Union(of = Value_.class) byte[] values,
                                    @Anonymous @Union(of = NodeUnion1.class) byte[] union1) {}

                            @Name("color")
                            public enum Color {
                                @Value(0) RED,
                                @Value(5) BLUE,
                                @Value(2147483647) GREEN
                            }

                            @Name("value")
                            @Union
                            @Members({"whole", "real"})
                            public interface Value_ {
                                long whole();
                                double real();
                            }

                            @Name("")
                            @Union
                            @Members({"s", "c"})
                            public interface NodeUnion1 {
                                short s();
                                @Length(3) String c();
                            }
                        }
                        """);
    }

    /// The compilers of C and Java run for each header.
    @Tag("full")
    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {"linux/io_uring.h, -", "linux/perf_event.h, -", "linux/if_packet.h, -",
            "linux/tcp.h, -", "linux/bpf.h, bpf_raw_tracepoint_args bpf_fib_lookup bpf_timer bpf_dynptr",
            "linux/input.h, -", "linux/fuse.h, -", "linux/kvm.h, -", "linux/videodev2.h, -", "linux/btrfs.h, -",
            "linux/ethtool.h, -", "linux/netlink.h, -", "linux/usb/ch9.h, -", "linux/aio_abi.h, -",
            "sound/asound.h, timex __snd_pcm_mmap_status64 __snd_pcm_mmap_control64 __snd_pcm_sync_ptr64",
            "netinet/ip.h, -", "netinet/tcp.h, -", "netinet/in.h, -", "sys/stat.h, -", "sys/socket.h, -",
            "sys/epoll.h, -", "sys/timex.h, timex", "sys/user.h, -", "sys/statvfs.h, -", "elf.h, -", "dirent.h, -",
            "signal.h, -", "time.h, timex", "termios.h, -", "stdio.h, -", "netdb.h, -", "pthread.h, timex",
            "stddef.h, -", "zlib.h, -", "sqlite3.h, -"})
    void types_javaOfASystemHeader_hasTheParsedTypes(String header, String refused) throws Exception {
        Path source = Files.writeString(directory.resolve("header.c"),
                "#include <sys/types.h>\n#include <" + header + ">\n");
        int exitCode = new ProcessBuilder("cc", "-D_GNU_SOURCE", "-E", source.toString(), "-o", source + ".i")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("messages").toFile())
                .start()
                .waitFor();
        assumeTrue(exitCode == 0,
                () -> "needs " + header + ": apt-get install gcc libc6-dev zlib1g-dev libsqlite3-dev");
        List<String> names = refused == null ? List.of() : Arrays.asList(refused.split(" "));
        assertThat(compile(Files.readString(Path.of(source + ".i")))).isEqualTo(names.stream()
                .map(name -> "arena: struct " + name + ": has a layout or a size that no record has")
                .toList());
    }

    /// Compiles the classes for a header, and compares their structs with the parsed structs.
    ///
    /// @return the messages of the command
    private List<String> compile(String text) throws Exception {
        Path header = Files.writeString(directory.resolve("header.i"), text);
        ToolRun run = ToolRun.of("types", header.toString(), "--java");
        Path source = Files.writeString(directory.resolve("header.java"), run.out());
        StringWriter messages = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
            assertThat(compiler.getTask(messages, files, null, List.of("-d", directory.toString(), "-proc:none"), null,
                    files.getJavaFileObjects(source)).call()).as("%s", messages).isTrue();
        }
        CHeaderTypes types = CHeader.parse(text);
        List<String> mapped = new ArrayList<>();
        try (URLClassLoader loader = new URLClassLoader(new URL[]{directory.toUri().toURL()})) {
            for (Class<?> type : loader.loadClass("header").getDeclaredClasses()) {
                Name name = type.getAnnotation(Name.class);
                boolean nested = name != null && name.value().isEmpty();
                if (!nested && !type.isEnum() && !type.isAnnotationPresent(Union.class)) {
                    StructType struct = type.isRecord()
                            ? RecordMapper.of(type.asSubclass(Record.class)).type()
                            : ViewMapper.of(type).type();
                    String key = types.types().containsKey("struct " + struct.name()) ? "struct " : "";
                    StructType parsed = (StructType) types.find(key + struct.name()).orElseThrow();
                    assertThat(struct).isEqualTo(parsed.declared().orElse(parsed));
                    mapped.add(key + struct.name());
                }
            }
        }
        types.types().forEach((key, type) -> {
            if (key.startsWith("struct ") && type.byteSize() > 0 && !run.err().contains(key + ": ")) {
                assertThat(mapped).contains(key);
            }
        });
        return run.err().lines().toList();
    }
}
