package dev.arenakit.internal.layout.view;

import dev.arenakit.layout.type.StoredInteger;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.LongFunction;

/// The methods `toString`, `equals` and `hashCode` of views.
///
/// @param name     the name of the interface
/// @param members  the members that `toString` prints, in the order of the struct
/// @param byteSize the size of the struct
public record ViewObjectMethods(String name, List<PrintedMember> members, long byteSize) {
    /// The maximum number of elements of an array that `toString` prints.
    private static final long MOST_ELEMENTS = 16;

    /// A member that `toString` prints.
    ///
    /// @param name   the name
    /// @param reader `(MemorySegment, long)Object`, reads a value
    /// @param offset the offset in the struct
    /// @param count  the number of elements, or -1 if it is not an array
    /// @param stride the distance between two elements in bytes
    /// @param valid  the integer in memory that is the number of valid elements, or empty if all elements are valid
    /// @param validOffset the offset of that integer in the struct
    record PrintedMember(String name, MethodHandle reader, long offset, long count, long stride,
            Optional<StoredInteger> valid, long validOffset) {
        String value(MemorySegment segment, long base) {
            return count < 0
                    ? one(segment, base)
                    : list(validCount(segment, base), i -> one(segment, base + i * stride));
        }

        /// The number of elements that are valid: all of them, if the number in memory is out of range or unreadable.
        private long validCount(MemorySegment segment, long base) {
            try {
                return valid.map(number -> number.get(segment, base + validOffset))
                        .filter(number -> number >= 0 && number <= count)
                        .orElse(count);
            } catch (IllegalStateException | WrongThreadException _) {
                return count;
            }
        }

        private String one(MemorySegment segment, long base) {
            try {
                return text((Object) reader.invokeExact(segment, base + offset));
            } catch (Error e) {
                throw e;
            } catch (Throwable e) {
                // A string helps to find an error in memory, and must not fail because of that error.
                return "<" + e.getClass().getSimpleName() + ">";
            }
        }

        private static String text(Object value) {
            return switch (value) {
                case String string -> '"' + string + '"';
                case Character character -> "'" + character + "'";
                case MemorySegment segment -> "0x" + Long.toHexString(segment.address());
                case Object array when array.getClass().isArray() ->
                    list(Array.getLength(array), i -> text(Array.get(array, (int) i)));
                default -> value.toString();
            };
        }

        private static String list(long count, LongFunction<String> element) {
            StringJoiner text = new StringJoiner(", ", "[", "]");
            for (long i = 0; i < Math.min(count, MOST_ELEMENTS); i++) {
                text.add(element.apply(i));
            }
            return count <= MOST_ELEMENTS ? text.toString() : text.add(count - MOST_ELEMENTS + " more").toString();
        }
    }

    public String text(MemorySegment segment, long base) {
        StringJoiner text = new StringJoiner(", ", name + " { ", " }");
        members.forEach(member -> text.add(member.name() + " = " + member.value(segment, base)));
        return text.toString();
    }

    public boolean same(MemorySegment segment, long base, MemorySegment other, long otherBase) {
        return (base == otherBase && segment.equals(other))
                || segment.asSlice(base, byteSize).equals(other.asSlice(otherBase, byteSize));
    }

    public int hash(MemorySegment segment, long base) {
        return segment.asSlice(base, byteSize).hashCode();
    }
}
