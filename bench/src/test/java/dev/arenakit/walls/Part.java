package dev.arenakit.walls;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static org.assertj.core.api.Assertions.assertThat;

/// Classes that are compiled together. The build has compiled all of them before this module, its last.
enum Part {
    /// The module dev.arenakit.
    CORE("arena-core/target/classes"),
    /// The suite that is shipped for every arena.
    CONTRACT("arena-core/target/test-classes/dev/arenakit/contract"),
    /// The module dev.arenakit.mapped.
    MAPPED("arena-mapped/target/classes"),
    /// The command, which is packed into arena.jar.
    TOOL("arena-mapped/target/tool-classes"),
    /// What starts the command, under any Java.
    LAUNCHER("arena-mapped/target/launcher-classes"),
    /// Programs to read.
    EXAMPLES("examples/target/classes"),
    /// The benchmarks.
    BENCH("bench/target/classes");

    /// The top of the source tree. Surefire says where this module is.
    static final Path TOP = Path.of(System.getProperty("basedir", ""), "..").toAbsolutePath().normalize();

    /// What jextract generates for the examples, which keeps no rules.
    static final String GENERATED = "generated.";

    private final String directory;

    Part(String directory) {
        this.directory = directory;
    }

    private Path directory() {
        return TOP.resolve(directory);
    }

    /// The classes of the parts, which must have some each.
    static JavaClasses classes(Part... parts) {
        return House.CLASSES.that(describe("are in " + Arrays.toString(parts),
                type -> Arrays.stream(parts).anyMatch(part -> part.has(type))));
    }

    Set<String> classNames() {
        return classes(this).stream().map(JavaClass::getName).collect(Collectors.toSet());
    }

    private boolean has(JavaClass type) {
        return type.getSource().orElseThrow().getUri().toString().startsWith(directory().toUri().toString());
    }

    private static boolean isWrittenByHand(JavaClass type) {
        return !(EXAMPLES.has(type) && type.getPackageName().startsWith(GENERATED));
    }

    /// Read once for all rules: most of the time goes into the classes of the JDK that ours depend on.
    private static final class House {
        static final JavaClasses CLASSES = read();

        private static JavaClasses read() {
            for (Part part : values()) {
                assertThat(part.directory()).as("classes of %s; build the whole project", part).isNotEmptyDirectory();
            }
            return new ClassFileImporter().importPaths(Arrays.stream(values()).map(Part::directory).toList())
                    .that(describe("are written by hand", Part::isWrittenByHand));
        }
    }

    ModuleDescriptor module() {
        try (InputStream descriptor = Files.newInputStream(directory().resolve("module-info.class"))) {
            return ModuleDescriptor.read(descriptor);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The packages that everybody sees.
    Set<String> exportedPackages() {
        return module().exports()
                .stream()
                .filter(exports -> !exports.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
    }
}
