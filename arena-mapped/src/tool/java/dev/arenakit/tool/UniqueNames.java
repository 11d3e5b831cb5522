package dev.arenakit.tool;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Names in one scope, each of which is given once: a name that is taken is followed by `_2`, `_3` and so on.
final class UniqueNames {
    private final UnaryOperator<String> sense;
    private final Set<String> taken = new HashSet<>();
    /// The last number by the name that was wanted, so that many alike take no longer each.
    private final Map<String, Integer> numbers = new HashMap<>();

    UniqueNames() {
        this(UnaryOperator.identity());
    }

    /// @param sense what is left of a name of all that tells it from others
    UniqueNames(UnaryOperator<String> sense) {
        this.sense = sense;
    }

    String take(String wanted) {
        String name = wanted;
        while (!taken.add(sense.apply(name))) {
            name = wanted + "_" + numbers.merge(wanted, 2, (number, _) -> number + 1);
        }
        return name;
    }
}
