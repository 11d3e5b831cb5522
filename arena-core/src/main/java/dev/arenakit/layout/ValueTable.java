package dev.arenakit.layout;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The values in memory that stand for the constants of an enum or the records of a union, by their positions.
///
/// @param values    the values
/// @param positions the position of each
/// @param dense     whether each value is its position
/// @param where     names class and component
record ValueTable(List<Long> values, Map<Long, Integer> positions, boolean dense, String where) {
    static ValueTable of(List<Long> values, String where) {
        Map<Long, Integer> positions = new HashMap<>();
        boolean dense = true;
        for (int i = 0; i < values.size(); i++) {
            positions.put(values.get(i), i);
            dense &= values.get(i) == i;
        }
        return new ValueTable(List.copyOf(values), Map.copyOf(positions), dense, where);
    }

    /// @throws IllegalArgumentException when the value stands for nothing
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

    /// Refuses a record of a union that is not the one which the other component tells.
    void check(long value, int position) {
        if (value != value(position)) {
            throw disagree(value, position);
        }
    }

    private IllegalArgumentException unknown(long value) {
        return new IllegalArgumentException("Value in memory has no meaning: " + where + ", value=" + value + ", known="
                + values);
    }

    private IllegalArgumentException disagree(long value, int position) {
        return new IllegalArgumentException("Record of a union is not the one that is told: " + where + ", value="
                + value + ", expected=" + value(position));
    }
}
