package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A page of documentation, in Markdown.
///
/// @param text all of it
public record Page(String text) {
    /// Reads a page.
    ///
    /// @param file where it is
    /// @return the page
    /// @throws IOException when it cannot be read
    public static Page read(Path file) throws IOException {
        return new Page(Files.readString(file));
    }

    /// What stands between the fences of a language, the first line of a fence telling which.
    ///
    /// @param language which, or empty
    /// @return the blocks, in their order
    public List<String> blocks(String language) {
        String[] parts = text.split("```", -1);
        return IntStream.range(0, parts.length)
                .filter(i -> i % 2 == 1 && parts[i].startsWith(language + "\n"))
                .mapToObj(i -> parts[i].substring(language.length() + 1))
                .toList();
    }

    /// Code, so that it can be compared wherever it stands.
    ///
    /// @param code some lines
    /// @return the lines without the space around each
    public static String withoutIndentation(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n"));
    }
}
