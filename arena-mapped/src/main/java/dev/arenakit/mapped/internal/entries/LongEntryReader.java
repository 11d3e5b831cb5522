package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.table.LongGroups;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.LongStream;

import static dev.arenakit.mapped.internal.structure.StructureFormat.INT;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Reads and checks the entries of a map from longs to longs. [LongGroups] describes the format. The position of an entry
/// is its offset in the memory.
public final class LongEntryReader implements EntryReader {
    private static final int ENTRY = 2 * Long.BYTES;
    private static final int GROUP = (int) LongGroups.GROUP_BYTE_SIZE;
    /// The number of groups that are read at once: 128 KiB. Larger reads are not faster.
    private static final int WINDOW = 1 << 11;
    /// The number of times that a group is read. An owner cannot change it at each of them by chance.
    private static final int TRIES = 1 << 10;
    /// The number of groups that no pair passes by chance: at most 19 of 24 slots are used. It limits the time of a check.
    private static final int MOST_PROBES = 1 << 10;

    private final EntrySource source;
    private final StructureBytes bytes;
    private final long seed;
    private final boolean isClosed;
    private final boolean isLost;

    /// @throws IOException if the structure is damaged
    public LongEntryReader(EntrySource source) throws IOException {
        this.source = source;
        bytes = source.bytes();
        seed = source.header().get(LONG, StructureFormat.SEED);
        isClosed = source.state() == StructureState.CLOSED && !source.mayChange();
        isLost = source.state() == StructureState.LOST;
        int key = source.header().get(INT, StructureFormat.KEY_SIZE);
        int value = source.header().get(INT, StructureFormat.VALUE_SIZE);
        if (source.type().byteSize() != ENTRY || source.type().members().getLast().byteOffset() != Long.BYTES
                || key != Long.BYTES || value != Long.BYTES) {
            throw source.damaged("keyByteSize=" + key + ", valueByteSize=" + value + ", recorded="
                    + source.type().byteSize());
        }
    }

    @Override
    public long recordedCount() throws IOException {
        // The number is only as good as the table.
        long most = new Groups().groups * LongGroups.SLOTS;
        long count = source.current(LongGroups.COUNT);
        return count <= most ? count : -1;
    }

    @Override
    public EntryBatch entries(long first, Predicate<String> members) throws IOException {
        return new Groups();
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
        if (!bytes.read(position, into.asSlice(0, ENTRY))) {
            throw source.damaged("position=" + position);
        }
    }

    @Override
    public long check(Consumer<? super String> problems) throws IOException {
        return new Check(problems).check();
    }

    /// Reads the groups of the table that the root refers to, in their order, except for holes, whose groups are empty.
    private class Groups extends EntryBatch {
        final long root = source.current(LongGroups.ROOT);
        final long groups = 1L << LongGroups.log(root);
        final MemorySegment window;
        private final long start = LongGroups.offset(root);
        private long next;
        /// The offset of the groups in the window.
        long offset;

        Groups() throws IOException {
            if (!LongGroups.isRoot(root) || !bytes.contains(start + LongGroups.byteSize(LongGroups.log(root)))) {
                throw source.damaged("root=0x" + Long.toHexString(root));
            }
            int most = (int) Math.min(WINDOW, groups);
            window = MemorySegment.ofArray(new long[most * GROUP / Long.BYTES]);
            positions = new long[most * LongGroups.SLOTS];
            entries = MemorySegment.ofArray(new long[positions.length * ENTRY / Long.BYTES]);
        }

        /// The offset of the group of a hash, or of a later group.
        final long group(long number) {
            return start + ((number & (groups - 1)) << LongGroups.GROUP_SHIFT);
        }

        @Override
        public final boolean next() throws IOException {
            count = 0;
            while (count == 0 && next < groups) {
                next += Math.max(0, bytes.nextData(group(next)) - group(next)) >>> LongGroups.GROUP_SHIFT;
                offset = start + (next << LongGroups.GROUP_SHIFT);
                long byteSize = Math.clamp((groups - next) << LongGroups.GROUP_SHIFT, 0, window.byteSize());
                next += WINDOW;
                bytes.read(offset, window.asSlice(0, byteSize));
                if (source.mayChange()) {
                    settle(byteSize);
                }
                for (long group = 0; group < byteSize; group += GROUP) {
                    add(group);
                }
            }
            return count > 0;
        }

