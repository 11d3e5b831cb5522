package dev.arenakit.mapped.internal.arena;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/// Checks the names of allocations.
public final class AllocationName {
    /// The largest length of a name: long enough for a path, and short enough for a listing.
    private static final int LONGEST_NAME = 1024;

    /// A number with the value 1 in each of its bytes.
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();

    private AllocationName() {}

    /// Checks that a name can be printed in a listing, and cannot be confused with an index.
    ///
    /// @return the name in UTF-8
    /// @throws IllegalArgumentException if the name cannot be used
    public static byte[] check(String name) {
        if (name.isEmpty() || name.length() > LONGEST_NAME || name.startsWith("#")) {
            throw notAName(name);
        }
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        if (!isPlainText(utf8) && !isUnicodeText(name)) {
            throw notAName(name);
        }
        return utf8;
    }

    private static IllegalArgumentException notAName(String name) {
        return new IllegalArgumentException("Not a name of an allocation: name=" + printable(name) + ", length="
                + name.length() + ", longest=" + LONGEST_NAME
                + "; a name has 1 or more characters, no control character, no surrogate without its pair, and no # "
                + "at its beginning");
    }

    private static String printable(String name) {
        return name.codePoints()
                .mapToObj(character -> isPrintable(character)
                        ? Character.toString(character)
                        : String.format("\\u%04x", character))
                .collect(Collectors.joining());
    }

    /// Whether a name in UTF-8 has printable characters of US-ASCII alone, as most names do. A question mark counts as
    /// another character: it also replaces characters that cannot be encoded.
    ///
    /// Eight characters are checked at a time. The sign of a byte is set if it is not ASCII, if it is less than a
    /// space, if it is a delete character, or if it becomes 0 when it is combined with a question mark.
    private static boolean isPlainText(byte[] utf8) {
        long signs = 0;
        int at = 0;
        for (; at <= utf8.length - Long.BYTES; at += Long.BYTES) {
            long characters = (long) LONG.get(utf8, at);
            long zeros = characters ^ EACH_BYTE * '?';
            signs |= characters | (characters - EACH_BYTE * ' ') | (characters + EACH_BYTE) | (zeros - EACH_BYTE);
        }
        for (; at < utf8.length; at++) {
            signs |= utf8[at] | (utf8[at] - ' ') | (utf8[at] + 1) | (utf8[at] ^ '?') - 1;
        }
        return (signs & EACH_BYTE << (Byte.SIZE - 1)) == 0;
    }

    private static boolean isUnicodeText(String name) {
        return name.codePoints().allMatch(AllocationName::isPrintable);
    }

    private static boolean isPrintable(int character) {
        return !Character.isISOControl(character) && Character.getType(character) != Character.SURROGATE;
    }
}
