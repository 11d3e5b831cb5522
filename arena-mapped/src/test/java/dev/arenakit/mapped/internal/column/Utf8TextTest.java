package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.StringType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/// Texts in charsets that the JDK decodes.
class Utf8TextTest {
    @ParameterizedTest
    @ValueSource(strings = {"UTF-32BE", "UTF-32LE", "windows-1252", "ISO-8859-1", "UTF-16BE", "UTF-8"})
    void copy_textInAnyCharset_isUtf8(String name) throws ConversionFailure {
        Charset charset = Charset.forName(name);
        for (String text : new String[]{"", "a", "éöü  ", "12345678"}) {
            StringType type = StringType.of(8, charset);
            assertThat(copied(type, text)).as(text).isEqualTo(text);
            assertThat(copied(type.withPadding(StringType.Padding.SPACE), text + " ")).isEqualTo(text.stripTrailing());
        }
    }

    @Test
    void copy_malformedText_isRefused() {
        MemorySegment segment = MemorySegment.ofArray(new byte[]{0, 0, 0, 1, 0x7f, 0, 0, 0});
        try (Arena arena = Arena.ofConfined()) {
            assertThatExceptionOfType(ConversionFailure.class)
                    .isThrownBy(() -> new Utf8Text(StringType.of(2, StandardCharsets.UTF_32BE))
                            .copy(segment, 0, new GrowingSegment(arena), 0))
                    .withMessageContaining("not a text in UTF-32BE: bytes=000000017f000000");
        }
    }

    private static String copied(StringType type, String text) throws ConversionFailure {
        byte[] bytes = new byte[(int) type.byteSize()];
        if (type.padding() == StringType.Padding.SPACE) {
            byte[] spaces = " ".repeat(8).getBytes(type.charset());
            System.arraycopy(spaces, 0, bytes, 0, bytes.length);
        }
        byte[] encoded = text.getBytes(type.charset());
        System.arraycopy(encoded, 0, bytes, 0, Math.min(encoded.length, bytes.length));
        try (Arena arena = Arena.ofConfined()) {
            GrowingSegment target = new GrowingSegment(arena);
            int length = new Utf8Text(type).copy(MemorySegment.ofArray(bytes), 0, target, 0);
            return new String(Arrays.copyOf(target.atLeast(length).toArray(JAVA_BYTE), length),
                    StandardCharsets.UTF_8);
        }
    }
}
