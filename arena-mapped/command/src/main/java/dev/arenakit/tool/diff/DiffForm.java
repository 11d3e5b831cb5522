package dev.arenakit.tool.diff;

import java.io.IOException;

/// The form in which differences are printed.
interface DiffForm {
    /// Prints an allocation that only the first image has.
    void gone(DiffedAllocation allocation) throws IOException;

    /// Prints an allocation that only the second image has.
    void added(DiffedAllocation allocation) throws IOException;

    /// Prints an allocation that both images have. Its differences follow.
    void changed(DiffedAllocation allocation) throws IOException;

    /// Prints the sizes of an allocation.
    void size(long before, long after) throws IOException;

    /// Prints the types of an allocation.
    void type(String before, String after) throws IOException;

    /// Prints a field.
    ///
    /// @param byteOffset the offset of the first byte that differs
    /// @param bytes      the first different byte in both images if the texts are equal, otherwise ""
    void field(String path, long byteOffset, String before, String after, String bytes) throws IOException;

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
    void sums(DiffSums sums, boolean isComplete) throws IOException;
}
