package dev.arenakit.tool.console;

import java.util.Iterator;
import java.util.Locale;
import java.util.stream.Stream;
import org.jline.utils.Levenshtein;
import org.jspecify.annotations.Nullable;

/// Finds the name that a user probably meant.
public final class Suggestions {
    private Suggestions() {}

    /// Returns a question to append to the message about an unknown name: ` (did you mean show?)`
    ///
    /// @param unknown what the user has typed
    /// @param known   the names that exist; there may be very many
    /// @return an empty string if no name is similar: at most a third of the letters may differ, and not all of them; two
    ///         exchanged letters count as one difference
    public static String of(String unknown, Stream<String> known) {
        @Nullable
        String nearest = null;
        String typed = unknown.toLowerCase(Locale.ROOT);
        int limit = Math.max(1, unknown.length() / 3) + 1;
        for (Iterator<String> names = known.iterator(); names.hasNext();) {
            String name = names.next();
            // The difference of the lengths is the least distance, and takes less time: there may be a million names.
            if (Math.abs(name.length() - unknown.length()) < limit) {
                int distance = Levenshtein.distance(typed, name.toLowerCase(Locale.ROOT));
                if (distance < limit && distance < Math.max(name.length(), unknown.length())) {
                    nearest = name;
                    limit = distance;
                }
            }
        }
        return nearest == null ? "" : " (did you mean " + nearest + "?)";
    }
}
