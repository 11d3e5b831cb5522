package dev.arenakit.layout.text;

import dev.arenakit.layout.type.MemoryType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The types of a C header, from [CHeader#parse].
///
/// @param types     the types in the order of the header: structs, unions and enums by the names that they have in C,
///                  such as `struct stat`, and the types of typedefs, such as `pid_t`
/// @param constants the constants of all enums by name; a value of an unsigned integer of 8 bytes is a bit pattern
/// @param refused   the declarations that have no equivalent
public record CHeaderTypes(Map<String, MemoryType> types, Map<String, Long> constants, List<Refusal> refused) {
    /// A declaration that has no equivalent.
    ///
    /// @param name   the name of the type, as in [CHeaderTypes#types], or the first word of the declaration
    /// @param file   the file that contains it, as the preprocessor names it, or "" if the text names none
    /// @param line   the line in that file, counted from 1
    /// @param reason the reason
    public record Refusal(String name, String file, int line, String reason) {
        @Override
        public String toString() {
            return (file.isEmpty() ? "" : file + ":") + line + ": " + name + ": " + reason;
        }
    }

    /// Creates an object with copies of the maps and of the list.
    public CHeaderTypes {
        types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
        constants = Collections.unmodifiableMap(new LinkedHashMap<>(constants));
        refused = List.copyOf(refused);
    }

    /// Returns a type.
    ///
    /// @param name the name in C, such as `struct stat`; the word before the name may be omitted
    /// @return the type, or empty if the header has no such type; if a typedef and a struct have the name, the type of
    ///         the typedef
    public Optional<MemoryType> find(String name) {
        for (String kind : List.of("", "struct ", "union ", "enum ")) {
            MemoryType type = types.get(kind + name);
            if (type != null) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
