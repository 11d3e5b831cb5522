package dev.arenakit.examples;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.testing.ChildJvm;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// A data class of Kotlin as a record. The compiler of Kotlin takes some ten seconds.
@Tag("full")
class KotlinRecordTest {
    @TempDir
    Path directory;

    @Test
    void recordMapper_jvmRecordOfKotlin_hasTheAnnotationsOfItsGetters() throws Exception {
        Path source = Files.writeString(directory.resolve("Person.kt"), """
                package example
                import dev.arenakit.layout.annotation.Encoding
                import dev.arenakit.layout.annotation.Length
                import dev.arenakit.layout.annotation.Unsigned

                @JvmRecord
                data class Person(
                    @get:Length(16) @get:Encoding(Encoding.Kind.UTF_16) val name: String,
                    @get:Unsigned(2) val port: Int,
                    val id: Long,
                )
                """);
        Path classes = directory.resolve("classes");
        ProcessBuilder compiler = ChildJvm.onClassPath()
                .command(Compiler.class, source.toString(), "-no-stdlib",
                        "-no-reflect", "-jvm-target", "24", "-d", classes.toString());
        List<String> line = compiler.command();
        line.addAll(List.of("-cp", line.get(line.indexOf("-cp") + 1)));
        assertThat(ChildJvm.run(compiler)).doesNotContain("error:");
        try (URLClassLoader loader = new URLClassLoader(new URL[]{classes.toUri().toURL()})) {
            Class<? extends Record> person = loader.loadClass("example.Person").asSubclass(Record.class);
            assertThat(LayoutText.print(RecordMapper.of(person).type())).contains("""
                    struct Person {
                        char16_t name[16];
                        uint16_t port;
                        int64_t id;
                    };
                    """);
        }
    }

    /// Runs Kotlin's compiler.
    static final class Compiler {
        public static void main(String[] args) throws ReflectiveOperationException {
            Class.forName("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler")
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) args);
        }
    }
}
