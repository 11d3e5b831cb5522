package dev.arenakit.examples.structures;

import dev.arenakit.examples.CapturedOutput;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ArticlesExampleTest {
    @Test
    void run_recordsOfSeveralSizes_areReadAsTheyWereWritten() {
        CapturedOutput output = new CapturedOutput();
        ArticlesExample.run(output.stream());
        assertThat(output.toString()).isEqualTo("""
                saw: Article[facts=Facts[stock=3, price=12.5], description=for wood]
                pen: Article[facts=Facts[stock=249, price=1.5], description=%sor black]
                cup: none
                2 articles, one of each for 14.00
                """.formatted("blue ".repeat(20)));
    }
}
