package dev.arenakit.layout;

import java.util.Objects;

/// A part of a struct or union: a name, a place and a type.
///
/// @param name       the name, an identifier of C; it may be a word of C, such as `register`
/// @param byteOffset where it begins, in bytes from the beginning of the struct or union
/// @param type       what stands there
public record Member(String name, long byteOffset, MemoryType type) {
    /// Checks that the parts go together.
    ///
    /// @throws IllegalArgumentException when the name is no identifier, or the offset negative or misaligned
    public Member {
        Types.checkName(name);
        Objects.requireNonNull(type, "type");
        if (byteOffset < 0 || byteOffset % type.byteAlignment() != 0) {
            throw new IllegalArgumentException("Member is misaligned: name=" + name + ", byteOffset=" + byteOffset
                    + ", byteAlignment=" + type.byteAlignment());
        }
    }

    /// Where it ends.
    long limit() {
        return byteOffset + type.byteSize();
    }
}
