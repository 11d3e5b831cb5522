package dev.arenakit.mapped.internal.table;

import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.structure.StructureMemory;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// A thread removes a key of a stored map, and adds a key with the same tag in its place, while another thread looks for
/// the new key twice.
@JCStressTest
@Outcome(id = {"0, 0", "0, 1", "1, 1"}, expect = Expect.ACCEPTABLE, desc = "Before the addition, or after it.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Found before it was added.")
@State
public class MapContainsStress {
    private static final long GROUP = StructureFormat.BYTE_SIZE;
    private static final long REMOVED = 1;
    /// The hash of a map with the seed 0 has the same tag for this key.
    private static final long ADDED = sameTag();

    private final MemorySegment memory = MemorySegment
            .ofArray(new long[(int) (GROUP + LongGroups.GROUP_BYTE_SIZE) / Long.BYTES]);
    private final LongTableReader reader;

    public MapContainsStress() {
        StructureFormat.write(memory, StructureKind.LONG_MAP, 0, Long.BYTES, Long.BYTES);
        memory.set(LONG, LongGroups.ROOT, LongGroups.root(-1, GROUP, 0));
        reader = new LongTableReader(new Memory(memory));
        add(REMOVED);
    }

    private record Memory(MemorySegment segment) implements StructureMemory {
        @Override
        public String name() {
            return "map";
        }
    }

    private static long sameTag() {
        long key = REMOVED + 1;
        while (LongGroups.tag(LongGroups.hash(key, 0)) != LongGroups.tag(LongGroups.hash(REMOVED, 0))) {
            key++;
        }
        return key;
    }

    private void add(long key) {
        LongGroups.add(memory, GROUP, 0, LongGroups.hash(key, 0), key, key);
    }

    private int contains() {
        return reader.contains(ADDED) ? 1 : 0;
    }

    @Actor
    public void write() {
        LONG_HANDLE.setRelease(memory, GROUP, memory.get(LONG, GROUP) & ~0xFFL);
        add(ADDED);
    }

    @Actor
    public void read(II_Result r) {
        r.r1 = contains();
        r.r2 = contains();
    }
}
