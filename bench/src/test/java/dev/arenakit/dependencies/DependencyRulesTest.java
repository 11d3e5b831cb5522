package dev.arenakit.dependencies;

import java.lang.module.ModuleDescriptor;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static dev.arenakit.dependencies.SourceSet.BENCH;
import static dev.arenakit.dependencies.SourceSet.CONTRACT;
import static dev.arenakit.dependencies.SourceSet.CORE;
import static dev.arenakit.dependencies.SourceSet.EXAMPLES;
import static dev.arenakit.dependencies.SourceSet.LAUNCHER;
import static dev.arenakit.dependencies.SourceSet.MAPPED;
import static dev.arenakit.dependencies.SourceSet.SQL;
import static dev.arenakit.dependencies.SourceSet.TOOL;
import static org.assertj.core.api.Assertions.assertThat;

/// Checks the rules on all modules.
class DependencyRulesTest {
    private static final String NATIVE_PACKAGE = "dev.arenakit.internal";
    private static final String FILE_PACKAGE = "dev.arenakit.internal.file";
    private static final String DUCKDB_PACKAGE = "dev.arenakit.sql.internal.duckdb";
    private static final String ANNOTATIONS = "org.jspecify.annotations";
    private static final String BENCH_CONTRACT = "dev.arenakit.bench.contract";

    private static final SourceSet[] LIBRARIES = {CORE, MAPPED, SQL};
    private static final SourceSet[] PRODUCT = {CORE, MAPPED, SQL, TOOL, LAUNCHER, EXAMPLES, BENCH};

    @Test
    void nativeCalls_areInTheNativePackageAlone() {
        // The benchmarks call other allocators, and two examples are about native calls.
        DependencyRules
                .nativeCallsOnlyIn(NATIVE_PACKAGE, "dev.arenakit.bench..", "dev.arenakit.examples.libc",
                        "dev.arenakit.examples.calls")
                .check(SourceSet.classes(PRODUCT));
    }

    @Test
    void functionsOfC_areLinkedInTheClassesThatAreComparedWithTheHeaders() {
        // NativeFunctions links for DuckDbFunction, and creates the stubs that DuckDbLibrary passes.
        DependencyRules
                .linkedOnlyBy(NATIVE_PACKAGE + ".CFunction", NATIVE_PACKAGE + ".NativeFunctions",
                        DUCKDB_PACKAGE + ".DuckDbFunction", DUCKDB_PACKAGE + ".DuckDbLibrary")
                .check(SourceSet.classes(CORE, MAPPED, SQL, TOOL, LAUNCHER));
    }

    @Test
    void constantsOfC_areInTheClassesThatAreComparedWithTheHeaders() {
        // The constant of OutOfLine is about the compiler of the JVM.
        DependencyRules
                .intConstantsOnlyIn(NATIVE_PACKAGE, NATIVE_PACKAGE + ".CHeaders", NATIVE_PACKAGE + ".OutOfLine")
                .check(SourceSet.classes(CORE));
        DependencyRules.intConstantsOnlyIn(FILE_PACKAGE).check(SourceSet.classes(CORE));
        // The constants of the other two are about files.
        DependencyRules
                .intConstantsOnlyIn(DUCKDB_PACKAGE, DUCKDB_PACKAGE + ".DuckDbHeader", DUCKDB_PACKAGE + ".ElfFile",
                        DUCKDB_PACKAGE + ".LibraryCache")
                .check(SourceSet.classes(SQL));
    }

    @Test
    void core_dependsOnJavaBaseAlone() {
        DependencyRules.dependOnlyOn(CORE.classNames(), ANNOTATIONS).check(SourceSet.classes(CORE));
    }

    @Test
    void contract_dependsOnJUnitAndAssertJAlone() {
        DependencyRules
                .dependOnlyOn(CONTRACT.classNames(), ANNOTATIONS, "org.junit.jupiter.api", "org.assertj.core.api")
                .check(SourceSet.classes(CONTRACT));
    }

    @Test
    void mapped_dependsOnCoreAlone() {
        DependencyRules.dependOnlyOn(namesOf(MAPPED, CORE), ANNOTATIONS).check(SourceSet.classes(MAPPED));
    }

    @Test
    void sql_dependsOnCoreAndMappedAlone() {
        DependencyRules.dependOnlyOn(namesOf(SQL, MAPPED, CORE), ANNOTATIONS).check(SourceSet.classes(SQL));
    }

    @Test
    void tool_dependsOnTheLibrariesPicocliJacksonAndJLineAlone() {
        DependencyRules.dependOnlyOn(exportedNamesOf(TOOL), ANNOTATIONS, "picocli", "tools.jackson.core", "org.jline")
                .check(SourceSet.classes(TOOL));
    }

    @Test
    void launcher_dependsOnNothing() {
        DependencyRules.dependOnlyOn(LAUNCHER.classNames(), ANNOTATIONS).check(SourceSet.classes(LAUNCHER));
    }

