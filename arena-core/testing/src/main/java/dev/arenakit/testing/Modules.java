package dev.arenakit.testing;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The classes of the module whose tests run, and the descriptors of this and other modules.
public final class Modules {
    private static @Nullable JavaClasses mainClasses;

    static {
        // ArchUnit would read the types of all fields, parameters, calls and annotations, which are most classes of the
        // JDK. The rules ask for supertypes alone, and read what else they need by reflection.
        for (String kind : List.of("MemberTypes", "AccessesToTypes", "AnnotationTypes", "EnclosingTypes",
                "GenericSignatureTypes")) {
            ArchConfiguration.get()
                    .setProperty("import.dependencyResolutionProcess.maxIterationsFor" + kind, "0");
        }
    }

    private Modules() {}

    /// Returns the classes of the module whose tests run, without the classes that JMH has generated. They are read
    /// once for all tests of a class: classes of the JDK that they use are read as well, which takes seconds. A test on
    /// a JDK whose classes cannot be read is skipped.
    public static JavaClasses mainClasses() {
        if (mainClasses == null) {
            assumeReadableJdk();
            mainClasses = new ClassFileImporter()
                    .withImportOption(location -> !location.contains("/jmh_generated/"))
                    .importPath("target/classes");
        }
        return mainClasses;
    }

    /// Skips the test if the JDK is too new for ArchUnit, which then misses supertypes and annotations of the JDK.
    static void assumeReadableJdk() {
        assumeTrue(new ClassFileImporter().importClasses(Object.class).contain(Object.class),
                () -> "ArchUnit cannot read the classes of the JDK: version=" + Runtime.version());
    }

    /// Leaves the classes to the garbage collector. With them, a full collection takes ten times as long, and later
    /// tests in the same JVM ask for many.
    static void forgetMainClasses() {
        mainClasses = null;
    }

    /// Returns the descriptor of the module whose classes a directory or a jar contains.
    static ModuleDescriptor descriptor(Path classes) {
        return ModuleFinder.of(classes).findAll().iterator().next().descriptor();
    }

    /// Returns the descriptor of the module of a class, which may be on the class path.
    static ModuleDescriptor descriptor(Class<?> type) {
        URL location = type.getProtectionDomain().getCodeSource().getLocation();
        return descriptor(Path.of(URI.create(location.toString())));
    }

    /// Returns the packages that the modules of some classes export to all modules.
    public static Set<String> exportedPackages(Class<?>... types) {
        return Stream.of(types).flatMap(type -> exportedPackages(descriptor(type))).collect(Collectors.toSet());
    }

    static Stream<String> exportedPackages(ModuleDescriptor module) {
        return module.exports()
                .stream()
                .filter(exports -> !exports.isQualified())
                .map(ModuleDescriptor.Exports::source);
    }
}
