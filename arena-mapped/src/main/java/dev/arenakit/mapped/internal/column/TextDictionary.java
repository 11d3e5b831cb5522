package dev.arenakit.mapped.internal.column;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

/// The different texts of a column, in the order in which they were found.
public final class TextDictionary {
    /*
     * A hash table with linear probing. A slot has the index of a text plus 1, or 0. At most half of the slots are
     * used. Looking up a text that is in the table allocates nothing.
     */
    /// The largest number of texts. A column of more texts is smaller without a dictionary.
    private static final int MOST_TEXTS = 1 << 16;
    /// The largest number of bytes of all texts, which are in memory until the end.
    private static final long MOST_BYTES = 1L << 26;
    private static final int FIRST_SLOTS = 64;

    private final List<byte[]> texts = new ArrayList<>();
    private int[] slots = new int[FIRST_SLOTS];
    private long textBytes;
    private boolean isComplete;

    /// Returns a dictionary of names.
    public static TextDictionary of(List<String> names) {
        TextDictionary dictionary = new TextDictionary();
        names.forEach(name -> dictionary.texts.add(name.getBytes(UTF_8)));
        return dictionary;
    }

    /// Ends the first pass. From now on, the dictionary refuses texts that it does not have.
    public void complete() {
        isComplete = true;
    }

    /// Returns the buffers of a column with the texts, in the order of the format.
    public List<MemorySegment> buffers(SegmentAllocator memory) {
        Offsets offsets = new Offsets(memory);
        offsets.begin();
        MemorySegment ends = offsets.reserve(texts.size());
        MemorySegment bytes = memory.allocate(texts.stream().mapToLong(text -> text.length).sum());
        long end = 0;
        for (int i = 0; i < texts.size(); i++) {
            byte[] text = texts.get(i);
            MemorySegment.copy(text, 0, bytes, JAVA_BYTE, end, text.length);
            end += text.length;
            Offsets.setEnd(ends, i, end);
        }
        return List.of(MemorySegment.NULL, offsets.first(texts.size()), bytes);
    }

    public int size() {
        return texts.size();
    }

    /// Returns the index of a text.
    ///
    /// @param text the text, in the first bytes of this segment
    /// @param at   the offset of the text in its struct's segment, for the exception
    public int index(MemorySegment text, int byteSize, long at) {
        int slot = hash(text, byteSize) & (slots.length - 1);
        while (slots[slot] != 0) {
            byte[] known = texts.get(slots[slot] - 1);
            if (known.length == byteSize && isEqual(known, text)) {
                return slots[slot] - 1;
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        if (isComplete) {
            throw new ConversionFailure("text has changed since the dictionary was written", at);
        }
        textBytes += byteSize;
        if (texts.size() == MOST_TEXTS || textBytes > MOST_BYTES) {
            throw new ConversionFailure("too many texts for a dictionary: limit=" + MOST_TEXTS + ", limit in bytes="
                    + MOST_BYTES + "; send the member as text", at);
        }
        texts.add(text.asSlice(0, byteSize).toArray(JAVA_BYTE));
        slots[slot] = texts.size();
        if (2 * texts.size() > slots.length) {
            grow();
        }
        return texts.size() - 1;
    }

    private void grow() {
        int[] larger = new int[2 * slots.length];
        for (int i = 0; i < texts.size(); i++) {
            byte[] text = texts.get(i);
            int slot = hash(MemorySegment.ofArray(text), text.length) & (larger.length - 1);
            while (larger[slot] != 0) {
                slot = (slot + 1) & (larger.length - 1);
            }
            larger[slot] = i + 1;
        }
        slots = larger;
    }

    private static boolean isEqual(byte[] known, MemorySegment text) {
        for (int i = 0; i < known.length; i++) {
            if (known[i] != text.get(JAVA_BYTE, i)) {
                return false;
            }
        }
        return true;
    }

    private static int hash(MemorySegment text, int byteSize) {
        int hash = byteSize;
        for (int i = 0; i < byteSize; i++) {
            hash = 31 * hash + text.get(JAVA_BYTE, i);
        }
        // Symbols that differ in their last characters have hash codes close to each other: the multiplication keeps
        // them from filling neighbouring slots.
        int mixed = hash * 0x9E37_79B9;
        return mixed ^ (mixed >>> 16);
    }
}
