package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Follows the links of the pages to files and headings.
class PageLinksTest {
    private static final Path ROOT = Path.of("..");
    private static final Path INDEX = ROOT.resolve("docs/README.md");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern LINKED_TEXT = Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)");

    @Test
    void links_leadToFilesAndHeadings() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md"),
                ROOT.resolve("CHANGELOG.md"), ROOT.resolve("SECURITY.md"),
                ROOT.resolve(".ci/release.md"), ROOT.resolve("bench/README.md"), ROOT.resolve("bench/results.md")));
        pages.addAll(documentation());
        assertThat(pages).allSatisfy(page -> assertThat(broken(page)).as("broken links of %s", page).isEmpty());
    }

    @Test
    void index_linksToEveryPage() throws IOException {
        Set<Path> linked = links(INDEX).map(link -> INDEX.resolveSibling(link.split("#", 2)[0]).normalize())
                .collect(Collectors.toSet());
        assertThat(documentation()).filteredOn(page -> !page.equals(INDEX))
                .allSatisfy(page -> assertThat(linked)
                        .contains(page.normalize()));
    }

    @Test
    void links_ofAPlantedPage_areBroken(@TempDir Path directory) throws IOException {
        Path page = Files.writeString(directory.resolve("page.md"),
                "# The `Page`, again\n[a](page.md#the-page-again) [b](#other) [c](none.md) [d](https://example.com/e)\n");
        assertThat(broken(page)).containsExactly("#other", "none.md");
    }

    private static List<Path> documentation() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
        }
    }

    private static List<String> broken(Path page) throws IOException {
        List<String> broken = new ArrayList<>();
        for (String link : links(page).toList()) {
            String[] parts = link.split("#", 2);
            Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
            if (!Files.exists(target) || (parts.length == 2 && !anchors(target).contains(parts[1]))) {
                broken.add(link);
            }
        }
        return broken;
    }

    private static Stream<String> links(Path page) throws IOException {
        return LINK.matcher(Files.readString(page))
                .results()
                .map(match -> match.group(1))
                .filter(link -> !link.startsWith("https://"));
    }

    /// The names that Markdown gives to headings: letters, digits and hyphens, the latter in place of spaces.
    private static Set<String> anchors(Path page) throws IOException {
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(match -> LINKED_TEXT.matcher(match.group(1)).replaceAll("$1"))
                .map(text -> text.strip().toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
