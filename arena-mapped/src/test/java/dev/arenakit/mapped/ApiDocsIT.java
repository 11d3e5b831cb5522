package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The pages and jars that are made for readers of the API.
@Tag("full")
class ApiDocsIT {
    private static final Path PAGES = Path.of(System.getProperty("api.docs"));
    private static final String LIBRARY = System.getProperty("library.jar");

    @Test
    void page_namesATypeOfCore_linksItsPage() throws IOException {
        Path page = PAGES.resolve("dev.arenakit.mapped/dev/arenakit/mapped/ArenaImage.html");
        assumeTrue(Files.exists(page), "no pages are made with -Dmaven.javadoc.skip");
        Matcher link = Pattern.compile("href=\"([^\"#]*/arena-core/[^\"#]*StructType\\.html)")
                .matcher(
                        Files.readString(page));
        assertThat(link.find()).isTrue();
        assertThat(Objects.requireNonNull(page.getParent()).resolve(link.group(1))).isRegularFile();
    }

    @Test
    void jars_holdPagesAndSources() throws IOException {
        assumeTrue(Files.exists(PAGES), "no pages are made with -Dmaven.javadoc.skip");
        assertHolds("javadoc", "dev.arenakit.mapped/dev/arenakit/mapped/InfiniteArena.html");
        assertHolds("sources", "dev/arenakit/mapped/InfiniteArena.java");
    }

    private static void assertHolds(String classifier, String name) throws IOException {
        try (JarFile jar = new JarFile(LIBRARY.replaceFirst("\\.jar$", "-" + classifier + ".jar"))) {
            assertThat(jar.getEntry(name)).as(name).isNotNull();
        }
    }
}
