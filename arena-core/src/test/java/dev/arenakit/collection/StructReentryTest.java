package dev.arenakit.collection;

import dev.arenakit.layout.RecordMapper;
import java.lang.invoke.MethodHandles;
import java.util.ConcurrentModificationException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Records whose accessors change the structure that writes them.
class StructReentryTest {
    private static final RecordMapper<Active> ACTIVES = RecordMapper.of(MethodHandles.lookup(), Active.class);

    private static Runnable onAccess = StructReentryTest::nothing;

    /// Runs an action once, when its second component is read.
    record Active(long first, long second) {
        @Override
        public long second() {
            Runnable action = onAccess;
            onAccess = StructReentryTest::nothing;
            action.run();
            return second;
        }
    }

    private final TestAllocator allocator = new TestAllocator();

    @AfterEach
    void holdsNothing() {
        onAccess = StructReentryTest::nothing;
        assertThat(allocator.held()).isZero();
    }

    @Test
    void put_valueThatPutsAnother_addsBoth() {
        try (RecordMap<Active, Active> map = RecordMap.create(allocator, ACTIVES, ACTIVES)) {
            onAccess = () -> map.put(active(100), active(555));
            assertThat(map.put(active(1), active(2))).isTrue();
            assertThat(map.size()).isEqualTo(2);
            assertThat(map.get(active(100), active(0))).isEqualTo(active(555));
            assertThat(map.get(active(1), active(0))).isEqualTo(active(2));
        }
    }

    @Test
    void put_valueThatMakesTheMapGrow_isWrittenToTheNewTable() {
        try (RecordMap<Active, Active> map = RecordMap.create(allocator, ACTIVES, ACTIVES)) {
            map.put(active(1), active(1));
            Active value = active(2);
            onAccess = StructReentryTest::nothing;
            // The first access is the access of the key.
            onAccess = () -> onAccess = () -> {
                for (int i = 100; i < 300; i++) {
                    map.put(active(i), active(i));
                }
            };
            assertThat(map.put(active(1), value)).isFalse();
            assertThat(map.size()).isEqualTo(201);
            assertThat(map.get(active(1), active(0))).isEqualTo(value);
            assertThat(map.get(active(299), active(0))).isEqualTo(active(299));
        }
    }

    @Test
    void put_valueThatClosesTheMap_throws() {
        try (RecordMap<Active, Active> map = RecordMap.create(allocator, ACTIVES, ACTIVES)) {
            onAccess = () -> onAccess = map::close;
            assertThatIllegalStateException().isThrownBy(() -> map.put(active(1), active(2)));
        }
    }

    @Test
    void add_recordThatChangesTheList_throwsAndAddsNothing() {
        try (RecordList<Active> list = RecordList.create(allocator, ACTIVES)) {
            for (Runnable change : List.<Runnable>of(() -> list.add(active(555)), () -> list.addZeroed(1_000),
                    () -> list.truncate(0), () -> list.set(0, active(3)))) {
                list.truncate(0);
                list.add(active(7));
                onAccess = change;
                assertThatThrownBy(() -> list.add(active(1))).isInstanceOf(ConcurrentModificationException.class);
                assertThat(ACTIVES.list(list.segment())).containsExactly(active(7));
                list.add(active(8));
                assertThat(ACTIVES.list(list.segment())).containsExactly(active(7), active(8));
            }
        }
    }

    @Test
    void set_recordThatMakesTheListGrow_throws() {
        try (RecordList<Active> list = RecordList.create(allocator, ACTIVES)) {
            list.add(active(1));
            onAccess = () -> list.addZeroed(1_000);
            assertThatThrownBy(() -> list.set(0, active(2))).isInstanceOf(ConcurrentModificationException.class);
            list.set(0, active(2));
            assertThat(list.get(0)).isEqualTo(active(2));
        }
    }

    @Test
    void set_recordThatSortsTheList_throwsAndLosesNothing() {
        try (RecordList<Active> list = RecordList.create(allocator, ACTIVES)) {
            list.add(active(2));
            list.add(active(1));
            onAccess = () -> list.sort(ACTIVES.longField("first"));
            assertThatThrownBy(() -> list.set(0, active(3))).isInstanceOf(ConcurrentModificationException.class);
            assertThat(ACTIVES.list(list.segment())).containsExactly(active(2), active(1));
        }
    }

    @Test
    void set_recordThatClosesTheList_throws() {
        try (RecordList<Active> list = RecordList.create(allocator, ACTIVES)) {
            list.add(active(1));
            onAccess = list::close;
            assertThatIllegalStateException().isThrownBy(() -> list.set(0, active(2)));
            assertThat(list.size()).isEqualTo(1);
        }
    }

    private static Active active(long number) {
        return new Active(number, number);
    }

    private static void nothing() {}
}
