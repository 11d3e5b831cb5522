package dev.arenakit.bench.candidate;

import dev.arenakit.bench.candidate.peer.BuildDirectory;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.CompilerControl;

import static org.assertj.core.api.Assertions.assertThat;

/// JMH's processor silently ignores `@CompilerControl` in records and interfaces that are not nested in a class.
class CompilerHintsTest {
    private static final Path CLASSES = Path.of(BuildDirectory.resolve("classes").toUri());

    @Test
    void compilerControl_ofEachMethod_isAmongTheHintsOfJmh() throws Exception {
        List<String> hints = Files.readAllLines(CLASSES.resolve("META-INF/CompilerHints"));
        List<String> expected = new ArrayList<>();
        for (Class<?> type : classes()) {
            for (Method method : type.getDeclaredMethods()) {
                CompilerControl control = method.getAnnotation(CompilerControl.class);
                if (control != null) {
                    expected.add(control.value().command() + "," + type.getName().replace('.', '/') + "."
                            + method.getName());
                }
            }
        }

        assertThat(expected).hasSizeGreaterThan(50);
        assertThat(hints).containsAll(expected);
    }

    private static List<Class<?>> classes() throws IOException, ClassNotFoundException {
        List<Class<?>> classes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(CLASSES.resolve("dev/arenakit/bench"))) {
            for (Path file : (Iterable<Path>) files.filter(path -> path.toString().endsWith(".class"))
                    .filter(path -> !path.toString().contains("jmh_generated"))
                    .filter(path -> !path.toString().contains("package-info"))::iterator) {
                String name = CLASSES.relativize(file).toString().replace('/', '.').replaceAll("[.]class$", "");
                classes.add(Class.forName(name, false, CompilerHintsTest.class.getClassLoader()));
            }
        }
        return classes;
    }
}
