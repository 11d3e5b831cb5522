package dev.arenakit.layout;

import dev.arenakit.internal.layout.declaration.StructTypeReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.RandomAccess;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RecordMapperBulkTest {
    record Point(int x, long y) {}

    private static final RecordMapper<Point> POINTS = RecordMapper.of(Point.class);
    private static final int COUNT = 1000;

    @AutoClose
    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment = POINTS.allocate(arena, COUNT);

    @BeforeEach
    void write() {
        for (int i = 0; i < COUNT; i++) {
            POINTS.setAtIndex(segment, i, new Point(i, -i));
        }
    }

    @Test
    void layout_ofAMapper_isThatOfC() {
        assertThat(POINTS.layout()).isEqualTo(MemoryLayout.structLayout(ValueLayout.JAVA_INT.withName("x"),
                MemoryLayout.paddingLayout(4), ValueLayout.JAVA_LONG.withName("y")));
        assertThat(POINTS.byteSize()).isEqualTo(16);
        assertThat(POINTS.type()).isEqualTo(StructTypeReader.ofRecord(Point.class));
        assertThat(POINTS).hasToString("RecordMapper of Point (16 bytes)");
        assertThat(segment.byteSize()).isEqualTo(16 * COUNT);
        assertThat(RecordMapper.of(Point.class)).isSameAs(POINTS);
    }

    @Test
    void access_withoutAnOffset_isOfTheStructAtTheBeginning() {
        MemorySegment one = POINTS.allocate(arena);
        assertThat(one.byteSize()).isEqualTo(POINTS.byteSize());
        POINTS.set(one, new Point(7, -8));
        assertThat(POINTS.get(one)).isEqualTo(POINTS.get(one, 0)).isEqualTo(new Point(7, -8));
        POINTS.set(segment, new Point(9, 9));
        assertThat(POINTS.get(segment)).isEqualTo(new Point(9, 9));
        assertThat(POINTS.getAtIndex(segment, 1)).isEqualTo(new Point(1, -1));
    }

    @Test
    void allocateFrom_recordsOrACollection_containsThemInOrder() {
        Point[] points = {new Point(1, 2), new Point(3, 4), new Point(5, 6)};

        for (MemorySegment written : List.of(POINTS.allocateFrom(arena, points),
                POINTS.allocateFrom(arena, List.of(points)))) {
            assertThat(POINTS.list(written)).containsExactly(points);
            assertThat(written.byteSize()).isEqualTo(48);
        }
        assertThat(POINTS.allocateFrom(arena).byteSize()).isZero();
    }

    @Test
    void list_ofASegment_readsAndWritesThrough() {
        List<Point> list = POINTS.list(segment);

        assertThat(list).hasSize(COUNT).isInstanceOf(RandomAccess.class).contains(new Point(5, -5));
        assertThat(list.set(7, new Point(1, 2))).isEqualTo(new Point(7, -7));
        assertThat(POINTS.getAtIndex(segment, 7)).isEqualTo(new Point(1, 2));
        assertThat(list.indexOf(new Point(1, 2))).isEqualTo(7);
        assertThat(list.subList(6, 8)).containsExactly(new Point(6, -6), new Point(1, 2));
        assertThatThrownBy(() -> list.add(new Point(0, 0))).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> list.remove(0)).isInstanceOf(UnsupportedOperationException.class);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.get(COUNT))
                .withMessageContaining("index=1000")
                .withMessageContaining("count=1000");
        assertThat(list.stream().mapToLong(Point::x).sum()).isEqualTo(COUNT * (COUNT - 1L) / 2 - 7 + 1);
    }

    @Test
    void list_segmentNoMultiple_isRefused() {
        MemorySegment odd = segment.asSlice(0, 40);

        for (Runnable access : List.<Runnable>of(() -> POINTS.list(odd), () -> POINTS.stream(odd),
                () -> POINTS.spliterator(odd), () -> POINTS.fill(odd, new Point(1, 2)))) {
            assertRefused(access::run,
                    "not a multiple of the layout: segment.byteSize=40, layout=Point, layout.byteSize=16");
        }
    }

    @Test
    void stream_sequentialAndParallel_seesEveryRecordOnce() {
        assertThat(POINTS.stream(segment)).startsWith(new Point(0, 0)).endsWith(new Point(999, -999)).hasSize(COUNT);
        assertThat(POINTS.stream(segment).parallel().mapToLong(Point::y).sum())
                .isEqualTo(LongStream.range(0, COUNT).map(i -> -i).sum());
        assertThat(POINTS.stream(segment).parallel().toList()).isEqualTo(POINTS.list(segment));
    }

    @Test
    void copy_ranges_mayOverlap() {
        POINTS.copy(segment, 0, segment, 1, COUNT - 1L);

        assertThat(POINTS.list(segment)).startsWith(new Point(0, 0), new Point(0, 0), new Point(1, -1));
        assertThat(POINTS.getAtIndex(segment, 999)).isEqualTo(new Point(998, -998));
    }

    @Test
    void copy_outside_isRefusedBeforeAnythingIsCopied() {
        MemorySegment other = POINTS.allocate(arena, 3);

        for (long[] range : new long[][]{{998, 0, 3}, {0, 1, 3}, {-1, 0, 1}, {0, 0, -1}, {0, 0, Long.MAX_VALUE},
                {Long.MAX_VALUE, 0, 1}, {1L << 60, 0, 1}}) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> POINTS.copy(segment, range[0], other, range[1], range[2]))
                    .withMessageContaining("Range is not within the segment")
                    .withMessageContaining("layout=Point");
        }
        assertThat(other.toArray(ValueLayout.JAVA_LONG)).containsOnly(0);
    }

    @Test
    void fill_rangeOrAll_writesEveryPlaceAndNoOther() {
        POINTS.fill(segment, 3, 6, new Point(1, 2));

        assertThat(POINTS.list(segment).subList(2, 10)).containsExactly(new Point(2, -2), new Point(1, 2),
                new Point(1, 2), new Point(1, 2), new Point(1, 2), new Point(1, 2), new Point(1, 2), new Point(9, -9));
        POINTS.fill(segment, 10, 0, new Point(1, 2));
        assertThat(POINTS.getAtIndex(segment, 10)).isEqualTo(new Point(10, -10));
        POINTS.fill(segment, new Point(8, 9));
        assertThat(POINTS.stream(segment).distinct()).containsExactly(new Point(8, 9));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> POINTS.fill(segment, 990, 11, new Point(1, 2)));
    }

    @Test
    void allocate_negativeCount_isNamed() {
        assertThatIllegalArgumentException().isThrownBy(() -> POINTS.allocate(arena, -1))
                .withMessage("Count is negative: count=-1, layout=Point");
    }
}
