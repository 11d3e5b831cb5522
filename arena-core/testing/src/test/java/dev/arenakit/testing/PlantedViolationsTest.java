package dev.arenakit.testing;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.arenakit.testing.planted.Dependencies;
import dev.arenakit.testing.planted.NativeCalls;
import dev.arenakit.testing.planted.StaticState;
import dev.arenakit.testing.planted.cycle.one.One;
import dev.arenakit.testing.planted.cycle.two.Two;
import dev.arenakit.testing.planted.exported.Signatures;
import dev.arenakit.testing.planted.family.Circle;
import dev.arenakit.testing.planted.family.Shape;
import dev.arenakit.testing.planted.internal.Hidden;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static org.assertj.core.api.Assertions.assertThat;

/// Shows that each rule fails on planted classes that violate it, and passes on planted classes that do not.
class PlantedViolationsTest {
    private static final JavaClasses PLANTED = new ClassFileImporter()
            .importPackages(NativeCalls.class.getPackageName());
    private static final String EXPORTED = Signatures.class.getPackageName();

    @BeforeAll
    static void assumeReadableJdk() {
        Modules.assumeReadableJdk();
    }

    @ParameterizedTest
    @ValueSource(classes = {NativeCalls.AsksForTheLinker.class, NativeCalls.TakesAnOption.class,
            NativeCalls.Reinterprets.class, NativeCalls.RefersToReinterpret.class, NativeCalls.LoadsALibrary.class,
            NativeCalls.FollowsPointers.class})
    void nativeCallsOnlyIn_aClassOutside_isViolated(Class<?> planted) {
        assertThat(violations(DependencyRules.nativeCallsOnlyIn(List.of("dev.arenakit.internal")), planted))
                .isNotEmpty();
        assertThat(violations(DependencyRules.nativeCallsOnlyIn(List.of("dev.arenakit.testing..")), planted, One.class))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(classes = {NativeCalls.Links.class, NativeCalls.LinksByReference.class})
    void linkedOnlyBy_anotherClass_isViolated(Class<?> planted) {
        assertThat(violations(DependencyRules.linkedOnlyBy(List.of()), planted)).isNotEmpty();
        assertThat(violations(DependencyRules.linkedOnlyBy(List.of(planted.getName())), planted,
                NativeCalls.AsksForTheLinker.class))
                .isEmpty();
    }

    @Test
    void intConstantsOnlyIn_anotherClass_isViolated() {
        Class<?> planted = NativeCalls.DefinesAConstant.class;
        String ownPackage = planted.getPackageName();
        assertThat(violations(DependencyRules.intConstantsOnlyIn(ownPackage, List.of()), planted))
                .isNotEmpty();
        assertThat(violations(DependencyRules.intConstantsOnlyIn(ownPackage, List.of(planted.getName())), planted,
                NativeCalls.Links.class))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(classes = {Dependencies.OnLogging.class, Dependencies.OnALibrary.class,
            Dependencies.OnAnotherClass.class})
    void dependOnlyOn_aClassThatIsNotNamed_isViolated(Class<?> planted) {
        JavaClasses own = only(Dependencies.class, planted);
        ArchRule rule = DependencyRules.dependOnlyOn(own, List.of("org.assertj.."));
        assertThat(violations(rule, planted)).isNotEmpty();
        assertThat(violations(rule, Dependencies.OnNothing.class)).isEmpty();
        assertThat(violations(DependencyRules.dependOnlyOn(own, List.of("org.junit..", "java.util.logging",
                Dependencies.class.getPackageName())), planted)).isEmpty();
    }

    @Test
    void noPackageCycle_packagesThatNeedEachOther_isViolated() {
        assertThat(violations(DependencyRules.noPackageCycle(), One.class, Two.class)).isNotEmpty();
        assertThat(violations(DependencyRules.noPackageCycle(), One.class, Hidden.class)).isEmpty();
    }

    @Test
    void knots_ofClassesThatNeedEachOther_areNamed() {
        ClassKnots packages = new ClassKnots(only(One.class, Two.class, Hidden.class));
        assertThat(packages.ofAtLeast(2, List.of(One.class.getPackageName())))
                .containsExactly(Set.of(One.class.getName(), Two.class.getName()));
        assertThat(packages.ofAtLeast(3, List.of())).isEmpty();

        ClassKnots family = new ClassKnots(only(Shape.class, Circle.class));
        assertThat(family.ofAtLeast(2, List.of()))
                .containsExactly(Set.of(Circle.class.getName(), Shape.class.getName()));
        assertThat(family.ofAtLeast(2, List.of(Shape.class.getPackageName()))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(classes = {Signatures.Returned.class, Signatures.Taken.class, Signatures.Inherited.class,
            Signatures.Thrown.class, Signatures.Extended.class, Signatures.Implemented.class,
            Signatures.Bounded.class})
    void signaturesWithout_aHiddenTypeInASignature_isViolated(Class<?> planted) {
        ArchRule rule = DependencyRules.signaturesWithoutInternalTypes(Set.of(EXPORTED));
        assertThat(violations(rule, planted)).isNotEmpty();
        assertThat(violations(rule, Signatures.Unmentioned.class)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(classes = {StaticState.Counter.class, StaticState.Atomic.class, StaticState.Cache.class,
            StaticState.ConcurrentCache.class, StaticState.Registry.class, StaticState.PerThread.class})
    void staticStateOnlyIn_aClassThatIsNotNamed_isViolated(Class<?> planted) {
        assertThat(violations(DependencyRules.staticStateOnlyIn(List.of()), planted)).isNotEmpty();
        assertThat(
                violations(DependencyRules.staticStateOnlyIn(List.of(planted.getName())), planted,
                        StaticState.Constants.class))
                .isEmpty();
    }

    private static List<String> violations(ArchRule rule, Class<?>... planted) {
        return rule.allowEmptyShould(true).evaluate(only(planted)).getFailureReport().getDetails();
    }

    private static JavaClasses only(Class<?>... planted) {
        return PLANTED.that(describe("are planted", type -> Arrays.stream(planted).anyMatch(type::isEquivalentTo)));
    }
}
