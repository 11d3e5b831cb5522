package dev.arenakit.layout.type;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.ColumnTableFormat.Column;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// Columns of random types.
class ColumnTableFormatTest {
    @Test
    void columns_ofRandomTypes_haveTheBytesOfEachMember() {
        check(300);
    }

    // It takes a minute.
    @Test
    @Tag("slow")
    void columns_of100_000RandomTypes_haveTheBytesOfEachMember() {
        check(100_000);
    }

    private static void check(int count) {
        for (int seed = 0; seed < count; seed++) {
            Random random = new Random(seed);
            StructType row = RandomTypes.any(random, "S");
            if (row.members().stream().allMatch(member -> member.type().byteSize() == 0)) {
                assertThatIllegalArgumentException().isThrownBy(() -> ColumnTableFormat.of(row))
                        .withMessageStartingWith("Row has no size");
            } else {
                check(row, random, "seed=" + seed);
            }
        }
    }

    private static void check(StructType row, Random random, String seed) {
        ColumnTableFormat format = ColumnTableFormat.of(row);
        long byteSize = row.byteSize();
        byte[] bytes = new byte[(int) (64 * byteSize)];
        random.nextBytes(bytes);
        MemorySegment rows = MemorySegment.ofArray(bytes);
        MemorySegment read = MemorySegment.ofArray(new byte[bytes.length]);
        List<Member> members = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment table = arena.allocate(format.byteSize(1), 64);
            assertThat(format.create(table)).isEqualTo(64);
            long end = ColumnTableFormat.HEADER_BYTE_SIZE;
            for (Column column : format.columns()) {
                long start = column.byteOffset(64, 0);
                assertThat(start).as(seed).isGreaterThanOrEqualTo(end).matches(offset -> offset % 64 == 0);
                end = column.byteOffset(64, 64);
                for (int i = 0; i < 64; i++) {
                    MemorySegment.copy(rows, i * byteSize + column.rowByteOffset(), table,
                            column.byteOffset(64, i) + column.byteOffset(), column.byteSize());
                }
                for (Member member : column.element().members()) {
                    Member inRow = row.members().get(members.size());
                    assertThat(new Member(member.name(), inRow.byteOffset(), member.type())).as(seed).isEqualTo(inRow);
                    assertThat(member.byteOffset() - column.byteOffset()).as(seed)
                            .isEqualTo(inRow.byteOffset() - column.rowByteOffset());
                    members.add(member);
                }
            }
            assertThat(members).as(seed).hasSameSizeAs(row.members());
            assertThat(end).as(seed).isLessThanOrEqualTo(table.byteSize());
            // A column that overlaps another one, or the header, has changed it.
            for (Column column : format.columns()) {
                column.copyToRows(table, column.byteOffset(64, 0), 64, read, byteSize);
            }
            for (long at = random.nextInt(64) * byteSize; at < bytes.length; at += 7 * byteSize) {
                for (Member member : row.members()) {
                    assertThat(slice(read, at, member)).as("%s, member=%s", seed, member.name())
                            .isEqualTo(slice(rows, at, member));
                }
            }
            String text = LayoutText.print(format.type());
            StructType recorded = ColumnTableFormat.recordedRow(LayoutText.parse(text)).orElseThrow();
            assertThat(ColumnTableFormat.of(recorded).check(table)).as(text).isEqualTo(64);
        }
    }

    private static byte[] slice(MemorySegment rows, long at, Member member) {
        return rows.asSlice(at + member.byteOffset(), member.type().byteSize()).toArray(ValueLayout.JAVA_BYTE);
    }
}
