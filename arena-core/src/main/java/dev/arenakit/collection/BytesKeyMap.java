package dev.arenakit.collection;

import dev.arenakit.internal.collection.bytes.BytesIndex;
import dev.arenakit.internal.collection.bytes.EntryWalk;
import dev.arenakit.internal.collection.bytes.KeyText;
import java.lang.foreign.MemorySegment;

/// The operations of a map from bytes that do not depend on the values.
abstract class BytesKeyMap extends EntryMap {
    final BytesIndex index;
    final KeyText texts = new KeyText();

    BytesKeyMap(BytesIndex index) {
        super(index);
        this.index = index;
    }

    /// Returns whether the map has a key.
    ///
    /// @param key the key
    /// @return whether there is such a key
    public boolean containsKey(byte[] key) {
        return containsKey(key, 0, key.length);
    }

    /// Returns whether the map has a key.
    ///
    /// @param key      an array with the key
    /// @param offset   the index of the first byte of the key
    /// @param byteSize the size of the key
    /// @return whether there is such a key
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public boolean containsKey(byte[] key, int offset, int byteSize) {
        return index.find(key, offset, byteSize) >= 0;
    }

    /// Returns whether the map has a key.
    ///
    /// @param key      a segment with the key
    /// @param offset   the offset of the key
    /// @param byteSize the size of the key
    /// @return whether there is such a key
    /// @throws IndexOutOfBoundsException if the range is not within the segment
    public boolean containsKey(MemorySegment key, long offset, long byteSize) {
        return index.find(key, offset, byteSize) >= 0;
    }

    /// Returns whether the map has a key.
    ///
    /// @param key the key as text
    /// @return whether there is such a key
    public boolean containsKey(CharSequence key) {
        return texts.find(index, key) >= 0;
    }

    /// Removes a key.
    ///
    /// @param key the key
    /// @return whether there was such a key
    public boolean remove(byte[] key) {
        return remove(key, 0, key.length);
    }

    /// Removes a key.
    ///
    /// @param key      an array with the key
    /// @param offset   the index of the first byte of the key
    /// @param byteSize the size of the key
    /// @return whether there was such a key
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public boolean remove(byte[] key, int offset, int byteSize) {
        return index.remove(key, offset, byteSize);
    }

    /// Removes a key.
    ///
    /// @param key      a segment with the key
    /// @param offset   the offset of the key
    /// @param byteSize the size of the key
    /// @return whether there was such a key
    /// @throws IndexOutOfBoundsException if the range is not within the segment
    public boolean remove(MemorySegment key, long offset, long byteSize) {
        return index.remove(key, offset, byteSize);
    }

    /// Removes a key.
    ///
    /// @param key the key as text
    /// @return whether there was such a key
    public boolean remove(CharSequence key) {
        return texts.remove(index, key);
    }

    /// Moves to the smallest tables for the present entries. The next new key makes the map grow again. A map whose
    /// allocator cannot free, such as `Arena.ofConfined()`, keeps its tables.
    public void shrink() {
        index.shrink();
    }

    /// The operations of a cursor that do not depend on the values.
    abstract static class KeyCursor extends EntryCursor {
        KeyCursor(BytesKeyMap map) {
            super(new EntryWalk(map.index));
        }

        /// {@return the size of the key in bytes}
        public int keyByteSize() {
            return walk.keyByteSize();
        }

        /// {@return a copy of the key}
        public byte[] key() {
            return walk.keyArray();
        }

        /// {@return the key as text, decoded from UTF-8}
        public String keyText() {
            return walk.keyText();
        }
    }
}
