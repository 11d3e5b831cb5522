package dev.arenakit.tool.console;

import java.util.Collection;
import java.util.Iterator;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds the name that a user probably meant.
public final class Suggestions {
    private Suggestions() {}

    /// Returns a question to append to the message about an unknown name: ` (did you mean show?)`
    ///
    /// @param unknown what the user has typed
    /// @param known   the names that exist
    /// @return an empty string if no name is similar: at most a third of the letters may differ, and not all of them; two
    ///         exchanged letters count as one difference
    public static String of(String unknown, Collection<String> known) {
        return of(unknown, known.stream());
    }

    /// Returns a question to append to the message about an unknown name.
    ///
    /// @param known the names that exist; there may be very many
    /// @return an empty string if no name is similar
    public static String of(String unknown, Stream<String> known) {
        @Nullable
        String nearest = null;
        int limit = Math.max(1, unknown.length() / 3) + 1;
        for (Iterator<String> names = known.iterator(); names.hasNext();) {
            String name = names.next();
            // The difference of the lengths is the least distance, and takes less time: there may be a million names.
            if (Math.abs(name.length() - unknown.length()) < limit) {
                int distance = distance(unknown, name);
                if (distance < limit && distance < Math.max(name.length(), unknown.length())) {
                    nearest = name;
                    limit = distance;
                }
            }
        }
        return nearest == null ? "" : " (did you mean " + nearest + "?)";
    }

    /*
     * The optimal string alignment distance: the number of letters to insert, to remove, to replace, or to exchange
     * with their neighbour. Each row of the table depends on the two before it.
     */
    private static int distance(String from, String to) {
        String a = from.toLowerCase(Locale.ROOT);
        String b = to.toLowerCase(Locale.ROOT);
        int[][] table = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                table[i][j] = i == 0 || j == 0 ? i + j : step(table, a, b, i, j);
            }
        }
        return table[a.length()][b.length()];
    }

    private static int step(int[][] table, String a, String b, int i, int j) {
        int replaced = table[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replaced, 1 + Math.min(table[i - 1][j], table[i][j - 1]));
        boolean areExchanged = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        return areExchanged ? Math.min(best, table[i - 2][j - 2] + 1) : best;
    }
}
