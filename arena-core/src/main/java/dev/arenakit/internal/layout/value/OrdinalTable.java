package dev.arenakit.internal.layout.value;

import java.util.Arrays;
import java.util.List;

/// The values in memory for the constants of an enum or the records of a union, by their position.
///
/// Values that are close to each other are found in an array, others in a hash table. Neither boxes a value, and the
/// compiler treats all fields as constants, since this is a record.
///
/// @param values    the values by position; a value at the position [#otherwise] is ignored
/// @param first     the value at index 0 of the array, or 0 if there is a hash table
/// @param keys      the values in the hash table, which is empty if the values are close to each other
/// @param positions the positions by `value - first`, or in the order of the keys; -1 where there is none
/// @param otherwise the position for all other values, or -1 if they are refused
/// @param where     class and component, for messages
@SuppressWarnings("ArrayRecordComponent") // Tables are not compared.
public record OrdinalTable(long[] values, long first, long[] keys, int[] positions, int otherwise, String where) {
    /// An array is at most this many times as long as the number of values, plus [#SHORTEST].
    private static final int SPARSEST = 4;
    /// All values of one byte are found in an array.
    private static final int SHORTEST = 256;
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    static OrdinalTable of(List<Long> values, String where) {
        return of(values, -1, where);
    }

    /// Returns the table of some values.
    ///
    /// @param values    the values by position. For a union, `otherwise` is the position after the last value; for an
    ///                  enum, it is any position, and the value there is ignored
    /// @param otherwise the position for all other values, or -1 if they are refused
    public static OrdinalTable of(List<Long> values, int otherwise, String where) {
        long[] byPosition = new long[values.size()];
        for (int i = 0; i < byPosition.length; i++) {
            byPosition[i] = values.get(i);
        }
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < byPosition.length; i++) {
            if (i != otherwise) {
                first = Math.min(first, byPosition[i]);
                last = Math.max(last, byPosition[i]);
            }
        }
        long limit = (long) SPARSEST * byPosition.length + SHORTEST;
        if (first > 0 && last < limit) {
            first = 0; // Without a subtraction, the check of the index is one comparison.
        }
        if (first > last || (last - first >= 0 && last - first < limit)) {
            long[] found = byPosition.clone();
            int length = first > last ? 0 : (int) (last - first) + 1;
            int[] positions = filled(length);
            for (int i = 0; i < found.length; i++) {
                if (i != otherwise) {
                    positions[(int) (found[i] - first)] = i;
                }
            }
            return new OrdinalTable(found, first, new long[0], positions, otherwise, where);
        }
        return hashed(byPosition, otherwise, where);
    }

    private static OrdinalTable hashed(long[] values, int otherwise, String where) {
        int length = Integer.highestOneBit(values.length) * 4;
        OrdinalTable table = new OrdinalTable(values, 0, new long[length], filled(length), otherwise, where);
        for (int i = 0; i < values.length; i++) {
            if (i != otherwise) {
                int slot = table.slot(values[i]);
                table.keys[slot] = values[i];
                table.positions[slot] = i;
            }
        }
        return table;
    }

    private static int[] filled(int length) {
        int[] positions = new int[length];
        Arrays.fill(positions, -1);
        return positions;
    }

    /// Returns the slot of a value in the hash table, or the empty slot where it would be.
    private int slot(long value) {
        int slot = (int) ((value * GOLDEN_RATIO) >>> Integer.SIZE) & (keys.length - 1);
        while (keys[slot] != value && positions[slot] >= 0) {
            slot = (slot + 1) & (keys.length - 1);
        }
        return slot;
    }

    /// Returns the position for a value in memory.
    ///
    /// @throws IllegalArgumentException if the value is not in the table, and others are refused
    public int position(long value) {
        int position = -1;
        if (keys.length > 0) {
            position = positions[slot(value)];
        } else {
            long index = value - first;
            if (index >= 0 && index < positions.length) {
                position = positions[(int) index];
            }
        }
        return position >= 0 ? position : absent(value);
    }

    private int absent(long value) {
        if (otherwise < 0) {
            throw new IllegalArgumentException("Value in memory is unknown: " + where + ", value=" + value
                    + ", known=" + Arrays.toString(values));
        }
        return otherwise;
    }

    long value(int position) {
        return values[position];
    }

    /// Checks that the discriminator matches the record of a union.
    public void check(long value, int position) {
        if (position == otherwise ? position(value) != otherwise : value != values[position]) {
            throw disagree(value, position);
        }
    }

    private IllegalArgumentException disagree(long value, int position) {
        return new IllegalArgumentException("Record of a union does not match its discriminator: " + where + ", value="
                + value + ", expected=" + (position == otherwise
                        ? "none of " + Arrays.toString(values)
                        : values[position]));
    }
}
