package dev.arenakit.internal.dump;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Prints the separator before each field of a struct: a space, or a line feed, the columns of offsets and bytes, and
/// an indent.
public final class StructTextColumns {
    /// The largest number of bytes that are shown of a field.
    private static final int BYTES = 8;
    private static final int INDENT = 4;

    private final Utf8Buffer text;
    private final boolean offsets;
    private final boolean bytes;
    private final boolean lines;
    private MemorySegment struct = MemorySegment.NULL;
    private long structOffset;
    private @Nullable Frame innermost;

    /// A struct, union or array that has begun and has not ended.
    ///
    /// @param outer           the frame that contains this one, or null
    /// @param end             end offset, exclusive
    /// @param nested          whether the members or elements have lines of their own
    /// @param elementByteSize the number of bytes of an element that belong in the column of bytes
    private record Frame(@Nullable Frame outer, int depth, long end, boolean nested, long elementByteSize) {}

    /// @param lines   whether each field has a line even without columns
    /// @param offsets whether there is a column of offsets
    /// @param bytes   whether there is a column of bytes
    public StructTextColumns(Utf8Buffer text, boolean lines, boolean offsets, boolean bytes) {
        this.text = text;
        this.offsets = offsets;
        this.bytes = bytes;
        this.lines = lines || offsets || bytes;
    }

    /// Begins the first line of a struct.
    ///
    /// @param byteSize the number of bytes that belong in the column of bytes
    void struct(long byteOffset, MemorySegment bytes, long byteSize) throws IOException {
        struct = bytes;
        structOffset = byteOffset;
        columns(byteOffset, byteSize);
    }

    void begin(long end) {
        push(end, true, 0);
    }

    void beginArray(long end, MemoryType element) {
        push(end, !element.isScalar() || element instanceof AddressType, columnByteSize(element));
    }

    /// Begins a member.
    void member(long byteOffset, MemoryType type) throws IOException {
        if (lines) {
            line(byteOffset, columnByteSize(type));
        } else {
            text.ascii(' ');
        }
    }

    /// Begins an element of the innermost array.
    void element(long index, long byteOffset) throws IOException {
        if (innermost != null && innermost.nested) {
            line(byteOffset, innermost.elementByteSize);
        } else if (index > 0) {
            text.ascii(' ');
        }
    }

    void end(boolean empty) throws IOException {
        Frame ended = pop();
        if (ended != null && !empty) {
            line(ended.end, 0);
        } else {
            text.ascii(' ');
        }
    }

    void endArray(boolean empty) throws IOException {
        Frame ended = pop();
        if (ended != null && ended.nested && !empty) {
            line(ended.end, 0);
        }
    }

    private void push(long end, boolean nested, long elementByteSize) {
        if (lines) {
            int depth = innermost == null ? 1 : innermost.depth + 1;
            innermost = new Frame(innermost, depth, end, nested, elementByteSize);
        }
    }

    private @Nullable Frame pop() {
        Frame ended = innermost;
        innermost = ended == null ? null : ended.outer;
        return ended;
    }

    private void line(long byteOffset, long byteSize) throws IOException {
        text.ascii('\n');
        columns(byteOffset, byteSize);
        text.spaces(innermost == null ? 0 : innermost.depth * INDENT);
    }

    private void columns(long byteOffset, long byteSize) throws IOException {
        if (offsets) {
            text.hex(byteOffset, byteOffset >>> Integer.SIZE == 0 ? 8 : 16).spaces(2);
        }
        if (bytes) {
            long at = byteOffset - structOffset;
            long shown = Math.min(Math.min(byteSize, BYTES), Math.max(0, struct.byteSize() - at));
            for (int i = 0; i < BYTES; i++) {
                if (i < shown) {
                    text.hex(struct.get(JAVA_BYTE, at + i), 2).ascii(' ');
                } else {
                    text.spaces(3);
                }
            }
            text.ascii(byteSize > BYTES ? ".. " : "   ");
        }
    }

    private static long columnByteSize(MemoryType type) {
        return type instanceof StructType || type instanceof UnionType ? 0 : type.byteSize();
    }
}
