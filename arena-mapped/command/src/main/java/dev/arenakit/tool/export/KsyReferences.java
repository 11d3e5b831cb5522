package dev.arenakit.tool.export;

import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/// Expressions for the members that unions and arrays refer to, by their paths in the enclosing struct. A union or
/// array that is declared as a type has parameters in place of these members.
record KsyReferences(SequencedMap<String, String> expressions) {
    /// No expressions, for types that are in no struct.
    static KsyReferences none() {
        return new KsyReferences(new LinkedHashMap<>());
    }

    /// The expressions for the members that a member of a struct refers to.
    static KsyReferences of(StructType struct, MemoryType member) {
        SequencedMap<String, String> found = new LinkedHashMap<>();
        TypeProperties.references(member)
                .sequencedKeySet()
                .stream()
                .filter(path -> TypeProperties.hasInteger(struct, path))
                .forEach(path -> found.put(path, KsyMembers.number(struct, path)));
        return new KsyReferences(found);
    }

    /// The expressions for the members that a type refers to.
    KsyReferences in(MemoryType type) {
        SequencedMap<String, String> found = new LinkedHashMap<>(TypeProperties.references(type));
        found.keySet().retainAll(expressions.keySet());
        found.replaceAll((path, _) -> expressions.getOrDefault(path, ""));
        return new KsyReferences(found);
    }

    List<String> paths() {
        return List.copyOf(expressions.sequencedKeySet());
    }

    Optional<String> expression(String path) {
        return Optional.ofNullable(expressions.get(path));
    }

    /// The same paths, with the names of parameters of a type.
    KsyReferences parameters(MemoryType type, UniqueNames names) {
        SequencedMap<String, String> wanted = TypeProperties.references(type);
        SequencedMap<String, String> parameters = new LinkedHashMap<>();
        paths().forEach(path -> parameters.put(path, names.take(wanted.getOrDefault(path, path))));
        return new KsyReferences(parameters);
    }

    /// The declaration of these parameters.
    String declarations() {
        return expressions.isEmpty()
                ? ""
                : expressions.values()
                        .stream()
                        .map(name -> "      - id: " + name + "\n        type: s8\n")
                        .collect(Collectors.joining("", "    params:\n", ""));
    }

    /// The arguments of a type with these parameters.
    String arguments() {
        return expressions.isEmpty()
                ? ""
                : expressions.values().stream().collect(Collectors.joining(", ", "(", ")"));
    }
}
