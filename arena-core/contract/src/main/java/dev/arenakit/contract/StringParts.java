package dev.arenakit.contract;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The methods for parts of strings, which the JDK has since version 27.
final class StringParts {
    /// Strings whose parts the tests use. The last one is longer than the buffers of an encoder.
    static final List<String> STRINGS = List.of("Hello World", "a\u0000b",
            "\u00e4\u00f6 \u20ac\ud83d\ude00\u4e2d\u00df", "\u00e9".repeat(10_000));

    /// Charsets whose characters have at least one, two and four bytes.
    static final List<Charset> CHARSETS = List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1,
            StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.UTF_32BE, Charset.forName("GBK"));

    /// Characters of a string.
    record Part(String string, int index, int length) {
        /// Returns parts of all strings. Some are not inside their strings, and some begin or end between two
        /// surrogates.
        static List<Part> all() {
            List<Part> parts = new ArrayList<>();
            for (String string : STRINGS) {
                int end = string.length();
                parts.addAll(List.of(new Part(string, 0, 0), new Part(string, 0, end), new Part(string, 1, 2),
                        new Part(string, 1, 4), new Part(string, 5, 2), new Part(string, 3, end - 3),
                        new Part(string, end, 0), new Part(string, end, 1), new Part(string, -1, 1),
                        new Part(string, 1, -1), new Part(string, 1, Integer.MAX_VALUE)));
            }
            return parts;
        }
    }

    private interface Find {
        MethodHandle in(Lookup lookup) throws ReflectiveOperationException;
    }

    private interface Invoke<T> {
        T with(MethodHandle method) throws Throwable;
    }

    private StringParts() {}

    /// Returns whether the JDK has the methods.
    static boolean arePresent() {
        return Runtime.version().feature() >= 27;
    }

    /// Calls the method of the allocator.
    static MemorySegment allocateFrom(SegmentAllocator allocator, String string, Charset charset, int index,
            int length) {
        return invoke(lookup -> lookup.findVirtual(SegmentAllocator.class, "allocateFrom",
                MethodType.methodType(MemorySegment.class, String.class, Charset.class, int.class, int.class)),
                method -> (MemorySegment) method.invokeExact(allocator, string, charset, index, length));
    }

    /// Calls the static method of `MemorySegment`.
    static long copy(String string, Charset charset, int index, MemorySegment segment, long offset, int length) {
        return StringParts.<Long>invoke(lookup -> lookup.findStatic(MemorySegment.class, "copy",
                MethodType.methodType(long.class, String.class, Charset.class, int.class, MemorySegment.class,
                        long.class, int.class)),
                method -> (long) method.invokeExact(string, charset, index, segment, offset, length));
    }

    /// Calls the method of the segment.
    static String getString(MemorySegment segment, long offset, Charset charset, long byteSize) {
        return invoke(lookup -> lookup.findVirtual(MemorySegment.class, "getString",
                MethodType.methodType(String.class, long.class, Charset.class, long.class)),
                method -> (String) method.invokeExact(segment, offset, charset, byteSize));
    }

    private static <T> T invoke(Find find, Invoke<T> invoke) {
        try {
            return invoke.with(find.in(MethodHandles.publicLookup()));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
