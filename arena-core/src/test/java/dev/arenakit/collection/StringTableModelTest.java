package dev.arenakit.collection;

import dev.arenakit.internal.collection.KeyText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Random operations, compared with a [LinkedHashMap].
class StringTableModelTest {
    record Operation(boolean isIntern, int form, String text) {
        static Operation random(Random random) {
            int number = random.nextInt(5_000);
            String text = switch (number % 4) {
                case 0 -> "symbol-" + number;
                case 1 -> Integer.toString(number, 36);
                case 2 -> "é" + number + "€\uD83D\uDE00";
                default -> "n".repeat(number % 90) + number;
            };
            return new Operation(random.nextBoolean(), random.nextInt(3), text);
        }
    }

    @ParameterizedTest
    @EnumSource
    void operations_anyOfThem_agreeWithAMap(ByteModelMemory memory) {
        for (int seed = 0; seed < 2; seed++) {
            ByteModel.check(seed, 3_000, Operation::random, operations -> run(memory, operations));
        }
    }

    private static void run(ByteModelMemory memory, List<Operation> operations) {
        try (ByteModelMemory.Made made = new ByteModelMemory.Made(); Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(1_000);
            Map<String, Integer> model = new LinkedHashMap<>();
            try (StringTable table = memory.create(made,
                    new ByteModelMemory.Factory<>(StringTable::create, StringTable::owning))) {
                for (Operation operation : operations) {
                    String text = operation.text;
                    int expected = operation.isIntern
                            ? model.computeIfAbsent(text, _ -> model.size())
                            : model.getOrDefault(text, -1);
                    assertThat(apply(table, operation, room)).isEqualTo(expected);
                    assertThat(table.size()).isEqualTo(model.size());
                }
                List<String> visited = new ArrayList<>();
                table.forEach((id, bytes, offset, byteSize) -> {
                    assertThat(id).isEqualTo(visited.size());
                    visited.add(KeyText.decode(bytes, offset, byteSize));
                });
                assertThat(visited).containsExactlyElementsOf(model.keySet());
                model.forEach((text, id) -> {
                    assertThat(table.get(id)).isEqualTo(text);
                    assertThat(table.copy(id, room, 3)).isEqualTo(table.byteSize(id));
                    assertThat(KeyText.decode(room, 3, table.byteSize(id))).isEqualTo(text);
                });
                assertThatThrownBy(() -> table.get(table.size())).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> table.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
            }
            made.assertReleased(memory);
        }
    }

    private static int apply(StringTable table, Operation operation, MemorySegment room) {
        byte[] bytes = operation.text.getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(bytes, 0, room, JAVA_BYTE, 7, bytes.length);
        return switch (operation.form) {
            case 0 -> operation.isIntern ? table.intern(operation.text) : table.find(operation.text);
            case 1 -> operation.isIntern
                    ? table.intern(bytes, 0, bytes.length)
                    : table.find(bytes, 0, bytes.length);
            default -> operation.isIntern
                    ? table.intern(room, 7, bytes.length)
                    : table.find(room, 7, bytes.length);
        };
    }
}
