package dev.arenakit.layout;

import dev.arenakit.internal.layout.value.RefTarget;
import dev.arenakit.layout.annotation.In;
import java.lang.foreign.MemorySegment;

/// A reference to a struct: its offset from the beginning of some memory, which is called the base. It stays valid
/// wherever the memory is mapped, in every process.
///
/// ```java
/// record Node(long value, Ref<Node> next) {}
///
/// static final RecordMapper<Node> NODES = RecordMapper.of(Node.class);
///
/// MemorySegment nodes = NODES.allocate(arena, 1000);
/// NODES.setAtIndex(nodes, 7, new Node(3, Ref.none()));
/// NODES.setAtIndex(nodes, 0, new Node(4, NODES.refAtIndex(7)));
/// Node seventh = NODES.getAtIndex(nodes, 0).next().follow(nodes);
/// ```
///
/// A component of this type has 8 bytes, a component of type [Ref32] has 4. The number in memory is the offset plus 1,
/// and 0 is no reference. The base is the memory that contains the reference, or the allocation that [In] names; both
/// are by agreement, and [#follow] takes the base as its argument. A mapper makes references ([RecordMapper#ref],
/// [RecordMapper#refAtIndex]).
///
/// The struct is a record or the interface of a view. A reference in a record of the same class needs no further
/// declaration, so that records can form lists, trees and graphs. If the struct of a mapper is given, as in
/// [RecordMapper#of(Class, dev.arenakit.layout.type.StructType)], references to the same class refer to the given
/// struct. References to other classes refer to the structs that these classes declare.
///
/// ## Checks
///
/// [#follow] and [#offsetIn] refuse a struct that is not within the memory, a misaligned offset, and, with [In], an
/// offset within a struct. They do not find an offset that is wrong otherwise, or a cycle.
///
/// ## Performance
///
/// References are values: equal if their offsets are equal, without an identity that matters. A reference that does not
/// escape is not allocated. A loop whose variable is a reference or a view allocates it in each iteration. A loop over
/// offsets allocates nothing:
///
/// ```java
/// for (long at = head.offsetIn(nodes); at >= 0; at = NODES.get(nodes, at).next().offsetIn(nodes)) {
///     sum += NODES.get(nodes, at).value();
/// }
/// ```
///
/// The field of a reference is a [LongField], or an [IntField] for [Ref32], of the number in memory. Its atomic
/// operations link structs from several threads.
///
/// Only mappers and [#none] create references; a program does not implement this interface.
///
/// @param <T> the record class or the interface of the view
public interface Ref<T> {
    /// Returns the reference that points to nothing.
    ///
    /// @param <T> the record class or the interface of the view
    /// @return the reference, for components of type [Ref] and [Ref32]
    @SuppressWarnings("unchecked") // Nothing is read through it.
    static <T> Ref32<T> none() {
        return (Ref32<T>) RefTarget.NONE;
    }

    /// {@return whether this reference points to nothing}
    default boolean isNone() {
        return byteOffset() == -1;
    }

    /// Returns the offset of the struct, without a check.
    ///
    /// @return the offset in bytes from the beginning of the base, or -1 for [#none]
    long byteOffset();

    /// Checks that a base contains the struct.
    ///
    /// @param memory the base
    /// @return the offset in bytes from the beginning of the base, or -1 for [#none]
    /// @throws IndexOutOfBoundsException if the struct is not within the memory
    /// @throws IllegalArgumentException  if the offset is misaligned, or is within a struct of the allocation that [In]
    ///                                   names
    long offsetIn(MemorySegment memory);

    /// Reads the struct, as [RecordMapper#get(MemorySegment, long)] or [ViewMapper#view(MemorySegment, long)] does.
    ///
    /// @param memory the base
    /// @return the record, or a view
    /// @throws java.util.NoSuchElementException if this is [#none]
    /// @throws IndexOutOfBoundsException        if the struct is not within the memory
    /// @throws IllegalArgumentException         as by [#offsetIn], or if the bytes in memory have no meaning for a
    ///                                          component
    T follow(MemorySegment memory);
}
