package dev.arenakit.internal.layout.value;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// The values in memory for the constants of an enum or the records of a union, by their position.
///
/// Values that are close to each other are found in an array, others in a hash table. Neither boxes a value, and the
/// compiler treats all fields as constants, since this is a record.
///
/// @param values    the first value of each position; a value at the position [#otherwise] is ignored
/// @param first     the value at index 0 of the array, or 0 if there is a hash table
/// @param keys      the values in the hash table, which is empty if the values are close to each other
/// @param positions the positions by `value - first`, or in the order of the keys; -1 where there is none
/// @param otherwise the position for all other values, or -1 if they are refused
/// @param known     the values of each position, for messages
/// @param where     class and component, for messages
@SuppressWarnings("ArrayRecordComponent") // Tables are not compared.
public record OrdinalTable(long[] values, long first, long[] keys, int[] positions, int otherwise,
        List<List<Long>> known, String where) {
    /// An array is at most this many times as long as the number of values, plus [#SHORTEST].
    private static final int SPARSEST = 4;
    /// All values of one byte are found in an array.
    private static final int SHORTEST = 256;
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    /// Returns the table of some values.
    ///
    /// @param known     the values by position. For a union, `otherwise` is the position after the last values; for an
    ///                  enum, it is any position, and the value there is ignored
    /// @param otherwise the position for all other values, or -1 if they are refused
    public static OrdinalTable of(List<List<Long>> known, int otherwise, String where) {
        long[] values = new long[known.size()];
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        int count = 0;
        for (int i = 0; i < values.length; i++) {
            values[i] = known.get(i).getFirst();
            if (i != otherwise) {
                first = Math.min(first, Collections.min(known.get(i)));
                last = Math.max(last, Collections.max(known.get(i)));
                count += known.get(i).size();
            }
        }
        long limit = (long) SPARSEST * count + SHORTEST;
        if (first > 0 && last < limit) {
            first = 0; // Without a subtraction, the check of the index is one comparison.
        }
        boolean isDense = first > last || (last - first >= 0 && last - first < limit);
        int slots = !isDense ? Integer.highestOneBit(count) * 4 : first > last ? 0 : (int) (last - first) + 1;
        OrdinalTable table = new OrdinalTable(values, isDense ? first : 0, new long[isDense ? 0 : slots],
                new int[slots], otherwise, known, where);
        Arrays.fill(table.positions, -1);
        for (int i = 0; i < values.length; i++) {
            if (i != otherwise) {
                table.put(known.get(i), i);
            }
        }
        return table;
    }

    private void put(List<Long> ofPosition, int position) {
        for (long value : ofPosition) {
            int slot = keys.length == 0 ? (int) (value - first) : slot(value);
            if (keys.length > 0) {
                keys[slot] = value;
            }
            positions[slot] = position;
        }
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
        int position = known(value);
        return position >= 0 ? position : absent(value);
    }

    /// Returns the position of a value, or -1 if it is not in the table.
    private int known(long value) {
        if (keys.length > 0) {
            return positions[slot(value)];
        }
        long index = value - first;
        return index >= 0 && index < positions.length ? positions[(int) index] : -1;
    }

    private int absent(long value) {
        if (otherwise < 0) {
            throw new IllegalArgumentException("Value in memory is unknown: " + where + ", value=" + value
                    + ", known=" + all());
        }
        return otherwise;
    }

    private List<Long> all() {
        return known.stream().flatMap(List::stream).toList();
    }

    long value(int position) {
        return values[position];
    }

    /// Checks that the discriminator matches the record of a union.
    public void check(long value, int position) {
        if (position == otherwise ? known(value) >= 0 : value != values[position] && known(value) != position) {
            throw disagree(value, position);
        }
    }

    private IllegalArgumentException disagree(long value, int position) {
        String expected = position == otherwise
                ? "none of " + all()
                : known.get(position).size() > 1 ? "one of " + known.get(position) : "" + values[position];
        return new IllegalArgumentException("Record of a union does not match its discriminator: " + where + ", value="
                + value + ", expected=" + expected);
    }
}
