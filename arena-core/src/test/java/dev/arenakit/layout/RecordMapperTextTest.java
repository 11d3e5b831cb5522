package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.Encoding.Kind;
import dev.arenakit.layout.annotation.Encoding.Padding;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Packed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

import static dev.arenakit.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RecordMapperTextTest {
    @Packed
    record Cut(@Length(4) @Encoding(truncate = true) String a,
            @Length(3) @Encoding(value = Kind.UTF_16, truncate = true) String b,
            @Length(4) @Encoding(padding = Padding.SPACE, truncate = true) String c,
            @Length(4) @Encoding(prefix = 1, truncate = true) String d) {}

    @Test
    void set_textThatIsTooLong_isCutAfterACharacter() {
        RecordMapper<Cut> mapper = RecordMapper.of(Cut.class);
        MemorySegment segment = MemorySegment.ofArray(new byte[(int) mapper.byteSize()]);

        for (List<String> texts : List.of(List.of("abcde", "abcd"), List.of("abc€", "abc"),
                List.of("ab€", "ab"), List.of("a€b", "a€"), List.of("abcä", "abc"), List.of("😀x", "😀"),
                List.of("a😀", "a"), List.of("aäb😀", "aäb"))) {
            String long1 = texts.get(0);
            String cut = texts.get(1);
            mapper.setAtIndex(segment, 0, new Cut(long1, "", long1, long1));
            assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Cut(cut, "", cut, cut));
        }
        for (List<String> texts : List.of(List.of("abcd", "abc"), List.of("ab😀", "ab"), List.of("a😀", "a😀"),
                List.of("😀😀", "😀"))) {
            mapper.setAtIndex(segment, 0, new Cut("", texts.get(0), "", ""));
            assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Cut("", texts.get(1), "", ""));
        }
    }

    record Padded(@Length(4) @Encoding(padding = Padding.SPACE) String a) {}

    @Test
    void set_paddedWithSpaces_endsBeforeThem() {
        RecordMapper<Padded> mapper = RecordMapper.of(Padded.class);
        MemorySegment segment = MemorySegment.ofArray(new byte[4]);

        mapper.setAtIndex(segment, 0, new Padded(" b"));
        assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(" b  ".getBytes(StandardCharsets.UTF_8));
        assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Padded(" b"));
        mapper.setAtIndex(segment, 0, new Padded(""));
        assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Padded(""));
        assertRefused(() -> mapper.setAtIndex(segment, 0, new Padded("a ")), "ends with a space");
    }

    @Packed
    record Prefixed(@Length(5) @Encoding(prefix = 2) @Order(Order.Endian.BIG_ENDIAN) String a) {}

    @Test
    void set_prefixed_hasItsLengthAndMayContainNul() {
        RecordMapper<Prefixed> mapper = RecordMapper.of(Prefixed.class);
        MemorySegment segment = MemorySegment.ofArray(new byte[7]).fill((byte) 9);

        mapper.setAtIndex(segment, 0, new Prefixed("a\0b"));

        assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).containsExactly(0, 3, 'a', 0, 'b', 0, 0);
        assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Prefixed("a\0b"));
        segment.set(ValueLayout.JAVA_BYTE, 1, (byte) 6);
        assertRefused(() -> mapper.getAtIndex(segment, 0), "component=a, value=6, length=5");
    }

    record OfEight(@Length(8) @Encoding(truncate = true) String text) {}

    @Test
    void set_characterThatIsCutOff_isNotChecked() {
        RecordMapper<OfEight> mapper = RecordMapper.of(OfEight.class);
        MemorySegment segment = MemorySegment.ofArray(new byte[8]);

        for (List<String> texts : List.of(List.of("abcdefgh\0", "abcdefgh"), List.of("ééééé\0", "éééé"),
                List.of("aaaaaaaa\ud800", "aaaaaaaa"), List.of("éééé\ud800", "éééé"),
                List.of("ééééa\ud800", "éééé"), List.of("éé?ééé\ud800", "éé?é"))) {
            mapper.setAtIndex(segment, 0, new OfEight(texts.get(0)));
            assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new OfEight(texts.get(1)));
        }
        for (String text : List.of("é\0ééééé", "\ud800ééééé", "ééé\ud800éé")) {
            assertThatIllegalArgumentException().isThrownBy(() -> mapper.setAtIndex(segment, 0, new OfEight(text)));
        }
    }
}