        /// Reads tags and version of each group before its pairs, and the version after them. If both versions are equal,
        /// no pair was replaced by another pair meanwhile. The value of a pair may have been.
        private void settle(long byteSize) throws IOException {
            MemorySegment pairs = MemorySegment.ofArray(new long[(int) byteSize / Long.BYTES]);
            MemorySegment after = MemorySegment.ofArray(new long[(int) byteSize / Long.BYTES]);
            bytes.read(offset, pairs);
            bytes.read(offset, after);
            for (long group = 0; group < byteSize; group += GROUP) {
                for (int i = 0; version(window, group) != version(after, group); i++) {
                    if (i == TRIES) {
                        throw source.changed("Structure was changed all the time");
                    }
                    MemorySegment.copy(pairs, group, window, group, GROUP);
                    MemorySegment.copy(after, group, pairs, group, GROUP);
                    bytes.read(offset + group, after.asSlice(group, GROUP));
                }
                long contents = group + LongGroups.CHECK;
                MemorySegment.copy(pairs, contents, window, contents, GROUP - LongGroups.CHECK);
            }
            if (source.current(LongGroups.ROOT) != root) {
                throw source.changed("Structure has got another table");
            }
        }

        private static long version(MemorySegment groups, long group) {
            return LongGroups.version(groups.get(LONG, group));
        }

        void add(long group) throws IOException {
            // After a kill, a check can be late.
            boolean isWhole = (!isLost && !isClosed) || LongGroups.isIntact(window, group);
            if (!isWhole && !isLost) {
                damaged(group);
            }
            for (int slot = 0; slot < LongGroups.SLOTS; slot++) {
                long pair = LongGroups.pair(group, slot);
                if (LongGroups.isUsed(window, pair)
                        && (!isLost || (isWhole && LongGroups.hasItsTag(window, pair, seed)))) {
                    MemorySegment.copy(window, pair, entries, (long) count * ENTRY, ENTRY);
                    positions[count++] = offset + pair;
                    found(group, slot);
                }
            }
        }

        /// Receives a group with a wrong check.
        void damaged(long group) throws IOException {
            throw source.damaged("check of a group is wrong, offset=0x" + Long.toHexString(offset + group) + "; "
                    + StructureFormat.REPAIR);
        }

        /// Receives a pair.
        void found(long group, int slot) throws IOException {}
    }

    /// Checks a map that nobody changes.
    private final class Check extends Groups {
        private final Consumer<? super String> problems;
        /// A group outside of the window.
        private final MemorySegment other = MemorySegment.ofArray(new long[1]);
        /// The number of entries before the present one.
        private long index;
        /// How many groups outside of the window were read.
        private long reads;

        Check(Consumer<? super String> problems) throws IOException {
            this.problems = problems;
        }

        /// Checks the entries, and what the header has recorded.
        ///
        /// @return the number of entries
        long check() throws IOException {
            while (next()) {
                // All is done for each group, and for each pair.
            }
            if (isClosed) {
                long recorded = source.current(LongGroups.COUNT);
                if (recorded != index) {
                    problems.accept("Number of entries is wrong: recorded=" + recorded + ", found=" + index);
                }
                long erosion = source.current(LongGroups.EROSION);
                if (erosion < 0 || erosion > LongGroups.capacity(LongGroups.log(root))) {
                    problems.accept("Number of removed entries is wrong: erosion=" + erosion);
                }
            }
            return index;
        }

        @Override
        void damaged(long group) {
            problems.accept(
                    "Check of a group is wrong: offset=0x" + Long.toHexString(offset + group) + ", index=" + index
                            + ", keys=" + LongStream.range(0, LongGroups.SLOTS)
                                    .map(slot -> LongGroups.pair(group, (int) slot))
                                    .filter(pair -> LongGroups.isUsed(window, pair))
                                    .map(pair -> window.get(LONG, pair))
                                    .boxed()
                                    .toList());
        }

        @Override
        void found(long group, int slot) throws IOException {
            long pair = LongGroups.pair(group, slot);
            long key = window.get(LONG, pair);
            String label = "offset=0x" + Long.toHexString(offset + pair) + ", index=" + index++ + ", key=" + key;
            long hash = LongGroups.hash(key, seed);
            if (!LongGroups.hasItsTag(window, pair, seed)) {
                problems.accept("Entry has a wrong tag: " + label);
            } else if (!isFound(hash, offset + group)) {
                problems.accept("Entry cannot be found: " + label);
            }
        }

        /// Whether a search for a hash arrives at a group.
        private boolean isFound(long hash, long group) throws IOException {
            int probe = 0;
            while (group(hash + probe) != group && probe < MOST_PROBES && reads <= MOST_PROBES + index
                    && (tags(group(hash + probe)) & LongGroups.passedBit(hash)) != 0) {
                probe++;
            }
            return group(hash + probe) == group;
        }

        private long tags(long group) throws IOException {
            long at = group - offset;
            if (at >= 0 && at < window.byteSize()) {
                return window.get(LONG, at);
            }
            reads++;
            bytes.read(group, other);
            return other.get(LONG, 0);
        }
    }
}
