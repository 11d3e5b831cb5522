package dev.arenakit.testing;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static org.assertj.core.api.Assertions.assertThat;

/// The tests of a module's table of packages and arrows. The tests of each module implement this interface.
public interface PackageArrowsContract {
    /// {@return the package that the names of the table are relative to}
    String root();

    /// {@return the table, in the form of [PackageArrows]}
    String table();

    /// Classes in packages that are named like the module's, below [#plantedRoot()]. Each violates the table once.
    ///
    /// @return the classes
    List<Class<?>> planted();

    /// {@return the package below which the planted packages have the names of the table}
    String plantedRoot();

    /// {@return whether a package is internal: users cannot see it, and it may be part of no cycle}
    ///
    /// @param name the name of the package, complete or as in the table
    default boolean isInternal(String name) {
        return DependencyRules.isInternal(name);
    }

    /// The types of exported packages that users cannot see, such as the guards of constructors.
    ///
    /// @return names relative to [#root()]
    default List<String> hidden() {
        return List.of();
    }

    /// The packages that have more files than a reader takes in, which is 26 for an exported package and 20 for another
    /// one, each with the reason.
    ///
    /// @return names relative to [#root()]
    default Map<String, String> largePackages() {
        return Map.of();
    }

    /// Each package uses only the packages of its lines.
    @Test
    default void packages_useTheListedOnesAlone() {
        assertThat(new PackageArrows(root(), table()).violations(Modules.mainClasses())).isEmpty();
    }

    /// Each line of the table is needed.
    @Test
    default void table_listsNothingThatIsNotNeeded() {
        assertThat(new PackageArrows(root(), table()).unused(Modules.mainClasses())).isEmpty();
    }

    /// Packages that do the work form no cycle.
    @Test
    default void packages_haveNoCycle() {
        assertThat(new PackageArrows(root(), table()).cyclic(this::isInternal)).isEmpty();
    }

    /// No package has too many files, except for the listed ones.
    @Test
    default void packages_areSmallEnoughToBeTakenIn() {
        Map<String, Long> sizes = topLevelTypes().stream()
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        sizes.entrySet().removeIf(size -> size.getValue() <= (isInternal(size.getKey()) ? 20 : 26));
        assertThat(sizes.keySet()).map(name -> name.substring(root().length() + 1))
                .containsExactlyInAnyOrderElementsOf(largePackages().keySet());
    }

    /// Exported packages contain public types, and the listed ones.
    @Test
    default void exportedPackages_haveOnlyTheListedHiddenTypes() {
        assertThat(topLevelTypes()).filteredOn(type -> !isInternal(type.getPackageName()))
                .filteredOn(type -> !type.getModifiers().contains(JavaModifier.PUBLIC))
                .extracting(JavaClass::getName)
                .map(name -> name.substring(root().length() + 1))
                .containsExactlyInAnyOrderElementsOf(hidden());
    }

    /// The rules fail on each planted class.
    @Test
    default void violations_ofEachPlantedClass_nameIt() {
        PackageArrows arrows = new PackageArrows(plantedRoot(), table());
        assertThat(planted()).isNotEmpty()
                .allSatisfy(type -> assertThat(arrows.violations(new ClassFileImporter().importClasses(type)))
                        .singleElement()
                        .asString()
                        .contains(type.getName()));
    }

    private static JavaClasses topLevelTypes() {
        return Modules.mainClasses()
                .that(describe("are top-level types",
                        type -> type.isTopLevelClass() && !type.getSimpleName().endsWith("-info")));
    }
}
