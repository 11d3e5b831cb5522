package dev.arenakit.layout;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The values in memory for the constants of an enum or the records of a union, by their position.
///
/// @param values    the values, by position
/// @param positions the positions, by value
/// @param dense     whether each value equals its position
/// @param where     class and component, for messages
record OrdinalTable(List<Long> values, Map<Long, Integer> positions, boolean dense, String where) {
    static OrdinalTable of(List<Long> values, String where) {
        Map<Long, Integer> positions = new HashMap<>();
        boolean dense = true;
        for (int i = 0; i < values.size(); i++) {
            positions.put(values.get(i), i);
            dense &= values.get(i) == i;
        }
        return new OrdinalTable(List.copyOf(values), Map.copyOf(positions), dense, where);
    }

    /// @throws IllegalArgumentException if the value is not in the table
    int position(long value) {
        if (dense) {
            if (value < 0 || value >= values.size()) {
                throw unknown(value);
            }
            return (int) value;
        }
        Integer position = positions.get(value);
        if (position == null) {
            throw unknown(value);
        }
        return position;
    }

    long value(int position) {
        return dense ? position : values.get(position);
    }

    /// Checks that the discriminator matches the record of a union.
    void check(long value, int position) {
        if (value != value(position)) {
            throw disagree(value, position);
        }
    }

    private IllegalArgumentException unknown(long value) {
        return new IllegalArgumentException("Value in memory is unknown: " + where + ", value=" + value + ", known="
                + values);
    }

    private IllegalArgumentException disagree(long value, int position) {
        return new IllegalArgumentException("Record of a union does not match its discriminator: " + where + ", value="
                + value + ", expected=" + value(position));
    }
}
