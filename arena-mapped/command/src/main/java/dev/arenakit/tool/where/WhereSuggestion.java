package dev.arenakit.tool.where;

import dev.arenakit.tool.console.Suggestions;
import java.util.List;

/// The part of a message that says which name the user may have meant, and which names exist.
final class WhereSuggestion {
    private static final int SHOWN = 12;

    private WhereSuggestion() {}

    /// Suggests a name.
    ///
    /// @param owner the owner of the names, as in `Trade has`
    static String of(String name, List<String> names, String owner) {
        String list = String.join(", ", names.subList(0, Math.min(SHOWN, names.size())))
                + (names.size() > SHOWN ? " and " + (names.size() - SHOWN) + " more" : "");
        return Suggestions.of(name, names) + (names.isEmpty() ? "" : "; " + owner + " " + list);
    }
}
