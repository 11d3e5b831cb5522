package dev.arenakit.dump;

import dev.arenakit.layout.ArrayType;
import dev.arenakit.layout.EnumType;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StructType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Takes what the bytes of structs say, field by field, in the order in which they are shown: whoever writes them in a form of
/// their own need not decode them.
///
/// Each struct is a call of [#beginStruct], then a value for each of its members, then a call of [#endStruct]; a run of structs that
/// are zero may be one call of [#zeros] instead ([LayoutDump#withZeroRuns]). A value is one of
///
/// | value | calls |
/// |---|---|
/// | a number, a text, an address ... | one of [#integer], [#floating(double)], [#floating(float)], [#character], [#bool], [#text], [#constant], [#address] |
/// | the same where the bytes end before it does | [#cutOff] |
/// | a struct, or a union | [#beginGroup]; for each member that is shown [#member] and its value; [#endGroup] |
/// | an array | [#beginArray]; for each element that is shown [#element] and its value; [#endArray] |
///
/// The members of a struct itself come between `beginStruct` and `endStruct` as those of a group do. Of a union, all members are
/// shown where nothing tells which is valid. Offsets are in bytes from the beginning of the source.
///
/// All calls come from the thread that started them. An exception of the visitor ends them, and is passed on.
public interface StructVisitor {
    /// Begins a struct.
    ///
    /// @param type       what it is
    /// @param index      which it is among the structs of the source, from 0
    /// @param byteOffset where it begins
    /// @param bytes      its bytes, less than its size where the source ends in it; valid up to [#endStruct]
    /// @throws IOException if the visitor cannot write
    void beginStruct(StructType type, long index, long byteOffset, MemorySegment bytes) throws IOException;

    /// Ends the struct that was begun last.
    ///
    /// @throws IOException if the visitor cannot write
    void endStruct() throws IOException;

    /// Takes two or more structs in a row, all of whose bytes are zero.
    ///
    /// @param type       what they are
    /// @param first      the index of the first
    /// @param count      how many
    /// @param byteOffset where the first begins
    /// @throws IOException if the visitor cannot write
    void zeros(StructType type, long first, long count, long byteOffset) throws IOException;

    /// Begins a struct within a struct, or a union.
    ///
    /// @param type       a [StructType] or a [dev.arenakit.layout.UnionType]
    /// @param byteOffset where it begins
    /// @throws IOException if the visitor cannot write
    void beginGroup(MemoryType type, long byteOffset) throws IOException;

    /// Ends the struct or union that was begun last and not ended.
    ///
    /// @throws IOException if the visitor cannot write
    void endGroup() throws IOException;

    /// Names the member whose value comes next.
    ///
    /// @param member     the member
    /// @param byteOffset where it begins
    /// @throws IOException if the visitor cannot write
    void member(Member member, long byteOffset) throws IOException;

    /// Begins an array.
    ///
    /// @param type       what it is
    /// @param byteOffset where it begins
    /// @throws IOException if the visitor cannot write
    void beginArray(ArrayType type, long byteOffset) throws IOException;

    /// Says that an element of the array comes next.
    ///
    /// @param index      which it is, from 0
    /// @param byteOffset where it begins
    /// @throws IOException if the visitor cannot write
    void element(long index, long byteOffset) throws IOException;

    /// Ends the array that was begun last and not ended.
    ///
    /// @param leftOut how many elements at its end were not shown
    /// @param cutOff  whether that is because the bytes end before them, and not to be short
    /// @throws IOException if the visitor cannot write
    void endArray(long leftOut, boolean cutOff) throws IOException;

    /// Takes a `byte`, `short`, `int` or `long`.
    ///
    /// @param value the integer, with its sign
    /// @throws IOException if the visitor cannot write
    void integer(long value) throws IOException;

    /// Takes a `double`.
    ///
    /// @param value the number, which may be infinite or none
    /// @throws IOException if the visitor cannot write
    void floating(double value) throws IOException;

    /// Takes a `float`.
    ///
    /// @param value the number, which may be infinite or none
    /// @throws IOException if the visitor cannot write
    void floating(float value) throws IOException;

    /// Takes a `char`.
    ///
    /// @param value the code unit of UTF-16, which may be half of a surrogate pair
    /// @throws IOException if the visitor cannot write
    void character(char value) throws IOException;

    /// Takes a `boolean`.
    ///
    /// @param value  whether the byte is not 0
    /// @param stored the byte from 0 to 255, of which programs write 0 and 1
    /// @throws IOException if the visitor cannot write
    void bool(boolean value, int stored) throws IOException;

    /// Takes an enum.
    ///
    /// @param type  what it is
    /// @param name  the name of the constant, or "" where the value has none
    /// @param value the integer that stands in memory
    /// @throws IOException if the visitor cannot write
    void constant(EnumType type, String name, long value) throws IOException;

    /// Takes an address.
    ///
    /// @param address the address, unsigned
    /// @throws IOException if the visitor cannot write
    void address(long address) throws IOException;

    /// Takes a text.
    ///
    /// @param text the text, valid up to [#endStruct]
    /// @throws IOException if the visitor cannot write
    void text(Text text) throws IOException;

    /// Takes the place of a number, an enum or an address which the bytes end before.
    ///
    /// @throws IOException if the visitor cannot write
    void cutOff() throws IOException;

    /// A text in memory, which may be any bytes.
    ///
    /// @param bytes   the bytes of the code units that are shown, without a NUL
    /// @param charset how the type says that they are to be read
    /// @param leftOut how many code units are not shown, to be short
    /// @param orMore  whether there may be more than those, since the end was not searched for
    /// @param cutOff  whether the bytes end before the text does
    record Text(MemorySegment bytes, Charset charset, long leftOut, boolean orMore, boolean cutOff) {
        /// {@return what is shown of the text, as valid Unicode: each sequence of bytes that is no text is U+FFFD}
        public String string() {
            return new String(bytes.toArray(JAVA_BYTE), charset);
        }
    }
}
