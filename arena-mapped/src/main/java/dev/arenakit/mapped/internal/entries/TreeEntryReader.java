package dev.arenakit.mapped.internal.entries;

import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.tree.RecordKeys;
import dev.arenakit.mapped.internal.tree.TreeFormat;
import dev.arenakit.mapped.internal.tree.TreeKey;
import dev.arenakit.mapped.internal.tree.TreePages;
import dev.arenakit.mapped.internal.tree.TreeScan;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Reads the entries of a tree in the order of their keys. [TreeFormat] describes the format. The position of an entry
/// consists of the number of its page, and of its index there.
public final class TreeEntryReader implements EntryReader {
    /// The length of a key of bytes, which its bytes follow, as [TreeKeyForm] makes the types.
    private static final ValueLayout.OfShort LENGTH = ValueLayout.JAVA_SHORT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int INDEX_BITS = 24;

    private final EntrySource source;
    private final TreePages pages;
    /// The offset of root, generation and count.
    private final long tree;
    private final Member key;
    private final Member value;
    /// The form of keys that are records, or null.
    private final @Nullable RecordKeys records;

    /// @throws IOException              if the structure is damaged
    /// @throws IllegalArgumentException if records of the recorded type cannot be keys
    public TreeEntryReader(EntrySource source) throws IOException {
        this.source = source;
        MemorySegment header = source.header();
        tree = source.state() == StructureState.FORCED ? TreeFormat.newestSlot(header) : TreeFormat.LIVE;
        if (tree < 0) {
            throw source.damaged("no forced tree");
        }
        key = source.type().members().getFirst();
        value = source.type().members().getLast();
        records = key.type() instanceof StructType struct && !struct.name().isEmpty() ? RecordKeys.of(struct) : null;
        long keyByteSize = key.type().byteSize();
        boolean isBytes = records != null || keyByteSize == Short.BYTES + TreeFormat.LARGEST_KEY;
        pages = TreePages.of(source.bytes().name(), header, isBytes ? 0 : keyByteSize, value.type().byteSize());
    }

    @Override
    public long recordedCount() throws IOException {
        return source.current(tree + TreeFormat.COUNT);
    }

    @Override
    public EntryBatch entries(long first, Predicate<String> members) {
        return new Leaves();
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
        long page = position >>> INDEX_BITS;
        int index = (int) position & (1 << INDEX_BITS) - 1;
        MemorySegment contents = MemorySegment.ofArray(new long[pages.pageByteSize / Long.BYTES]);
        if (page < 1 || !source.bytes().read(pages.offset(page), contents)) {
            throw source.damaged("page=" + page);
        }
        long head = TreePages.head(contents, 0);
        if (!pages.isPossible(head, 0) || index >= TreeFormat.count(head)) {
            throw source.changed("Page was written");
        }
        toType(contents, index, into, 0);
    }

    @Override
    public long check(Consumer<? super String> problems) throws IOException {
        return TreeScan.check(source.bytes().name(), source.bytes(), pages, source.header(),
                source.state() == StructureState.FORCED, problems);
    }

    /// Copies key and value to the places where the recorded type has them.
    private void toType(MemorySegment leaf, int index, MemorySegment into, long at) throws IOException {
        long stored = pages.value(leaf, 0, 0, index);
        if (stored < 0) {
            throw source.damaged("entry of a page is beyond its end");
        }
        MemorySegment.copy(leaf, stored, into, at + value.byteOffset(), value.type().byteSize());
        long keyAt = at + key.byteOffset();
        switch (pages.key(leaf, 0, 0, index, pages.newKey())) {
            case TreeKey.OfLong number -> into.set(StructureFormat.WORD, keyAt, number.value());
            case TreeKey.OfBytes record when records != null -> {
                if (!records.decode(record, into, keyAt)) {
                    throw source.damaged("key=" + record);
                }
            }
            case TreeKey.OfBytes text -> {
                byte[] bytes = text.toBytes();
                into.asSlice(keyAt, key.type().byteSize()).fill((byte) 0);
                into.set(LENGTH, keyAt, (short) bytes.length);
                MemorySegment.copy(bytes, 0, into, ValueLayout.JAVA_BYTE, keyAt + Short.BYTES, bytes.length);
            }
        }
    }

    /// Reads one leaf after another.
    private final class Leaves extends EntryBatch {
        private final TreeScan scan = new TreeScan(source.bytes(), pages, tree, 0, source.mayChange(), problem -> {
            throw source.damaged(problem);
        });
        private final long typeByteSize = source.type().byteSize();
        private @Nullable TreeKey last;

        /// Copies the entries behind the last one. The owner may have removed pages meanwhile.
        @Override
        public boolean next() throws IOException {
            count = 0;
            while (count == 0 && scan.next()) {
                MemorySegment leaf = scan.contents();
                int found = last == null ? -1 : pages.searchCopy(leaf, 0, last);
                int first = found < 0 ? -1 - found : found + 1;
                count = Math.max(0, scan.count() - first);
                if (count > 0) {
                    entries = MemorySegment.ofArray(new long[(int) ((count * typeByteSize + 7) / Long.BYTES)]);
                    positions = new long[count];
                    for (int i = 0; i < count; i++) {
                        toType(leaf, first + i, entries, i * typeByteSize);
                        positions[i] = scan.number() << INDEX_BITS | (first + i);
                    }
                    last = pages.key(leaf, 0, 0, scan.count() - 1, pages.newKey());
                }
            }
            return count > 0;
        }
    }
}
