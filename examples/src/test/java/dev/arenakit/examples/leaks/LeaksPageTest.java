package dev.arenakit.examples.leaks;

import dev.arenakit.examples.CapturedOutput;
import dev.arenakit.examples.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares the blocks of `docs/leaks.md` with the example and its output.
class LeaksPageTest {
    private static final Path PAGE = Path.of("..", "docs", "leaks.md");
    private static final Path EXAMPLE = Path
            .of("src/main/java/dev/arenakit/examples/leaks/ForgottenClose.java");
    private static final Path USERS_TEST = Path.of("../arena-core/junit/src/test/java/com/example/WordsTest.java");

    @Test
    void javaBlock_isOfTheExample() throws IOException {
        assertThat(Page.withoutIndentation(Page.read(EXAMPLE).text()))
                .contains(Page.withoutIndentation(Page.read(PAGE).blocks("java").getFirst()));
    }

    @Test
    void testOfTheUser_isATestThatRuns() throws IOException {
        assertThat(Page.read(USERS_TEST).text()).endsWith(Page.read(PAGE).blocks("java").get(1));
    }

    @Test
    void run_forgottenClose_printsTheBlockOfThePage() throws IOException {
        CapturedOutput printed = new CapturedOutput();
        Logger log = Logger.getLogger("dev.arenakit.leaks");
        log.setLevel(Level.OFF);
        try {
            ForgottenClose.run(printed.stream());
        } finally {
            log.setLevel(null);
        }
        assertThat(withoutWhatVaries(printed.toString()))
                .isEqualTo(withoutWhatVaries(Page.read(PAGE).blocks("").getFirst()));
    }

    /// Removes the name of the thread, and the modules of stacks.
    private static String withoutWhatVaries(String printed) {
        return printed.strip().replaceAll("\\w+#\\d+ at ", "").replaceAll("[\\w.]+/", "");
    }
}
