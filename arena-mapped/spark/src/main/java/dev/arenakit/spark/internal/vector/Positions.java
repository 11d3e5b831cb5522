package dev.arenakit.spark.internal.vector;

/// The positions of the values of a vector in the bytes of a batch.
sealed interface Positions {
    /// The position of a value.
    int at(int index);

    /// The row that contains a value.
    int row(int index);

    /// The positions of members at an offset in these values.
    Positions plus(long byteOffset);

    /// Values in the structs of the rows.
    final class OfRows implements Positions {
        private final int[] structs;
        private final int byteOffset;

        /// @param structs the positions of the structs
        OfRows(int[] structs, int byteOffset) {
            this.structs = structs;
            this.byteOffset = byteOffset;
        }

        @Override
        public int at(int index) {
            return structs[index] + byteOffset;
        }

        @Override
        public int row(int index) {
            return index;
        }

        @Override
        public Positions plus(long more) {
            return new OfRows(structs, Math.toIntExact(byteOffset + more));
        }
    }

    /// Values in the elements of arrays. The elements of an array of `length` elements have consecutive indices.
    ///
    /// @param arrays     the positions of the arrays, or of the structs that contain the arrays
    /// @param length     the number of elements of an array
    /// @param stride     the number of bytes from an element to the next one, or 0 for the struct of the array
    /// @param byteOffset the offset in the element
    record OfElements(Positions arrays, int length, int stride, int byteOffset) implements Positions {
        @Override
        public int at(int index) {
            return arrays.at(index / length) + index % length * stride + byteOffset;
        }

        @Override
        public int row(int index) {
            return arrays.row(index / length);
        }

        @Override
        public Positions plus(long more) {
            return new OfElements(arrays, length, stride, Math.toIntExact(byteOffset + more));
        }
    }
}
