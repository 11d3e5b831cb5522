package dev.arenakit;

import dev.arenakit.collection.BytesLongMap;
import dev.arenakit.collection.BytesMap;
import dev.arenakit.collection.StringTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/// Changes structures at each depth of the stack at which it may overflow, in a JVM with a small stack and without
/// compilers. After each overflow, a check with enough stack shows that nothing is lost.
final class BytesOverflowSession {
    private static final int STEP = 4;

    private BytesOverflowSession() {}

    /// A structure after some changes, and a change that may overflow the stack.
    private interface Subject extends AutoCloseable {
        void change();

        /// Fails if an entry is lost. The change itself may have been made or not.
        void check();

        @Override
        void close();
    }

    public static void main(String[] args) {
        // So many entries that the next one makes a table grow, or not.
        for (int count : new int[]{11, 10, 22}) {
            for (IntFunction<Subject> subject : List.<IntFunction<Subject>>of(BytesOverflowSession::put,
                    BytesOverflowSession::remove, BytesOverflowSession::replace,
                    BytesOverflowSession::intern)) {
                run(subject, count);
            }
        }
        System.out.println("nothing lost");
    }

    private static void run(IntFunction<Subject> subject, int count) {
        try (Subject warm = subject.apply(count)) {
            warm.change();
            warm.check();
        }
        StackDepth.atEach(STEP, depth -> {
            try (Subject each = subject.apply(count)) {
                boolean overflowed = StackDepth.overflows(depth, each::change);
                each.check();
                return overflowed;
            }
        });
    }

    private static Subject put(int count) {
        BytesLongMap map = BytesLongMap.owning(MallocArena::ofConfined);
        for (int i = 0; i < count; i++) {
            map.put(key(i), i);
        }
        return new Subject() {
            @Override
            public void change() {
                map.put(key(count), count);
            }

            @Override
            public void check() {
                boolean isAdded = map.get(key(count), -1) == count;
                require(map.size() == (isAdded ? count + 1 : count));
                for (int i = 0; i < count; i++) {
                    require(map.get(key(i), -1) == i);
                }
                map.put(key(count), count);
                require(map.size() == count + 1 && map.get(key(count), -1) == count);
                long[] visited = {0};
                map.forEach((_, _, _, _) -> visited[0]++);
                require(visited[0] == count + 1);
            }

            @Override
            public void close() {
                map.close();
            }
        };
    }

    private static Subject remove(int count) {
        List<MemorySegment> tables = new ArrayList<>();
        BytesLongMap map = BytesLongMap.create((byteSize, byteAlignment) -> {
            tables.add(Arena.ofAuto().allocate(byteSize, byteAlignment));
            return tables.getLast();
        });
        for (int i = 0; i < count; i++) {
            map.put(key(i), i);
        }
        return new Subject() {
            @Override
            public void change() {
                map.remove(key(3));
            }

            @Override
            public void check() {
                List<byte[]> before = contents();
                boolean isPresent = map.get(key(3), -1) == 3;
                require(map.size() == (isPresent ? count : count - 1));
                for (int i = 0; i < count; i++) {
                    require(i == 3 || map.get(key(i), -1) == i);
                }
                // Other threads may read at the same time.
                require(Arrays.deepEquals(before.toArray(), contents().toArray()));
                require(map.remove(key(3)) == isPresent && map.size() == count - 1);
                long[] visited = {0};
                map.forEach((_, _, _, _) -> visited[0]++);
                require(visited[0] == count - 1);
            }

            private List<byte[]> contents() {
                return tables.stream().map(table -> table.toArray(ValueLayout.JAVA_BYTE)).toList();
            }

            @Override
            public void close() {
                map.close();
            }
        };
    }

    private static Subject replace(int count) {
        BytesMap map = BytesMap.create(MallocArena.ofConfined());
        for (int i = 0; i < count; i++) {
            map.put(key(i), key(i));
        }
        String larger = "larger".repeat(20);
        return new Subject() {
            @Override
            public void change() {
                map.put(key(3), larger);
            }

            @Override
            public void check() {
                require(map.size() == count);
                for (int i = 0; i < count; i++) {
                    String value = map.get(key(i), "");
                    require(value.equals(key(i)) || (i == 3 && value.equals(larger)));
                }
                long[] visited = {0};
                map.forEach((_, _, _, _, _) -> visited[0]++);
                require(visited[0] == count);
            }

            @Override
            public void close() {
                map.close();
            }
        };
    }

    private static Subject intern(int count) {
        StringTable table = StringTable.owning(MallocArena::ofConfined);
        for (int i = 0; i < count; i++) {
            table.intern(key(i));
        }
        return new Subject() {
            @Override
            public void change() {
                table.intern(key(count));
            }

            @Override
            public void check() {
                require(table.intern(key(count)) == count && table.size() == count + 1);
                for (int i = 0; i <= count; i++) {
                    require(table.find(key(i)) == i && table.get(i).equals(key(i)));
                }
            }

            @Override
            public void close() {
                table.close();
            }
        };
    }

    private static String key(int i) {
        return "a key of some bytes " + i;
    }

    private static void require(boolean isSo) {
        if (!isSo) {
            throw new AssertionError("An entry is lost, or is there twice");
        }
    }
}
