package dev.arenakit.internal.nativecall;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The names that are requested from jextract: lines of `--include-function malloc`, `--include-struct statx`,
/// `--include-constant ENXIO`.
record IncludeList(List<Entry> entries) {
    private static final String OPTION = "--include-";

    /// @param kind `function`, `struct` or `constant`
    record Entry(String kind, String name) {
        @Override
        public String toString() {
            return kind + " " + name;
        }
    }

    static IncludeList read(Path file) throws IOException {
        return new IncludeList(Files.readAllLines(file).stream().map(IncludeList::entry).toList());
    }

    private static Entry entry(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != 2 || !words[0].startsWith(OPTION)) {
            throw new IllegalArgumentException("Line of an include list is not understood: line=" + line);
        }
        return new Entry(words[0].substring(OPTION.length()), words[1]);
    }
}
