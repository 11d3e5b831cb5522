package dev.arenakit.dump;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// A visitor of the decoded values of structs, field by field, in the order of the fields. [LayoutDump] calls its
/// methods. An implementation writes the values in its own format.
///
/// Each struct is visited by a call of [#beginStruct], then [#member] and a value for each of its members, then a call
/// of [#endStruct]. A run of structs that are zero can be one call of [#zeros] instead ([LayoutDump#withZeroRuns]). The
/// calls for a value are:
///
/// | value | calls |
/// |---|---|
/// | a number, a text, an address ... | one of [#integer], [#unsigned], [#floating(double)], [#floating(float)], [#character], [#bool], [#text], [#constant], [#address], [#reference] |
/// | a number, an enum, an address or a reference that extends beyond the end of the bytes | [#cutOff] |
/// | a nested struct, or a union | [#beginGroup]; [#member] and a value for each member that is shown; [#endGroup] |
/// | an array | [#beginArray]; [#element] and a value for each element that is shown; [#endArray] |
///
/// All members of a union are shown if its valid member is not known. Offsets are in bytes from the beginning of the
/// source.
///
/// All methods are called in the thread that called [LayoutDump]. An exception of the visitor ends the dump, and is
/// passed to the caller.
public interface StructVisitor {
    /// Begins a struct.
    ///
    /// @param type       the type of the struct
    /// @param index      the index of the struct in the source, from 0
    /// @param byteOffset the offset of the struct
    /// @param bytes      the bytes of the struct, fewer than its size if the source ends within it; valid until
    ///                   [#endStruct]
    /// @throws IOException if the visitor cannot write
    void beginStruct(StructType type, long index, long byteOffset, MemorySegment bytes) throws IOException;

    /// Ends the struct that has begun.
    ///
    /// @throws IOException if the visitor cannot write
    void endStruct() throws IOException;

    /// Visits two or more consecutive structs whose bytes are all zero.
    ///
    /// @param type       the type of the structs
    /// @param first      the index of the first struct
    /// @param count      the number of structs
    /// @param byteOffset the offset of the first struct
    /// @throws IOException if the visitor cannot write
    void zeros(StructType type, long first, long count, long byteOffset) throws IOException;

    /// Begins a nested struct, or a union.
    ///
    /// @param type       a [StructType] or a [dev.arenakit.layout.type.UnionType]
    /// @param byteOffset the offset of the struct or union
    /// @throws IOException if the visitor cannot write
    void beginGroup(MemoryType type, long byteOffset) throws IOException;

    /// Ends the innermost struct or union.
    ///
    /// @throws IOException if the visitor cannot write
    void endGroup() throws IOException;

    /// Begins a member, whose value follows.
    ///
    /// @param member     the member
    /// @param byteOffset the offset of the member
    /// @throws IOException if the visitor cannot write
    void member(Member member, long byteOffset) throws IOException;

    /// Begins an array.
    ///
    /// @param type       the type of the array
    /// @param byteOffset the offset of the array
    /// @throws IOException if the visitor cannot write
    void beginArray(ArrayType type, long byteOffset) throws IOException;

    /// Begins an element of the innermost array, whose value follows.
    ///
    /// @param index      the index of the element, from 0
    /// @param byteOffset the offset of the element
    /// @throws IOException if the visitor cannot write
    void element(long index, long byteOffset) throws IOException;

    /// Ends the innermost array.
    ///
    /// @param leftOut the number of elements at the end that were not shown
    /// @param cutOff  whether these elements extend beyond the end of the bytes; otherwise they were omitted to shorten
    ///                the output
    /// @throws IOException if the visitor cannot write
    void endArray(long leftOut, boolean cutOff) throws IOException;

    /// Visits a signed integer: a `byte`, `short`, `int` or `long`, or a bit field of such a type.
    ///
    /// @param value the signed integer
    /// @throws IOException if the visitor cannot write
    void integer(long value) throws IOException;

    /// Visits an unsigned integer.
    ///
    /// @param value the integer; from 2^63 on, it is negative as a `long`
    /// @throws IOException if the visitor cannot write
    void unsigned(long value) throws IOException;

    /// Visits a `double`.
    ///
    /// @param value the number, which may be infinite or NaN
    /// @throws IOException if the visitor cannot write
    void floating(double value) throws IOException;

    /// Visits a `float`.
    ///
    /// @param value the number, which may be infinite or NaN
    /// @throws IOException if the visitor cannot write
    void floating(float value) throws IOException;

    /// Visits a `char`.
    ///
    /// @param value the UTF-16 code unit, which may be a surrogate
    /// @throws IOException if the visitor cannot write
    void character(char value) throws IOException;

    /// Visits a `boolean`.
    ///
    /// @param value  whether the byte is not 0
    /// @param stored the byte, from 0 to 255; programs write 0 or 1
    /// @throws IOException if the visitor cannot write
    void bool(boolean value, int stored) throws IOException;

    /// Visits an enum.
    ///
    /// @param type  the type of the enum
    /// @param name  the name of the constant, or "" if no constant has the value
    /// @param value the integer in memory, which is unsigned if the values of the enum are unsigned
    ///              ([EnumType#isUnsigned])
    /// @throws IOException if the visitor cannot write
    void constant(EnumType type, String name, long value) throws IOException;

    /// Visits an address.
    ///
    /// @param address the address, unsigned
    /// @throws IOException if the visitor cannot write
    void address(long address) throws IOException;

    /// Visits a reference.
    ///
    /// @param type   the type of the reference
    /// @param stored the number in memory, unsigned; 0 is no reference
    /// @param target the struct that it refers to, and what is wrong with it ([RefType#text])
    /// @throws IOException if the visitor cannot write
    void reference(RefType type, long stored, String target) throws IOException;

    /// Visits a text.
    ///
    /// @param text the text, valid until [#endStruct]
    /// @throws IOException if the visitor cannot write
    void text(Text text) throws IOException;

    /// Visits a number, an enum, an address or a reference that extends beyond the end of the bytes.
    ///
    /// @throws IOException if the visitor cannot write
    void cutOff() throws IOException;

    /// A text in memory, which may be malformed.
    ///
    /// @param bytes   the bytes of the code units that are shown, without padding and without a length before them
    /// @param charset the charset of the type
    /// @param leftOut the number of code units that are omitted to shorten the output
    /// @param orMore  whether more code units may follow, because the end of the text was not searched for
    /// @param cutOff  whether the text extends beyond the end of the bytes
    record Text(MemorySegment bytes, Charset charset, long leftOut, boolean orMore, boolean cutOff) {
        /// {@return the shown part of the text as a string, in which U+FFFD replaces each malformed sequence of bytes}
        public String string() {
            return new String(bytes.toArray(JAVA_BYTE), charset);
        }
    }
}
