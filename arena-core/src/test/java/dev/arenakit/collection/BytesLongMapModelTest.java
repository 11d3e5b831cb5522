package dev.arenakit.collection;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Random operations, compared with a [HashMap].
class BytesLongMapModelTest {
    private static final int KEYS = 3_000;

    enum Kind {
        PUT, ADD, REMOVE, GET, PUT_MANY, REMOVE_MANY, WALK, CLEAR, PUT_IF_ABSENT, GET_AND_PUT, GET_AND_REMOVE, REMOVE_IF, SHRINK, PUT_ALL
    }

    enum Form {
        ARRAY, HEAP_SEGMENT, SEGMENT, TEXT
    }

    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final List<Form> FORMS = List.of(Form.values());

    record Operation(Kind kind, Form form, int key, long value) {
        static Operation random(Random random) {
            int choice = random.nextInt(1000);
            Kind kind = choice % 10 == 0
                    ? KINDS.get(8 + choice / 10 % (choice < 940 ? 3 : 6))
                    : common(choice);
            return new Operation(kind, FORMS.get(random.nextInt(FORMS.size())), random.nextInt(KEYS),
                    random.nextLong());
        }

        private static Kind common(int choice) {
            return choice < 300
                    ? Kind.PUT
                    : choice < 450
                            ? Kind.ADD
                            : choice < 700
                                    ? Kind.REMOVE
                                    : choice < 980
                                            ? Kind.GET
                                            : choice < 989
                                                    ? Kind.PUT_MANY
                                                    : choice < 996
                                                            ? Kind.REMOVE_MANY
                                                            : choice < 999 ? Kind.WALK : Kind.CLEAR;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("full")
    void operations_anyOfThem_agreeWithAHashMap(ByteModelMemory memory) {
        for (int seed = 0; seed < 2; seed++) {
            ByteModel.check(seed, 4_000, Operation::random, operations -> run(memory, operations));
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void operations_millionsOfThem_agreeWithAHashMap(ByteModelMemory memory) {
        for (int seed = 100; seed < 105; seed++) {
            ByteModel.check(seed, 200_000, Operation::random, operations -> run(memory, operations));
        }
    }

    @Test
    void shrink_afterAPeak_takesTheMemoryOfTheEntries() {
        try (BytesLongMap map = BytesLongMap.owning(Arena::ofConfined)) {
            for (int i = 0; i < 20_000; i++) {
                map.put("key " + i, i);
            }
            assertThat(map.removeIf((_, _, _, value) -> value % 200 != 0)).isEqualTo(19_900);
            map.shrink();
            assertThat(map.byteSize()).isLessThan(100 * (24 + 24));
            for (int i = 0; i < 20_000; i += 200) {
                assertThat(map.get("key " + i, -1)).isEqualTo(i);
            }
        }
    }

    @Test
    void remove_byTheCursor_continuesWithTheNextEntry() {
        try (BytesLongMap map = BytesLongMap.owning(Arena::ofConfined)) {
            for (int i = 0; i < 1_000; i++) {
                map.put("key " + i, i);
            }
            int next = 0;
            for (BytesLongMap.Cursor cursor = map.cursor(); cursor.moveNext(); next++) {
                assertThat(cursor.value()).isEqualTo(next);
                if (next % 3 != 1) {
                    cursor.remove();
                    assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
                    assertThatThrownBy(cursor::remove).isInstanceOf(IllegalStateException.class);
                }
            }
            assertThat(next).isEqualTo(1_000);
            assertThat(map.size()).isEqualTo(333);
            assertThatThrownBy(() -> map.removeIf((_, _, _, value) -> map.remove("key " + value)))
                    .isInstanceOf(ConcurrentModificationException.class);
        }
    }

    private static void run(ByteModelMemory memory, List<Operation> operations) {
        try (ByteModelMemory.Made made = new ByteModelMemory.Made(); Arena keys = Arena.ofConfined()) {
            MemorySegment room = keys.allocate(100);
            Map<String, Long> model = new LinkedHashMap<>();
            try (BytesLongMap map = memory.create(made,
                    new ByteModelMemory.Factory<>(BytesLongMap::create, BytesLongMap::owning))) {
                for (Operation operation : operations) {
                    apply(map, model, operation, room);
                    assertThat(map.size()).isEqualTo(model.size());
                }
                assertSame(map, model);
            }
            made.assertReleased(memory);
        }
    }

    private static void apply(BytesLongMap map, Map<String, Long> model, Operation operation, MemorySegment room) {
        byte[] key = ByteModel.key(operation.key);
        long value = operation.value;
        switch (operation.kind) {
            case PUT -> assertThat(put(map, operation.form, key, value, room))
                    .isEqualTo(model.put(text(key), value) == null);
            case ADD -> assertThat(add(map, operation.form, key, value, room))
                    .isEqualTo(model.merge(text(key), value, Long::sum));
            case REMOVE -> assertThat(remove(map, operation.form, key, room))
                    .isEqualTo(model.remove(text(key)) != null);
            case GET -> assertThat(get(map, operation.form, key, value, room))
                    .isEqualTo(model.getOrDefault(text(key), value));
            case PUT_MANY -> {
                for (int i = 0; i < 200; i++) {
                    byte[] next = ByteModel.key((operation.key + i) % KEYS);
                    map.put(next, i);
                    model.put(text(next), (long) i);
                }
            }
            case REMOVE_MANY -> {
                for (int i = 0; i < 400; i++) {
                    byte[] next = ByteModel.key((operation.key + i) % KEYS);
                    assertThat(map.remove(next)).isEqualTo(model.remove(text(next)) != null);
                }
            }
            case WALK -> assertSame(map, model);
            case CLEAR -> {
                map.clear();
                model.clear();
            }
            case PUT_IF_ABSENT -> assertThat(operation.form == Form.TEXT
                    ? map.putIfAbsent(text(key), value)
                    : map.putIfAbsent(key, value)).isEqualTo(model.putIfAbsent(text(key), value) == null);
            case GET_AND_PUT -> {
                long replaced = operation.form == Form.TEXT
                        ? map.getAndPut(text(key), value, -7)
                        : map.getAndPut(key, value, -7);
                assertThat(replaced).isEqualTo(model.getOrDefault(text(key), -7L));
                model.put(text(key), value);
            }
            case GET_AND_REMOVE -> {
                long removed = operation.form == Form.TEXT
                        ? map.getAndRemove(text(key), -7)
                        : map.getAndRemove(key, -7);
                assertThat(removed).isEqualTo(model.getOrDefault(text(key), -7L));
                model.remove(text(key));
            }
            case REMOVE_IF -> {
                long before = model.size();
                model.values().removeIf(each -> ((each ^ value) & 3) == 0);
                assertThat(map.removeIf((_, _, _, each) -> ((each ^ value) & 3) == 0))
                        .isEqualTo(before - model.size());
            }
            case SHRINK -> {
                long byteSize = map.byteSize();
                map.shrink();
                assertThat(map.byteSize()).isLessThanOrEqualTo(byteSize);
            }
            case PUT_ALL -> {
                try (BytesLongMap other = BytesLongMap.owning(Arena::ofConfined)) {
                    other.putAll(map);
                    map.putAll(map);
                    map.clear();
                    map.putAll(other);
                }
            }
        }
    }

    private static boolean put(BytesLongMap map, Form form, byte[] key, long value, MemorySegment room) {
        return switch (form) {
            case ARRAY -> map.put(padded(key), 3, key.length, value);
            case HEAP_SEGMENT -> map.put(MemorySegment.ofArray(padded(key)), 3, key.length, value);
            case SEGMENT -> map.put(native5(key, room), 5, key.length, value);
            case TEXT -> map.put(text(key), value);
        };
    }

    private static long add(BytesLongMap map, Form form, byte[] key, long delta, MemorySegment room) {
        return switch (form) {
            case ARRAY -> map.addTo(padded(key), 3, key.length, delta);
            case HEAP_SEGMENT -> map.addTo(MemorySegment.ofArray(padded(key)), 3, key.length, delta);
            case SEGMENT -> map.addTo(native5(key, room), 5, key.length, delta);
            case TEXT -> map.addTo(text(key), delta);
        };
    }

    private static boolean remove(BytesLongMap map, Form form, byte[] key, MemorySegment room) {
        return switch (form) {
            case ARRAY -> map.remove(padded(key), 3, key.length);
            case HEAP_SEGMENT -> map.remove(MemorySegment.ofArray(padded(key)), 3, key.length);
            case SEGMENT -> map.remove(native5(key, room), 5, key.length);
            case TEXT -> map.remove(CharBuffer.wrap(text(key)));
        };
    }

    private static long get(BytesLongMap map, Form form, byte[] key, long missing, MemorySegment room) {
        return switch (form) {
            case ARRAY -> map.get(padded(key), 3, key.length, missing);
            case HEAP_SEGMENT -> map.get(MemorySegment.ofArray(padded(key)), 3, key.length, missing);
            case SEGMENT -> map.get(native5(key, room), 5, key.length, missing);
            case TEXT -> map.get(text(key), missing);
        };
    }

    private static void assertSame(BytesLongMap map, Map<String, Long> model) {
        for (int i = 0; i < KEYS; i++) {
            byte[] key = ByteModel.key(i);
            String text = text(key);
            boolean isPresent = model.containsKey(text);
            assertThat(map.containsKey(key)).isEqualTo(isPresent);
            assertThat(map.containsKey(text)).isEqualTo(isPresent);
            assertThat(map.containsKey(padded(key), 3, key.length)).isEqualTo(isPresent);
            assertThat(map.containsKey(MemorySegment.ofArray(padded(key)), 3, key.length)).isEqualTo(isPresent);
        }
        Map<String, Long> visited = new HashMap<>();
        map.forEach((bytes, offset, byteSize, value) -> visited.put(
                text(bytes.asSlice(offset, byteSize).toArray(JAVA_BYTE)), value));
        assertThat(visited).isEqualTo(model);
        Map<String, Long> moved = new HashMap<>();
        for (BytesLongMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
            moved.put(cursor.keyText(), cursor.value());
            assertThat(cursor.key()).hasSize(cursor.keyByteSize());
        }
        assertThat(moved).isEqualTo(model);
        model.forEach((key, value) -> assertThat(map.get(key, value - 1)).isEqualTo(value));
    }

    private static byte[] padded(byte[] key) {
        byte[] padded = new byte[key.length + 7];
        System.arraycopy(key, 0, padded, 3, key.length);
        return padded;
    }

    private static MemorySegment native5(byte[] key, MemorySegment room) {
        MemorySegment.copy(key, 0, room, JAVA_BYTE, 5, key.length);
        return room;
    }

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }
}
