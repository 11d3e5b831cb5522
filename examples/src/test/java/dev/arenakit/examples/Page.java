package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A page of documentation in Markdown.
///
/// @param text the text of the page
public record Page(String text) {
    private static final Pattern FLAG = Pattern.compile("--enable-native-access=[\\w.,-]+");

    /// Reads a page.
    ///
    /// @param file the path of the page
    /// @return the page
    /// @throws IOException when the file cannot be read
    public static Page read(Path file) throws IOException {
        return new Page(Files.readString(file));
    }

    /// Returns the code blocks of one language.
    ///
    /// @param language the language that the opening fence names, or the empty string
    /// @return the blocks in their order, without the fences
    public List<String> blocks(String language) {
        String[] parts = text.split("```", -1);
        return IntStream.range(0, parts.length)
                .filter(i -> i % 2 == 1 && parts[i].startsWith(language + "\n"))
                .mapToObj(i -> parts[i].substring(language.length() + 1))
                .toList();
    }

    /// {@return the flags for native access that the page names}
    public List<String> nativeAccessFlags() {
        return FLAG.matcher(text).results().map(MatchResult::group).distinct().sorted().toList();
    }

    /// Removes the indentation of code, so that it can be compared with the same code elsewhere.
    ///
    /// @param code some lines
    /// @return the lines without leading and trailing space
    public static String withoutIndentation(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n"));
    }
}
