package dev.arenakit.walls;

import java.lang.module.ModuleDescriptor;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static dev.arenakit.walls.Part.BENCH;
import static dev.arenakit.walls.Part.CONTRACT;
import static dev.arenakit.walls.Part.CORE;
import static dev.arenakit.walls.Part.EXAMPLES;
import static dev.arenakit.walls.Part.LAUNCHER;
import static dev.arenakit.walls.Part.MAPPED;
import static dev.arenakit.walls.Part.TOOL;
import static org.assertj.core.api.Assertions.assertThat;

/// The rules, on the house.
class WallsTest {
    private static final String NATIVE_ROOM = "dev.arenakit.internal";
    private static final String ANNOTATIONS = "org.jspecify.annotations";
    private static final Part[] PRODUCT = {CORE, MAPPED, TOOL, LAUNCHER, EXAMPLES, BENCH};

    @Test
    void nativeCalls_areMadeInTheNativeRoomAlone() {
        // The benchmarks compare with allocators that they call themselves, and one example is about native calls.
        Rules.nativeCallsOnlyIn(NATIVE_ROOM, "dev.arenakit.bench..", "dev.arenakit.examples.libc")
                .check(Part.classes(PRODUCT));
    }

    @Test
    void functionsOfC_areLinkedWhereTheyAreComparedWithTheHeaders() {
        Rules.linkedOnlyBy(NATIVE_ROOM + ".CFunction").check(Part.classes(CORE, MAPPED, TOOL, LAUNCHER));
    }

    @Test
    void constantsOfC_standWhereTheyAreComparedWithTheHeaders() {
        Rules.intConstantsOnlyIn(NATIVE_ROOM, NATIVE_ROOM + ".CHeaders").check(Part.classes(CORE));
    }

    @Test
    void core_dependsOnJavaBaseAlone() {
        Rules.dependOnlyOn(CORE.classNames(), ANNOTATIONS).check(Part.classes(CORE));
    }

    @Test
    void contract_dependsOnJUnitAndAssertJAlone() {
        Rules.dependOnlyOn(CONTRACT.classNames(), ANNOTATIONS, "org.junit.jupiter.api", "org.assertj.core.api")
                .check(Part.classes(CONTRACT));
    }

    @Test
    void mapped_dependsOnCoreAlone() {
        Rules.dependOnlyOn(namesOf(MAPPED, CORE), ANNOTATIONS).check(Part.classes(MAPPED));
    }

    @Test
    void tool_dependsOnTheLibrariesPicocliAndJacksonAlone() {
        Rules.dependOnlyOn(exportedNamesOf(TOOL), ANNOTATIONS, "picocli", "tools.jackson.core")
                .check(Part.classes(TOOL));
    }

    @Test
    void launcher_dependsOnNothing() {
        Rules.dependOnlyOn(LAUNCHER.classNames(), ANNOTATIONS).check(Part.classes(LAUNCHER));
    }

    @Test
    void examples_dependOnTheLibrariesAlone() {
        Rules.dependOnlyOn(exportedNamesOf(EXAMPLES), ANNOTATIONS, Part.GENERATED).check(Part.classes(EXAMPLES));
    }

    @Test
    void bench_dependsOfTheHouseOnTheLibrariesAlone() {
        Rules.dependOnlyOn(exportedNamesOf(BENCH), ANNOTATIONS, "java.", "javax.", "org.openjdk.jmh", "picocli",
                "com.google.gson", "org.apache.commons.csv", "io.netty.buffer", "io.netty.util", "org.agrona",
                "org.lwjgl.system")
                .check(Part.classes(BENCH));
    }

    @Test
    void packages_haveNoCycle() {
        Rules.noPackageCycle().check(Part.classes(PRODUCT));
    }

    @Test
    void signatures_ofExportedPackages_mentionNothingOfTheNativeRoom() {
        Set<String> exported = new HashSet<>(CORE.exportedPackages());
        exported.addAll(MAPPED.exportedPackages());
        Rules.signaturesWithout(NATIVE_ROOM, exported).check(Part.classes(CORE, MAPPED));
    }

    @Test
    void staticState_isWhereTheDesignAllowsIt() {
        Rules.staticStateOnlyIn("dev.arenakit.mapped.Mappings", "dev.arenakit.mapped.ImageLock",
                "dev.arenakit.layout.MapperCache", "dev.arenakit.layout.ViewCache")
                .check(Part.classes(CORE, MAPPED, TOOL, LAUNCHER, EXAMPLES));
    }

    @Test
    void modules_requireEachOtherAndJavaBaseAlone() {
        assertThat(requiredBy(CORE)).containsExactlyInAnyOrder("java.base", "org.jspecify");
        assertThat(requiredBy(MAPPED)).containsExactlyInAnyOrder("java.base", "org.jspecify", "dev.arenakit");
    }

    @Test
    void modules_needNoAnnotationsAtRunTime() {
        for (Part part : new Part[]{CORE, MAPPED}) {
            assertThat(part.module().requires()).filteredOn(requires -> requires.name().equals("org.jspecify"))
                    .allSatisfy(requires -> assertThat(requires.modifiers())
                            .contains(ModuleDescriptor.Requires.Modifier.STATIC));
        }
    }

    @Test
    void modules_showTheNativeRoomToMappedAlone() {
        assertThat(CORE.module().exports()).filteredOn(exports -> exports.source().equals(NATIVE_ROOM))
                .singleElement()
                .satisfies(exports -> assertThat(exports.targets()).containsExactly("dev.arenakit.mapped"));
    }

    private static Set<String> requiredBy(Part part) {
        return part.module().requires().stream().map(ModuleDescriptor.Requires::name).collect(Collectors.toSet());
    }

    private static Set<String> namesOf(Part... parts) {
        Set<String> names = new HashSet<>();
        for (Part part : parts) {
            names.addAll(part.classNames());
        }
        return names;
    }

    /// What a user of both libraries sees, and the part's own classes.
    private static Set<String> exportedNamesOf(Part part) {
        Set<String> names = namesOf(part);
        for (Part library : new Part[]{CORE, MAPPED}) {
            Set<String> exported = library.exportedPackages();
            library.classNames()
                    .stream()
                    .filter(name -> exported.contains(name.substring(0, name.lastIndexOf('.'))))
                    .forEach(names::add);
        }
        return names;
    }
}
