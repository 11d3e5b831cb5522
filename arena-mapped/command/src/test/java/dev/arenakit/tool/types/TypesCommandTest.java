package dev.arenakit.tool.types;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.text.CHeader;
import dev.arenakit.layout.text.CHeaderTypes;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.InstalledPrograms;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class TypesCommandTest {
    @TempDir
    Path directory;

    /// The compiler of C runs once for each header, and the compiler of Java too.
    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"linux/io_uring.h", "linux/perf_event.h", "linux/if_packet.h", "linux/tcp.h", "linux/bpf.h",
            "linux/input.h", "linux/fuse.h", "linux/kvm.h", "linux/videodev2.h", "linux/btrfs.h", "linux/ethtool.h",
            "linux/netlink.h", "linux/usb/ch9.h", "linux/aio_abi.h", "sound/asound.h", "netinet/ip.h", "netinet/tcp.h",
            "netinet/in.h", "sys/stat.h", "sys/socket.h", "sys/epoll.h", "sys/timex.h", "sys/user.h", "sys/statvfs.h",
            "elf.h", "dirent.h", "signal.h", "time.h", "termios.h", "stdio.h", "netdb.h", "pthread.h", "stddef.h",
            "zlib.h", "sqlite3.h"})
    void types_javaOfASystemHeader_hasTheParsedTypes(String header) throws Exception {
        Files.writeString(directory.resolve("header.c"), "#include <sys/types.h>\n#include <" + header + ">\n");
        new ProcessBuilder("cc", "-D_GNU_SOURCE", "-E", "header.c", "-o", "header.i").directory(directory.toFile())
                .inheritIO()
                .start()
                .waitFor();
        compare(Files.readString(directory.resolve("header.i")));
    }

    private void compare(String text) throws Exception {
        Path header = directory.resolve("header.i");
        Files.writeString(header, text);
        ToolRun run = ToolRun.of("types", header.toString(), "--java");
        Path source = directory.resolve("header_i.java");
        Files.writeString(source, run.out());
        StringWriter messages = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        boolean compiled = compiler.getTask(messages, null, null,
                List.of("-d", directory.toString(), "-proc:none", "-Xlint:none"), null,
                compiler.getStandardFileManager(null, null, UTF_8).getJavaFileObjects(source)).call();
        assertThat(compiled).as("%s", messages).isTrue();
        List<String> wrong = new ArrayList<>();
        int count = 0;
        CHeaderTypes types = CHeader.parse(text);
        try (URLClassLoader loader = new URLClassLoader(new URL[]{directory.toUri().toURL()})) {
            for (Class<?> type : loader.loadClass("header_i").getDeclaredClasses()) {
                Name name = type.getAnnotation(Name.class);
                if (type.isEnum() || type.isAnnotationPresent(Union.class)
                        || (name != null && name.value().isEmpty())) {
                    continue;
                }
                StructType mapped;
                try {
                    mapped = type.isRecord()
                            ? RecordMapper.of(type.asSubclass(Record.class)).type()
                            : ViewMapper.of(type).type();
                } catch (RuntimeException e) {
                    wrong.add(type.getSimpleName() + ": " + e.getMessage());
                    continue;
                }
                if (!mapped.name().isEmpty()) {
                    count++;
                    MemoryType parsed = types.types()
                            .getOrDefault("struct " + mapped.name(),
                                    types.types().get(mapped.name()));
                    if (!mapped.equals(parsed)) {
                        wrong.add(type + "\n  " + mapped + "\n  " + parsed);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        System.out.println(count + " " + run.err());
    }
}
