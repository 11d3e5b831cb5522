package dev.arenakit.dependencies;

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

/// Classes that are compiled together. The build compiles this module last, so all of them exist.
enum SourceSet {
    /// The module dev.arenakit.
    CORE("arena-core/target/classes"),
    /// The test suite for every arena.
    CONTRACT("arena-core/contract/target/classes"),
    /// The module dev.arenakit.mapped.
    MAPPED("arena-mapped/target/classes"),
    /// The module dev.arenakit.sql.
    SQL("arena-mapped/sql/target/classes"),
    /// The launcher of the command, for any Java from 11. Its package is in the module of the command.
    LAUNCHER("arena-mapped/command/target/classes/dev/arenakit/launcher"),
    /// All other classes of the command, which are packed into arena.jar.
    TOOL("arena-mapped/command/target/classes"),
    /// The example programs.
    EXAMPLES("examples/target/classes"),
    /// The benchmarks and the harness.
    BENCH("bench/target/classes");

    /// The root of the source tree. Surefire sets the property to this module's directory.
    static final Path TOP = Path.of(System.getProperty("basedir", ""), "..").toAbsolutePath().normalize();

    /// Prefix of the packages that jextract generates for the examples, which no rule applies to.
    static final String GENERATED = "generated.";

    private final String directory;

    SourceSet(String directory) {
        this.directory = directory;
    }

    private Path directory() {
        return TOP.resolve(directory);
    }

    /// Returns the classes of some source sets.
    static JavaClasses classes(SourceSet... sourceSets) {
        return AllClasses.CLASSES.that(describe("are in " + Arrays.toString(sourceSets),
                type -> Arrays.stream(sourceSets).anyMatch(each -> each.has(type))));
    }

    Set<String> classNames() {
        return classes(this).stream().map(JavaClass::getName).collect(Collectors.toSet());
    }

    private boolean has(JavaClass type) {
        return contains(type) && !(this == TOOL && LAUNCHER.contains(type));
    }

    private boolean contains(JavaClass type) {
        return type.getSource().orElseThrow().getUri().toString().startsWith(directory().toUri().toString());
    }

    private static boolean isWrittenByHand(JavaClass type) {
        return !(EXAMPLES.has(type) && type.getPackageName().startsWith(GENERATED));
    }

    /// The classes are read once for all rules. Most of the time goes into the classes of the JDK that ours depend on.
    private static final class AllClasses {
        static final JavaClasses CLASSES = read();

        private static JavaClasses read() {
            for (SourceSet each : values()) {
                assertThat(each.directory()).as("classes of %s; build the whole project", each).isNotEmptyDirectory();
            }
            return new ClassFileImporter()
                    .importPaths(Arrays.stream(values())
                            .filter(each -> each != LAUNCHER) // TOOL contains it.
                            .map(SourceSet::directory)
                            .toList())
                    .that(describe("are written by hand", SourceSet::isWrittenByHand));
        }
    }

    ModuleDescriptor module() {
        try (InputStream descriptor = Files.newInputStream(directory().resolve("module-info.class"))) {
            return ModuleDescriptor.read(descriptor);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the packages that are exported to all modules.
    Set<String> exportedPackages() {
        return module().exports()
                .stream()
                .filter(exports -> !exports.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
    }
}
