package dev.arenakit.testing;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The tests of the rules for the classes of every module. A test of the module implements this interface, so that the
/// classes are certain to be compiled.
public interface DependencyRulesContract {
    /// {@return the classes that the rules apply to}
    default JavaClasses classes() {
        return Modules.mainClasses();
    }

    /// The packages that the classes may use beside their own packages and `java.base`.
    ///
    /// @return packages in the notation of ArchUnit: `..` stands for the packages below
    default Set<String> dependencies() {
        return Set.of();
    }

    /// {@return the packages that use the linker or call restricted methods, in the notation of ArchUnit}
    default Set<String> nativePackages() {
        return Set.of();
    }

    /// {@return the names of the classes with static mutable state}
    default Set<String> statefulClasses() {
        return Set.of();
    }

    /// {@return the packages of sealed types, whose classes may form a knot}
    default Set<String> families() {
        return Set.of();
    }

    @AfterAll
    static void forgetClasses() {
        Modules.forgetMainClasses();
    }

    /// The classes use their own module, `java.base` and the listed packages alone.
    @Test
    default void dependencies_areTheListedOnesAlone() {
        DependencyRules.dependOnlyOn(classes(), dependencies()).check(classes());
    }

    /// Five classes or more form a knot only inside the listed packages.
    @Test
    default void classes_formNoKnotOfFive() {
        assertThat(new ClassKnots(classes()).ofAtLeast(5, families())).isEmpty();
    }

    /// Only the listed packages use the linker or call restricted methods.
    @Test
    default void nativeCalls_areInTheListedPackagesAlone() {
        DependencyRules.nativeCallsOnlyIn(nativePackages()).check(classes());
    }

    /// Only the listed classes have static mutable state.
    @Test
    default void staticState_isInTheListedClassesAlone() {
        DependencyRules.staticStateOnlyIn(statefulClasses()).check(classes());
    }
}
