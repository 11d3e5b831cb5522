package dev.arenakit.mapped.internal.tree;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.function.Function;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A class of keys.
///
/// @param type        the recorded type; of keys of bytes, their length and as many bytes as a key can have
/// @param keyByteSize 8 for longs, or 0 for bytes
/// @param toKey       makes a key
/// @param ofKey       makes an object of the class
/// @param <K>         the class
public record TreeKeyForm<K>(MemoryType type, long keyByteSize, Function<K, TreeKey> toKey,
        Function<TreeKey, K> ofKey) {
    private static final TreeKeyForm<Long> LONG = new TreeKeyForm<>(
            ValueType.of(long.class, ByteOrder.LITTLE_ENDIAN), Long.BYTES, TreeKey.OfLong::new,
            key -> ((TreeKey.OfLong) key).value());
    private static final TreeKeyForm<String> STRING = new TreeKeyForm<>(
            StringType.of(TreeFormat.LARGEST_KEY, UTF_8).withPrefix(Short.BYTES, ByteOrder.LITTLE_ENDIAN), 0,
            text -> TreeKey.OfBytes.of(encode(text)),
            key -> new String(((TreeKey.OfBytes) key).toBytes(), UTF_8));
    private static final TreeKeyForm<byte[]> BYTES = new TreeKeyForm<>(
            StructType.builder("")
                    .add("length", UnsignedType.of(Short.BYTES, ByteOrder.LITTLE_ENDIAN))
                    .add("bytes", ArrayType.of(UnsignedType.of(1), TreeFormat.LARGEST_KEY))
                    .build(),
            0, TreeKey.OfBytes::of,
            key -> ((TreeKey.OfBytes) key).toBytes());

    /// Returns the form of a class.
    ///
    /// @throws IllegalArgumentException if a tree cannot have such keys
    @SuppressWarnings("unchecked") // Each form is the form of the class that it is compared with.
    public static <K> TreeKeyForm<K> of(Class<K> keys) {
        Object form = keys == Long.class ? LONG : keys == String.class ? STRING : keys == byte[].class ? BYTES : null;
        if (form == null && !keys.isRecord()) {
            throw new IllegalArgumentException("Keys of a tree have another class: keys=" + keys.getName()
                    + "; use Long, String, byte[] or a record");
        }
        return form == null ? of(RecordMapper.of(keys)) : (TreeKeyForm<K>) form;
    }

    /// Returns the form of records.
    ///
    /// @throws IllegalArgumentException if a tree cannot have such keys
    public static <K> TreeKeyForm<K> of(RecordMapper<K> keys) {
        RecordKeys records = RecordKeys.of(keys.type());
        return new TreeKeyForm<>(keys.type(), 0, key -> {
            MemorySegment struct = newStruct(keys);
            keys.set(struct, 0, key);
            return records.encode(struct);
        }, key -> {
            MemorySegment struct = newStruct(keys);
            if (!records.decode((TreeKey.OfBytes) key, struct, 0)) {
                throw new IllegalStateException("Structure is damaged: a key has another length, key=" + key);
            }
            return keys.get(struct, 0);
        });
    }

    private static MemorySegment newStruct(RecordMapper<?> mapper) {
        return MemorySegment.ofArray(new long[(int) Math.ceilDiv(mapper.byteSize(), Long.BYTES)]);
    }

    private static byte[] encode(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        // A surrogate without its pair has no bytes, and was replaced, so that different texts would be equal.
        if (!text.equals(new String(bytes, UTF_8))) {
            throw new IllegalArgumentException("Key has a surrogate without its pair: length=" + text.length());
        }
        return bytes;
    }
}
