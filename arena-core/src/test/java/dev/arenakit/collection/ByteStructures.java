package dev.arenakit.collection;

import dev.arenakit.collection.StructModelRecords.OrderKey;
import dev.arenakit.collection.StructModelRecords.Position;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.function.Supplier;

import static dev.arenakit.collection.StructModelRecords.KEYS;
import static dev.arenakit.collection.StructModelRecords.POSITIONS;

/// The structures of bytes and structs, for tests of all these structures. Entry `i` has a key and a value made from
/// `i`.
enum ByteStructures {
    BYTES_LONG_MAP(true) {
        private Structure wrap(BytesLongMap map) {
            return new Structure(map) {
                @Override
                void add(int i) {
                    map.put("key-" + i, i);
                }

                @Override
                boolean has(int i) {
                    return map.get("key-" + i, -1) == i;
                }

                @Override
                boolean remove(int i) {
                    return map.remove("key-" + i);
                }

                @Override
                long size() {
                    return map.size();
                }
            };
        }

        @Override
        Structure create(SegmentAllocator allocator) {
            return wrap(BytesLongMap.create(allocator));
        }

        @Override
        Structure owning(Supplier<? extends Arena> arenas) {
            return wrap(BytesLongMap.owning(arenas));
        }
    },
    BYTES_MAP(true) {
        private Structure wrap(BytesMap map) {
            return new Structure(map) {
                @Override
                void add(int i) {
                    map.put("key-" + i, "v" + i);
                }

                @Override
                boolean has(int i) {
                    return map.get("key-" + i, "").equals("v" + i);
                }

                @Override
                boolean remove(int i) {
                    return map.remove("key-" + i);
                }

                @Override
                long size() {
                    return map.size();
                }
            };
        }

        @Override
        Structure create(SegmentAllocator allocator) {
            return wrap(BytesMap.create(allocator));
        }

        @Override
        Structure owning(Supplier<? extends Arena> arenas) {
            return wrap(BytesMap.owning(arenas));
        }
    },
    RECORD_MAP(true) {
        private Structure wrap(RecordMap<OrderKey, Position> map) {
            return new Structure(map) {
                @Override
                void add(int i) {
                    map.put(new OrderKey((byte) 1, i, "V"), new Position(i, i, i));
                }

                @Override
                boolean has(int i) {
                    return map.get(new OrderKey((byte) 1, i, "V"), new Position(-1, 0, 0))
                            .equals(new Position(i, i, i));
                }

                @Override
                boolean remove(int i) {
                    return map.remove(new OrderKey((byte) 1, i, "V"));
                }

                @Override
                long size() {
                    return map.size();
                }
            };
        }

        @Override
        Structure create(SegmentAllocator allocator) {
            return wrap(RecordMap.create(allocator, KEYS, POSITIONS));
        }

        @Override
        Structure owning(Supplier<? extends Arena> arenas) {
            return wrap(RecordMap.owning(arenas, KEYS, POSITIONS));
        }
    },
    RECORD_LIST(false) {
        private Structure wrap(RecordList<Position> list) {
            return new Structure(list) {
                @Override
                void add(int i) {
                    list.add(new Position(i, i, i));
                }

                @Override
                boolean has(int i) {
                    return i < list.size() && list.get(i).equals(new Position(i, i, i));
                }

                @Override
                boolean remove(int i) {
                    throw new UnsupportedOperationException();
                }

                @Override
                long size() {
                    return list.size();
                }
            };
        }

        @Override
        Structure create(SegmentAllocator allocator) {
            return wrap(RecordList.create(allocator, POSITIONS));
        }

        @Override
        Structure owning(Supplier<? extends Arena> arenas) {
            return wrap(RecordList.owning(arenas, POSITIONS));
        }
    };

    final boolean canRemove;

    ByteStructures(boolean canRemove) {
        this.canRemove = canRemove;
    }

    abstract Structure create(SegmentAllocator allocator);

    abstract Structure owning(Supplier<? extends Arena> arenas);

    /// The operations of all structures.
    abstract static class Structure implements AutoCloseable {
        private final AutoCloseable structure;

        Structure(AutoCloseable structure) {
            this.structure = structure;
        }

        abstract void add(int i);

        abstract boolean has(int i);

        abstract boolean remove(int i);

        abstract long size();

        @Override
        public void close() {
            try {
                structure.close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public String toString() {
            return structure.toString();
        }
    }
}
