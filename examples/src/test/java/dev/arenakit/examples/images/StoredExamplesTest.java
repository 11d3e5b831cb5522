package dev.arenakit.examples.images;

import dev.arenakit.examples.CapturedOutput;
import dev.arenakit.examples.process.DoomedProcess;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Runs the programs of `docs/stored-structures.md`.
class StoredExamplesTest {
    @Test
    void rowsExample_killedProcess_losesNoRow(@TempDir Path directory) throws Exception {
        CapturedOutput printed = new CapturedOutput();
        RowsExample.run(printed.stream(), directory);
        assertThat(printed).hasToString("More than 10,000 rows have survived the kill.\n");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void storedExample_findsTheOrder(@TempDir Path directory) throws IOException {
        CapturedOutput printed = new CapturedOutput();
        StoredExample.run(printed.stream(), directory);
        assertThat(printed).hasToString("""
                Order[customer=7, quantity=100, price=9.5, symbol=ARNA]
                StructureRepair[kept=0, dropped=0, lost=[]]
                """);
    }

    @Test
    void lastingQuotes_killedProcess_areOldOrNew(@TempDir Path directory) throws Exception {
        Path base = directory.resolve("quotes");
        try (DoomedProcess writer = DoomedProcess.start(LastingQuotes.class, base.toString())) {
            long acknowledged = writer.killAt(10_000).reached();
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
                LastingQuotes quotes = new LastingQuotes(arena);
                for (long slot = 0; slot < LastingQuotes.COUNT; slot++) {
                    LastingQuotes.Quote quote = quotes.get(slot);
                    assertThat(quote).isEqualTo(LastingQuotes.Quote.number(quote.number()));
                    assertThat(quote.number()).isGreaterThan(acknowledged - LastingQuotes.COUNT);
                }
            }
        }
    }
}
