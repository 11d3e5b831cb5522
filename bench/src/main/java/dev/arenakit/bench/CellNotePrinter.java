package dev.arenakit.bench;

import dev.arenakit.bench.report.CellNote;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Prints the notes on cells to the terminal.
final class CellNotePrinter {
    private CellNotePrinter() {}

    /// Prints the notes, one line for all cells of a candidate with the same note.
    ///
    /// @return whether a candidate failed
    static boolean print(PrintStream out, List<CellNote> notes) {
        print(out, "Not measured:", notes.stream().filter(note -> !note.isMeasured()));
        print(out, "Measured, but not to be trusted:", notes.stream().filter(CellNote::isMeasured));
        return notes.stream().anyMatch(CellNote::isFailure);
    }

    private static void print(PrintStream out, String title, Stream<CellNote> notes) {
        Map<String, Long> lines = notes
                .collect(Collectors.groupingBy(note -> note.cell().candidate() + ": " + note.describe(),
                        LinkedHashMap::new, Collectors.counting()));
        if (!lines.isEmpty()) {
            out.println();
            out.println(title);
            lines.forEach((line, cells) -> out.println("  " + line + (cells > 1 ? "  (" + cells + " cells)" : "")));
        }
    }
}
