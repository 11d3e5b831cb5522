package dev.arenakit.testing;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The tests of the rules for modules that users require.
public interface LibraryRulesContract extends DependencyRulesContract {
    /// {@return a class of each module that the module requires beside `java.base` and JSpecify}
    default List<Class<?>> requiredModules() {
        return List.of();
    }

    /// {@return the modules of the JDK that the module uses only if they are present}
    default Set<String> optionalModules() {
        return Set.of();
    }

    @Override
    default Set<String> dependencies() {
        Stream<ModuleDescriptor> required = requiredModules().stream().map(Modules::descriptor);
        Stream<ModuleDescriptor> optional = optionalModules().stream()
                .map(name -> ModuleFinder.ofSystem().find(name).orElseThrow().descriptor());
        return Stream.concat(required, optional)
                .flatMap(module -> module.packages().stream())
                .collect(Collectors.toSet());
    }

    /// {@return the internal packages that the module exports, and the modules that it exports each to}
    default Map<String, Set<String>> internalExports() {
        return Map.of();
    }

    /// {@return the names of the classes that link functions of C, which are compared with the headers}
    default Set<String> linkingClasses() {
        return Set.of();
    }

    /// Only the listed classes create downcall handles or upcall stubs.
    @Test
    default void functionsOfC_areLinkedInTheListedClassesAlone() {
        DependencyRules.linkedOnlyBy(linkingClasses()).check(classes());
    }

    /// Public signatures of exported packages contain no type of an internal package.
    @Test
    default void signatures_ofExportedPackages_haveNoInternalType() {
        Set<String> exported = Modules.exportedPackages(module()).collect(Collectors.toSet());
        DependencyRules.signaturesWithoutInternalTypes(exported).check(classes());
    }

    /// The module requires `java.base` and the listed modules. JSpecify and the optional modules may be absent at run
    /// time.
    @Test
    default void module_requiresTheListedModulesAlone() {
        Map<Boolean, Set<String>> required = module().requires()
                .stream()
                .collect(Collectors.partitioningBy(requires -> requires.modifiers().contains(Requires.Modifier.STATIC),
                        Collectors.mapping(Requires::name, Collectors.toSet())));
        assertThat(required.get(true)).contains("org.jspecify")
                .filteredOn(name -> !name.equals("org.jspecify"))
                .containsExactlyInAnyOrderElementsOf(optionalModules());
        assertThat(required.get(false)).contains("java.base")
                .filteredOn(name -> !name.equals("java.base"))
                .containsExactlyInAnyOrderElementsOf(
                        requiredModules().stream().map(type -> Modules.descriptor(type).name()).toList());
    }

    /// The module exports the listed internal packages, to the listed modules.
    @Test
    default void module_exportsInternalPackagesToTheListedModulesAlone() {
        assertThat(module().exports()
                .stream()
                .filter(exports -> DependencyRules.isInternal(exports.source()))
                .collect(Collectors.toMap(Exports::source, Exports::targets)))
                .isEqualTo(internalExports());
    }

    private static ModuleDescriptor module() {
        return Modules.descriptor(Path.of("target/classes"));
    }
}
