package dev.arenakit.examples.libc;

import dev.arenakit.examples.Page;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares the blocks of `docs/jextract.md` with code that is compiled.
class JextractPageTest {
    private final Page page = Page.read(Path.of("..", "docs", "jextract.md"));

    JextractPageTest() throws IOException {}

    @Test
    void javaBlocks_areLinesOfTheUsersProject() throws IOException {
        String project = lines("src/it/jextract/src/main/java/com/example/app/Main.java");
        assertThat(page.blocks("java")).hasSize(5)
                .allSatisfy(block -> assertThat(project).contains(Page.withoutIndentation(block)));
    }

    @Test
    void xmlBlock_andTheList_areThoseOfTheUsersProject() throws IOException {
        assertThat(lines("src/it/jextract/pom.xml"))
                .contains(page.blocks("xml").stream().map(Page::withoutIndentation).toList());
        assertThat(page.blocks("xml")).hasSize(1);
        assertThat(page.blocks("").getFirst()).isEqualTo(text("src/it/jextract/src/jextract/libc.includes"));
    }

    private static String lines(String file) throws IOException {
        return Page.withoutIndentation(text(file));
    }

    private static String text(String file) throws IOException {
        return Page.read(Path.of(file)).text();
    }
}
