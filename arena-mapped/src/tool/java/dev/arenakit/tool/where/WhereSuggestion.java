package dev.arenakit.tool.where;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The part of a message that says which name the user may have meant, or which names there are.
final class WhereSuggestion {
    private static final int SHOWN = 12;

    private WhereSuggestion() {}

    /// Suggests a name.
    ///
    /// @param owner what has the names, as in `Trade has`
    static String of(String name, List<String> names, String owner) {
        String list = String.join(", ", names.subList(0, Math.min(SHOWN, names.size())))
                + (names.size() > SHOWN ? " and " + (names.size() - SHOWN) + " more" : "");
        String all = names.isEmpty() ? "" : "; " + owner + " " + list;
        return nearest(name, names).map(near -> "; did you mean '" + near + "'?").orElse("") + all;
    }

    private static Optional<String> nearest(String name, List<String> names) {
        String lower = name.toLowerCase(Locale.ROOT);
        return names.stream()
                .filter(other -> distance(lower, other.toLowerCase(Locale.ROOT)) <= Math.max(1, name.length() / 3))
                .min(Comparator.comparingInt(other -> distance(lower, other.toLowerCase(Locale.ROOT))));
    }

    /// The number of characters that are inserted, deleted or replaced, where two exchanged ones count as one.
    private static int distance(String a, String b) {
        int[][] rows = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    rows[i][j] = i + j;
                    continue;
                }
                int replaced = rows[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                rows[i][j] = Math.min(replaced, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
                }
            }
        }
        return rows[a.length()][b.length()];
    }
}
