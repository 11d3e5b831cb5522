package dev.arenakit.dump;

import dev.arenakit.layout.StringType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Finds where a text ends, and how much of it is shown.
final class TextReader {
    /// How many units of a text are shown.
    private static final int UNITS = 256;
    /// How many units are searched for a NUL where not all are shown.
    private static final int SEARCHED = 1 << 16;

    private final StringType type;
    private final StructWalk walk;
    private final long at;
    private final int unitByteSize;
    private final ByteOrder order;

    /// @param at where the text begins
    TextReader(StringType type, StructWalk walk, long at) {
        this.type = type;
        this.walk = walk;
        this.at = at;
        unitByteSize = (int) type.unitByteSize();
        order = type.charset().equals(StandardCharsets.UTF_16BE) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    StructVisitor.Text read() {
        boolean all = walk.everyElement();
        long inside = Math.min(type.length(), walk.bytesFrom(at) / unitByteSize);
        int searched = (int) Math.min(inside, all ? Integer.MAX_VALUE / 16 : SEARCHED);
        int length = 0;
        while (length < searched && unit(length) != 0) {
            length++;
        }
        int shown = all || length <= UNITS ? length : wholeCharacters();
        MemorySegment bytes = walk.slice(at, (long) shown * unitByteSize);
        boolean orMore = length == searched && searched < inside;
        boolean cutOff = length == inside && inside < type.length();
        return new StructVisitor.Text(bytes, type.charset(), length - shown, orMore, cutOff);
    }

    /// As many units as are shown, or up to three less where a character would be divided.
    private int wholeCharacters() {
        if (unitByteSize > 1) {
            return Character.isSurrogatePair(unit(UNITS - 1), unit(UNITS)) ? UNITS - 1 : UNITS;
        }
        int start = UNITS;
        while (start > UNITS - 3 && (unit(start) & 0xc0) == 0x80) {
            start--;
        }
        return (unit(start) & 0xc0) == 0xc0 ? start : UNITS;
    }

    private char unit(int index) {
        return (char) walk.integer(unitByteSize, order, at + (long) index * unitByteSize);
    }
}
