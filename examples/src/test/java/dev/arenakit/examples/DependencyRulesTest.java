package dev.arenakit.examples;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.arenakit.MallocArena;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.testing.DependencyRules;
import dev.arenakit.testing.DependencyRulesContract;
import dev.arenakit.testing.Modules;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The rules for the examples.
class DependencyRulesTest implements DependencyRulesContract {
    @Override
    public JavaClasses classes() {
        return Modules.mainClasses();
    }

    @Override
    public Set<String> dependencies() {
        Set<String> packages = Modules.exportedPackages(MallocArena.class, InfiniteArena.class);
        packages.add("com.sun.net.httpserver");
        packages.add("java.net.http");
        return packages;
    }

    @Override
    public Set<String> nativePackages() {
        return Set.of("dev.arenakit.examples.libc", "dev.arenakit.examples.calls",
                "dev.arenakit.examples.debugging", "dev.arenakit.examples.traces");
    }

    @Test
    void packages_haveNoCycle() {
        DependencyRules.noPackageCycle().check(classes());
    }
}
