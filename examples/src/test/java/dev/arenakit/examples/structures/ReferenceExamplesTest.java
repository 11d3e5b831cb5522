package dev.arenakit.examples.structures;

import dev.arenakit.examples.CapturedOutput;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ReferenceExamplesTest {
    private final CapturedOutput output = new CapturedOutput();

    @Test
    void run_taskList_movesTasksBetweenLists() {
        TaskListExample.run(output.stream());
        assertThat(output.toString()).isEqualTo("""
                ready: 2, 3, 4, 5; waiting: 1, 0
                priorities of all: 10
                """);
    }

    @Test
    void run_tradeIndex_findsTheTradesOfAnAccount() {
        TradeIndexExample.run(output.stream());
        assertThat(output.toString()).isEqualTo("""
                account 1000000: 4 trades, quantity 3
                account 1000299: 3 trades, quantity 3
                account 5: 0 trades, quantity 0
                """);
    }

    @Test
    void run_wordTrie_isSearchedByAnotherProcess(@TempDir Path directory) throws Exception {
        WordTrieExample.run(output.stream(), directory);
        assertThat(output.toString()).isEqualTo("""
                21 nodes
                the: 4
                text: 2
                te: 0
                word: 0
                """);
        assertThat(directory).isEmptyDirectory();
    }
}
