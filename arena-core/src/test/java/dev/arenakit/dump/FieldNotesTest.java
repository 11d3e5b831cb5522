package dev.arenakit.dump;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Names of fields at the ends of the lines of a dump.
class FieldNotesTest {
    private static final StructType POINT = StructType.builder("Point")
            .add("x", ValueType.of(long.class))
            .add("y", ValueType.of(long.class))
            .build();

    @Test
    void note_fields_areThoseThatBeginInTheLine() {
        FieldNotes notes = FieldNotes.of(StructType.builder("Trade")
                .add("id", ValueType.of(long.class))
                .add("quantity", ValueType.of(int.class))
                .add("price", ValueType.of(double.class))
                .add("symbol", StringType.of(8, StandardCharsets.UTF_8))
                .build());
        assertThat(notes.note(7 * 32 + 16, 16)).isEqualTo("[7].price, [7].symbol");
        assertThat(notes.note(0, 16)).isEqualTo("[0].id, [0].quantity");
        assertThat(notes.note(28, 12)).isEqualTo("[1].id");
        assertThat(notes.note(28, 4)).isEqualTo("[0].symbol");
        assertThat(notes.note(12, 4)).isEmpty();
    }

    @Test
    void note_longField_isNamedInEachLine() {
        FieldNotes notes = FieldNotes.of(StructType.builder("S")
                .add("text", StringType.of(100, StandardCharsets.UTF_8))
                .build());
        assertThat(notes.note(0, 16)).isEqualTo("[0].text");
        assertThat(notes.note(48, 16)).isEqualTo("[0].text");
        assertThat(notes.note(96, 16)).isEqualTo("[1].text");
    }

    @Test
    void note_manyFields_isShortened() {
        StructType.Builder flags = StructType.builder("Flags");
        for (char name = 'a'; name <= 'p'; name++) {
            flags.add(String.valueOf(name), ValueType.of(byte.class));
        }
        assertThat(FieldNotes.of(flags.build()).note(160, 16)).isEqualTo("[10].a, [10].b, [10].c .. [10].p");
        StructType small = StructType.builder("V").add("v", ValueType.of(int.class)).build();
        assertThat(FieldNotes.of(small).note(16, 16)).isEqualTo("[4].v, [5].v, [6].v, [7].v");
    }

    @Test
    void note_unionAndFieldsWithoutASize_areOneAndNone() {
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        members.put("a", POINT);
        members.put("b", ValueType.of(int.class));
        FieldNotes notes = FieldNotes.of(StructType.builder("S")
                .add("none", ArrayType.of(POINT, 0))
                .add("u", UnionType.of("Any", members, Optional.empty()))
                .add("empty", ArrayType.of(StructType.builder("").build(), Long.MAX_VALUE))
                .build());
        assertThat(notes.note(16, 16)).isEqualTo("[1].u");
        assertThat(notes.note(24, 8)).isEqualTo("[1].u");
        assertThat(FieldNotes.of(StructType.builder("E").build()).note(0, 16)).isEmpty();
    }

    @Test
    void note_largeArrays_costNoMoreThanSmallOnes() {
        FieldNotes notes = FieldNotes.of(StructType.builder("Large")
                .add("a", ArrayType.of(ArrayType.of(POINT, 1L << 20), 1L << 30))
                .build());
        assertThat(notes.note((1L << 53) + 16, 16)).isEqualTo("[0].a[536870912][1].x, [0].a[536870912][1].y");
        assertThat(notes.note(Long.MAX_VALUE - 15, 16)).startsWith("[511].a[1073741823][1048575].x");
    }

    @Test
    void note_randomStructs_isWhatASearchOfAllFieldsFinds() {
        Random random = new Random(21);
        RandomStructs structs = new RandomStructs(random);
        for (int round = 0; round < 300; round++) {
            StructType struct = structs.struct();
            List<Place> places = new ArrayList<>();
            for (int i = 0; i < 40 / struct.byteSize() + 3; i++) {
                places(struct, "[" + i + "]", i * struct.byteSize(), places);
            }
            FieldNotes notes = FieldNotes.of(struct);
            for (int i = 0; i < 20; i++) {
                long from = random.nextInt((int) struct.byteSize() + 20);
                int count = 1 + random.nextInt(16);
                assertThat(notes.note(from, count)).as("round %d", round).isEqualTo(expected(places, from, count));
            }
        }
    }

    /// A field, or an element of an array of numbers.
    private record Place(String name, long element, long start, long end) {
        String named(long to) {
            return name + (element < 0 ? "" : to > element ? "[" + element + ".." + to + "]" : "[" + element + "]");
        }
    }

    private static void places(MemoryType type, String name, long start, List<Place> places) {
        switch (type) {
            case StructType struct -> {
                for (Member member : struct.members()) {
                    places(member.type(), name + "." + member.name(), start + member.byteOffset(), places);
                }
            }
            case ArrayType array -> {
                boolean numbers = !(array.element() instanceof StructType || array.element() instanceof ArrayType
                        || array.element() instanceof UnionType || array.element() instanceof StringType);
                long byteSize = array.element().byteSize();
                for (long i = 0; i < array.length(); i++) {
                    long at = start + i * byteSize;
                    if (numbers) {
                        places.add(new Place(name, i, at, at + byteSize));
                    } else {
                        places(array.element(), name + "[" + i + "]", at, places);
                    }
                }
            }
            default -> places.add(new Place(name, -1, start, start + type.byteSize()));
        }
    }

    private static String expected(List<Place> places, long from, int count) {
        List<Place> sized = places.stream().filter(place -> place.end > place.start).toList();
        List<Place> begin = sized.stream().filter(place -> place.start >= from && place.start < from + count).toList();
        if (begin.isEmpty()) {
            return sized.stream()
                    .filter(place -> place.start < from && place.end > from)
                    .map(place -> place.named(-1))
                    .findFirst()
                    .orElse("");
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < begin.size();) {
            Place first = begin.get(i);
            int end = first.element < 0
                    ? i + 1
                    : IntStream.range(i, begin.size())
                            .filter(next -> !begin.get(next).name.equals(first.name))
                            .findFirst()
                            .orElse(begin.size());
            names.add(first.named(begin.get(end - 1).element));
            i = end;
        }
        return names.size() <= 4
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, 3)) + " .. " + names.getLast();
    }
}
