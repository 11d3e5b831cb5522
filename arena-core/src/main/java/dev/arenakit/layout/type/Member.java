package dev.arenakit.layout.type;

import dev.arenakit.internal.CIdentifiers;
import java.util.Objects;

/// A member of a struct or union.
///
/// @param name       the name, a C identifier; it may be a keyword of C, such as `register`
/// @param byteOffset the offset in bytes from the beginning of the struct or union
/// @param type       the type
public record Member(String name, long byteOffset, MemoryType type) {
    /// Creates a member.
    ///
    /// @throws IllegalArgumentException if the name is not a C identifier, or if the offset is negative or not a
    ///                                  multiple of the alignment of the type
    public Member {
        CIdentifiers.check(name);
        Objects.requireNonNull(type, "type");
        if (byteOffset < 0 || byteOffset % type.byteAlignment() != 0) {
            throw new IllegalArgumentException("Member is misaligned: name=" + name + ", byteOffset=" + byteOffset
                    + ", byteAlignment=" + type.byteAlignment());
        }
    }

    /// Returns the end offset of the member.
    ///
    /// @return end offset, exclusive, in bytes from the beginning of the struct or union: `byteOffset() +
    ///         type().byteSize()`
    public long limit() {
        return byteOffset + type.byteSize();
    }
}
