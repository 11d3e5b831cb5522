package dev.arenakit.mapped.internal.column;

import dev.arenakit.collection.BytesLongMap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

/// The different texts of a column, in the order in which they were found.
public final class TextDictionary {
    /// The largest number of texts. A column of more texts is smaller without a dictionary.
    private static final int MOST_TEXTS = 1 << 16;
    /// The largest number of bytes of all texts, which are in memory until the end.
    private static final long MOST_BYTES = 1L << 26;

    private final List<byte[]> texts = new ArrayList<>();
    private final BytesLongMap indices = BytesLongMap.create(Arena.ofAuto());
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
        long known = indices.get(text, 0, byteSize, -1);
        if (known >= 0) {
            return (int) known;
        }
        if (isComplete) {
            throw new ConversionFailure("text has changed since the dictionary was written", at);
        }
        textBytes += byteSize;
        if (texts.size() == MOST_TEXTS || textBytes > MOST_BYTES) {
            throw new ConversionFailure("too many texts for a dictionary: limit=" + MOST_TEXTS + ", limit in bytes="
                    + MOST_BYTES + "; send the member as text", at);
        }
        int index = texts.size();
        indices.put(text, 0, byteSize, index);
        texts.add(text.asSlice(0, byteSize).toArray(JAVA_BYTE));
        return index;
    }
}
