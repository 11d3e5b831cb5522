package dev.arenakit.tool.export;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// A scope of unique names: a name that is already taken gets the suffix `_2`, `_3` and so on.
final class UniqueNames {
    private final Set<String> taken = new HashSet<>();
    /// The last suffix of each wanted name. Without it, each further equal name would take longer than the one before.
    private final Map<String, Integer> numbers = new HashMap<>();

    String take(String wanted) {
        String name = wanted;
        while (!taken.add(name)) {
            name = wanted + "_" + numbers.merge(wanted, 2, (number, _) -> number + 1);
        }
        return name;
    }
}