    @Test
    void examples_dependOnTheLibrariesAlone() {
        DependencyRules.dependOnlyOn(exportedNamesOf(EXAMPLES), ANNOTATIONS, SourceSet.GENERATED)
                .check(SourceSet.classes(EXAMPLES));
    }

    @Test
    void bench_dependsOnTheLibrariesAloneOfOurModules() {
        DependencyRules
                .dependOnlyOn(exportedNamesOf(BENCH), ANNOTATIONS, "java.", "javax.", "org.openjdk.jmh", "picocli",
                        "com.google.gson", "com.sun.management", "org.HdrHistogram", "org.apache.commons.csv",
                        "org.apache.commons.statistics", "io.netty.buffer",
                        "io.netty.util", "org.agrona",
                        "org.lwjgl.system", "it.unimi.dsi.fastutil", "org.eclipse.collections", "net.openhft",
                        "org.mapdb")
                .check(SourceSet.classes(BENCH).that(not(resideInAPackage(BENCH_CONTRACT))));
    }

    @Test
    void bench_needsJUnitForTheContractAlone() {
        DependencyRules.dependOnlyOn(namesOf(BENCH, CONTRACT), ANNOTATIONS, "org.junit.platform")
                .check(SourceSet.classes(BENCH).that(resideInAPackage(BENCH_CONTRACT)));
    }

    @Test
    void packages_ofExamplesAndBench_haveNoCycle() {
        // The tests of the other modules have tables of their packages.
        DependencyRules.noPackageCycle().check(SourceSet.classes(EXAMPLES, BENCH));
    }

    @Test
    void signatures_ofExportedPackages_haveNoInternalType() {
        Set<String> exported = new HashSet<>();
        for (SourceSet each : LIBRARIES) {
            exported.addAll(each.exportedPackages());
        }
        DependencyRules.signaturesWithoutInternalTypes(exported).check(SourceSet.classes(LIBRARIES));
    }

    @Test
    void staticState_isInTheListedClassesAlone() {
        DependencyRules
                .staticStateOnlyIn("dev.arenakit.mapped.internal.files.MappingLimit",
                        "dev.arenakit.mapped.internal.files.OwnedFiles",
                        "dev.arenakit.internal.layout.emit.MapperCache")
                .check(SourceSet.classes(CORE, MAPPED, SQL, TOOL, LAUNCHER, EXAMPLES));
    }

    @Test
    void modules_requireEachOtherAndJavaBaseAlone() {
        assertThat(requiredBy(CORE)).containsExactlyInAnyOrder("java.base", "org.jspecify");
        assertThat(requiredBy(MAPPED)).containsExactlyInAnyOrder("java.base", "org.jspecify", "dev.arenakit");
        assertThat(requiredBy(SQL)).containsExactlyInAnyOrder("java.base", "org.jspecify", "dev.arenakit",
                "dev.arenakit.mapped");
    }

    @Test
    void modules_needNoAnnotationsAtRunTime() {
        for (SourceSet each : List.of(CORE, MAPPED, SQL)) {
            assertThat(each.module().requires()).filteredOn(requires -> requires.name().equals("org.jspecify"))
                    .allSatisfy(requires -> assertThat(requires.modifiers())
                            .contains(ModuleDescriptor.Requires.Modifier.STATIC));
        }
    }

    @Test
    void modules_exportInternalPackagesToOurModulesAlone() {
        assertThat(internalExports(CORE)).containsOnlyKeys(NATIVE_PACKAGE, FILE_PACKAGE)
                .allSatisfy((_, targets) -> assertThat(targets).containsExactlyInAnyOrder("dev.arenakit.mapped",
                        "dev.arenakit.sql"));
        assertThat(internalExports(MAPPED)).isEmpty();
        assertThat(internalExports(SQL)).isEmpty();
    }

    private static Map<String, Set<String>> internalExports(SourceSet sourceSet) {
        return sourceSet.module()
                .exports()
                .stream()
                .filter(exports -> DependencyRules.isInternal(exports.source()))
                .collect(Collectors.toMap(ModuleDescriptor.Exports::source, ModuleDescriptor.Exports::targets));
    }

    private static Set<String> requiredBy(SourceSet sourceSet) {
        return sourceSet.module().requires().stream().map(ModuleDescriptor.Requires::name).collect(Collectors.toSet());
    }

    private static Set<String> namesOf(SourceSet... sourceSets) {
        Set<String> names = new HashSet<>();
        for (SourceSet each : sourceSets) {
            names.addAll(each.classNames());
        }
        return names;
    }

    /// Returns the classes of the exported packages of the libraries, and the source set's own classes.
    private static Set<String> exportedNamesOf(SourceSet sourceSet) {
        Set<String> names = namesOf(sourceSet);
        for (SourceSet library : new SourceSet[]{CORE, MAPPED, SQL}) {
            Set<String> exported = library.exportedPackages();
            library.classNames()
                    .stream()
                    .filter(name -> exported.contains(name.substring(0, name.lastIndexOf('.'))))
                    .forEach(names::add);
        }
        return names;
    }
}
