package dev.arenakit.tool.diff;

import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.util.OptionalLong;

/// The form in which differences are printed.
interface DiffForm {
    /// Prints an allocation that only the first image has.
    void gone(Subject allocation) throws IOException;

    /// Prints an allocation that only the second image has.
    void added(Subject allocation) throws IOException;

    /// Prints an allocation that both images have. Its differences follow.
    void changed(Subject allocation) throws IOException;

    /// Prints the sizes of an allocation.
    void size(long before, long after) throws IOException;

    /// Prints the types of an allocation.
    void type(String before, String after) throws IOException;

    /// Prints a field.
    ///
    /// @param byteOffset the offset of the first byte that differs
    /// @param bytes      the first different byte in both images if the texts are equal, otherwise ""
    void field(String path, long byteOffset, String before, String after, String bytes) throws IOException;

    /// Prints a struct whose key only the first image has.
    ///
    /// @param key   the key, as in `[id=7]`
    /// @param index the index of the struct
    /// @param text  its fields
    void goneStruct(String key, long index, String text) throws IOException;

    /// Prints a struct whose key only the second image has.
    ///
    /// @param key   the key, as in `[id=7]`
    /// @param index the index of the struct
    /// @param text  its fields
    void addedStruct(String key, long index, String text) throws IOException;

    /// Prints a range of bytes. The texts contain the first bytes of the range.
    void bytes(long byteOffset, long byteSize, String before, String after) throws IOException;

    /// Prints how many further differences an allocation has.
    ///
    /// @param unit    the kind of difference
    /// @param isFirst whether no difference of the allocation was printed
    void more(long count, String unit, boolean isFirst) throws IOException;

    /// Prints the sums.
    ///
    /// @param isComplete whether everything could be compared
    void sums(Sums sums, boolean isComplete) throws IOException;

    /// The numbers of allocations.
    ///
    /// @param changed the allocations with differences
    /// @param gone    the allocations that only the first image has
    /// @param added   the allocations that only the second image has
    /// @param same    the allocations without a difference
    record Sums(long changed, long gone, long added, long same) {
        /// Whether anything differs.
        boolean isDifferent() {
            return changed + gone + added > 0;
        }
    }

    /// An allocation with a difference.
    ///
    /// @param label    the label of the allocation
    /// @param type     its type
    /// @param byteSize its size
    /// @param entries  the number of entries if it is a structure
    record Subject(String label, ComparedType type, long byteSize, OptionalLong entries) {
        /// The name of the type and the number of structs or entries: `Trade[1000]`, or `ImageLongMap[12 entries]`.
        String typeText() {
            return entries.isPresent()
                    ? TypeNames.ofEntries(type.name(), entries.getAsLong())
                    : type.describe(byteSize);
        }
    }
}
