package dev.arenakit.bench;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.arenakit.MallocArena;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.sql.StructSql;
import dev.arenakit.testing.ClassKnots;
import dev.arenakit.testing.DependencyRules;
import dev.arenakit.testing.Modules;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

/// The rules for the benchmarks and the harness. They may call native code and have static state.
class DependencyRulesTest {
    private static final String CONTRACT = "dev.arenakit.bench.contract";

    private final JavaClasses classes = Modules.mainClasses();

    @Test
    void bench_dependsOnTheLibrariesAloneOfOurModules() {
        Set<String> packages = Modules.exportedPackages(MallocArena.class, InfiniteArena.class, StructSql.class);
        packages.addAll(Set.of("java..", "javax..", "org.openjdk.jmh..", "picocli..", "com.google.gson..",
                "com.sun.management..", "org.HdrHistogram..",
                "org.apache.commons.statistics..", "io.netty.buffer..", "io.netty.util..", "org.agrona..",
                "org.lwjgl.system..", "it.unimi.dsi.fastutil..", "net.openhft..",
                "org.mapdb..", "org.lmdbjava..", "com.github.benmanes.caffeine..", "org.caffinitas.ohc.."));
        DependencyRules.dependOnlyOn(classes, packages).check(classes.that(not(resideInAPackage(CONTRACT))));
    }

    @Test
    void bench_needsJUnitForTheContractAlone() {
        DependencyRules.dependOnlyOn(classes, Set.of("dev.arenakit.contract", "org.junit.platform..",
                "org.junit.jupiter.api.extension.."))
                .check(classes.that(resideInAPackage(CONTRACT)));
    }

    @Test
    void classes_formNoKnotOfFive() {
        assertThat(new ClassKnots(classes).ofAtLeast(5, Set.of())).isEmpty();
    }

    @Test
    void packages_haveNoCycle() {
        DependencyRules.noPackageCycle().check(classes);
    }
}
