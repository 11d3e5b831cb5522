package dev.arenakit.internal.collection.bytes;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KeyTextTest {
    private final KeyText texts = new KeyText();

    @Test
    void take_afterShortText_returnsTheSameArray() {
        byte[] array = texts.take("a".repeat(1_000));
        texts.giveBack(array);
        assertThat(texts.take("b")).isSameAs(array);
    }

    @Test
    void take_afterLongText_returnsAnotherArray() {
        byte[] array = texts.take("a".repeat(1_000_000));
        texts.giveBack(array);
        assertThat(texts.take("b").length).isLessThan(100_000);
    }
}
