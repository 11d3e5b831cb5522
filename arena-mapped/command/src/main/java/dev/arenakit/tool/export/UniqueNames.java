package dev.arenakit.tool.export;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// A scope of unique names: a name that is already taken gets the suffix `_2`, `_3` and so on.
final class UniqueNames {
    private final UnaryOperator<String> key;
    private final Set<String> taken = new HashSet<>();
    /// The last suffix of each wanted name. Without it, each further equal name would take longer than the one before.
    private final Map<String, Integer> numbers = new HashMap<>();

    UniqueNames() {
        this(UnaryOperator.identity());
    }

    /// @param key two names are the same if this function makes them equal
    UniqueNames(UnaryOperator<String> key) {
        this.key = key;
    }

    String take(String wanted) {
        String name = wanted;
        while (!taken.add(key.apply(name))) {
            name = wanted + "_" + numbers.merge(wanted, 2, (number, _) -> number + 1);
        }
        return name;
    }
}
