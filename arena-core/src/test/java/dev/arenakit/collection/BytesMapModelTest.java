package dev.arenakit.collection;

import dev.arenakit.internal.collection.bytes.KeyText;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Random operations, compared with a [HashMap].
class BytesMapModelTest {
    private static final int KEYS = 1_000;

    enum Kind {
        PUT, PUT_TEXT, REMOVE, GET, OTHER, WALK, CLEAR
    }

    record Operation(Kind kind, int key, int value) {
        static Operation random(Random random) {
            int choice = random.nextInt(1000);
            Kind kind = choice < 400
                    ? Kind.PUT
                    : choice < 500
                            ? Kind.PUT_TEXT
                            : choice < 750
                                    ? Kind.REMOVE
                                    : choice < 990
                                            ? Kind.GET
                                            : choice < 997
                                                    ? Kind.OTHER
                                                    : choice < 999 ? Kind.WALK : Kind.CLEAR;
            return new Operation(kind, random.nextInt(KEYS), random.nextInt(1 << 20));
        }
    }

    @ParameterizedTest
    @EnumSource
    void operations_anyOfThem_agreeWithAHashMap(ByteModelMemory memory) {
        for (int seed = 0; seed < 2; seed++) {
            ByteModel.check(seed, 3_000, Operation::random, operations -> run(memory, operations));
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void operations_millionsOfThem_agreeWithAHashMap(ByteModelMemory memory) {
        for (int seed = 100; seed < 105; seed++) {
            ByteModel.check(seed, 400_000, Operation::random, operations -> run(memory, operations));
        }
    }

    private static void run(ByteModelMemory memory, List<Operation> operations) {
        try (ByteModelMemory.Made made = new ByteModelMemory.Made()) {
            Map<String, String> model = new HashMap<>();
            try (BytesMap map = memory.create(made,
                    new ByteModelMemory.Factory<>(BytesMap::create, BytesMap::owning))) {
                BytesMap.Value found = map.newValue();
                for (Operation operation : operations) {
                    apply(map, model, operation, found);
                    assertThat(map.size()).isEqualTo(model.size());
                }
                assertSame(map, model);
            }
            made.assertReleased(memory);
        }
    }

    private static void apply(BytesMap map, Map<String, String> model, Operation operation, BytesMap.Value found) {
        byte[] key = ByteModel.key(operation.key);
        String text = text(key);
        switch (operation.kind) {
            case PUT -> {
                byte[] value = value(operation.value);
                byte[] padded = new byte[key.length + 4];
                System.arraycopy(key, 0, padded, 1, key.length);
                assertThat(map.put(padded, 1, key.length, value, 0, value.length))
                        .isEqualTo(model.put(text, text(value)) == null);
            }
            case PUT_TEXT -> {
                String value = text(value(operation.value)) + "äß\uD83D\uDE00";
                assertThat(map.put(text, value)).isEqualTo(model.put(text, value) == null);
            }
            case REMOVE -> assertThat(operation.value % 2 == 0 ? map.remove(text) : map.remove(key))
                    .isEqualTo(model.remove(text) != null);
            case GET -> {
                String expected = model.get(text);
                boolean isPresent = operation.value % 2 == 0
                        ? map.find(text, found)
                        : map.find(MemorySegment.ofArray(key), 0, key.length, found);
                assertThat(isPresent).isEqualTo(expected != null);
                assertThat(map.containsKey(text)).isEqualTo(isPresent);
                assertThat(map.containsKey(key)).isEqualTo(isPresent);
                assertThat(map.containsKey(MemorySegment.ofArray(key), 0, key.length)).isEqualTo(isPresent);
                if (expected != null) {
                    assertThat(found.text()).isEqualTo(expected);
                    assertThat(text(found.toArray())).isEqualTo(expected);
                    assertThat(found.slice().isReadOnly()).isTrue();
                    assertThat(map.get(text, "")).isEqualTo(expected);
                }
                assertThat(map.get(key, new byte[]{42}))
                        .isEqualTo(expected == null ? new byte[]{42} : expected.getBytes(StandardCharsets.UTF_8));
            }
            case OTHER -> change(map, model, key, value(operation.value), operation.value % 8);
            case WALK -> assertSame(map, model);
            case CLEAR -> {
                map.clear();
                model.clear();
            }
        }
    }

    private static void change(BytesMap map, Map<String, String> model, byte[] key, byte[] value, int choice) {
        String text = text(key);
        String newText = text(value);
        String before = model.getOrDefault(text, "missing");
        byte[] missing = "missing".getBytes(StandardCharsets.UTF_8);
        switch (choice) {
            case 0 -> assertThat(map.putIfAbsent(key, value)).isEqualTo(model.putIfAbsent(text, newText) == null);
            case 1 -> assertThat(map.putIfAbsent(text, newText)).isEqualTo(model.putIfAbsent(text, newText) == null);
            case 2 -> {
                assertThat(text(map.getAndPut(key, value, missing))).isEqualTo(before);
                model.put(text, newText);
            }
            case 3 -> {
                assertThat(map.getAndPut(text, newText, "missing")).isEqualTo(before);
                model.put(text, newText);
            }
            case 4 -> {
                assertThat(text(map.getAndRemove(key, missing))).isEqualTo(before);
                model.remove(text);
            }
            case 5 -> {
                assertThat(map.getAndRemove(text, "missing")).isEqualTo(before);
                model.remove(text);
            }
            case 6 -> {
                long size = model.size();
                model.values().removeIf(each -> each.length() % 3 == 0);
                assertThat(map.removeIf((bytes, _, _, offset, byteSize) -> KeyText.decode(bytes, offset, byteSize)
                        .length() % 3 == 0)).isEqualTo(size - model.size());
                map.shrink();
            }
            default -> {
                try (BytesMap other = BytesMap.create(java.lang.foreign.Arena.ofAuto())) {
                    other.putAll(map);
                    map.clear();
                    map.putAll(other);
                    map.putAll(map);
                }
            }
        }
    }

    private static void assertSame(BytesMap map, Map<String, String> model) {
        Map<String, String> visited = new HashMap<>();
        map.forEach((bytes, keyOffset, keyByteSize, valueOffset, valueByteSize) -> visited.put(
                KeyText.decode(bytes, keyOffset, keyByteSize), KeyText.decode(bytes, valueOffset, valueByteSize)));
        assertThat(visited).isEqualTo(model);
        Map<String, String> moved = new HashMap<>();
        for (BytesMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
            assertThat(text(cursor.key())).isEqualTo(cursor.keyText());
            assertThat(text(cursor.value())).isEqualTo(cursor.valueText());
            moved.put(cursor.keyText(), cursor.valueText());
        }
        assertThat(moved).isEqualTo(model);
    }

    private static byte[] value(int seed) {
        byte[] value = new byte[seed % 7 == 0 ? seed % 300 : seed % 20];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) ('A' + (seed + i) % 26);
        }
        return value;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
