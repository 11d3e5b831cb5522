package dev.arenakit.internal.dump;

import dev.arenakit.dump.StructVisitor;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StringType.Padding;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Finds the end of a text, and the part of the text that is shown.
final class TextDecoder {
    /// The number of code units that are shown of a text, unless all are requested.
    private static final int SHOWN_UNITS = 256;
    /// The number of code units that are searched for a NUL, unless all are requested.
    private static final int SEARCHED_UNITS = 1 << 16;

    private final StringType type;
    private final DecoderContext context;
    private final long prefixAt;
    /// The offset of the code units in the bytes.
    private final long at;
    private final StoredInteger unit;

    /// @param at the offset of the text in the bytes
    TextDecoder(StringType type, DecoderContext context, long at) {
        this.type = type;
        this.context = context;
        prefixAt = at;
        this.at = at + type.prefixByteSize();
        unit = type.unit();
    }

    StructVisitor.Text decode() {
        boolean all = context.everyElement();
        long wanted = wantedLength();
        long inside = Math.min(wanted, context.bytesFrom(at) / unit.byteSize());
        int searched = (int) Math.min(inside, all ? Integer.MAX_VALUE / 16 : SEARCHED_UNITS);
        int length = length(searched);
        int shown = all || length <= SHOWN_UNITS ? length : wholeCharacters();
        MemorySegment bytes = context.slice(at, (long) shown * unit.byteSize());
        boolean endsAtNul = type.prefixByteSize() == 0 && type.padding() == Padding.NUL;
        boolean orMore = searched < inside && (!endsAtNul || length == searched);
        boolean cutOff = inside < wanted && (!endsAtNul || length == inside);
        return new StructVisitor.Text(bytes, type.charset(), length - shown, orMore, cutOff);
    }

    /// The length of the text if the bytes contain all of it and no padding follows.
    private long wantedLength() {
        return type.prefix()
                .filter(prefix -> context.bytesFrom(prefixAt) >= prefix.byteSize())
                .map(prefix -> Math.min(type.length(), context.read(prefix, prefixAt)))
                .orElse(type.length());
    }

    /// The length of the text in its first units.
    private int length(int searched) {
        if (type.prefixByteSize() > 0) {
            return searched;
        }
        int length = 0;
        if (type.padding() == Padding.NUL) {
            while (length < searched && unit(length) != 0) {
                length++;
            }
        } else {
            length = searched;
            while (length > 0 && unit(length - 1) == ' ') {
                length--;
            }
        }
        return length;
    }

    /// The number of units that are shown. It is reduced by up to three if a character would be divided otherwise.
    private int wholeCharacters() {
        if (unit.byteSize() == Character.BYTES) {
            return Character.isSurrogatePair((char) unit(SHOWN_UNITS - 1), (char) unit(SHOWN_UNITS))
                    ? SHOWN_UNITS - 1
                    : SHOWN_UNITS;
        }
        if (!type.charset().equals(StandardCharsets.UTF_8)) {
            return SHOWN_UNITS;
        }
        int start = SHOWN_UNITS;
        while (start > SHOWN_UNITS - 3 && (unit(start) & 0xc0) == 0x80) {
            start--;
        }
        return (unit(start) & 0xc0) == 0xc0 ? start : SHOWN_UNITS;
    }

    private long unit(int index) {
        return context.read(unit, at + (long) index * unit.byteSize());
    }
}
