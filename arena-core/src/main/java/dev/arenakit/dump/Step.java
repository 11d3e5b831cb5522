package dev.arenakit.dump;

import dev.arenakit.layout.ArrayType;
import dev.arenakit.layout.EnumType;
import dev.arenakit.layout.StringType;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Map;

/// How the values of a type are told to a visitor: what can be known before there are bytes has been found out.
sealed interface Step permits Step.Value, Step.Constant, Step.Address, Step.Text, Step.Array, StructStep, UnionStep {
    /// Tells the value at a place.
    ///
    /// @param walk     has the bytes and the visitor
    /// @param at       where the value begins
    /// @param struct   the innermost struct that it stands in
    /// @param structAt where that begins
    void walk(StructWalk walk, long at, StructStep struct, long structAt) throws IOException;

    /// A primitive value.
    ///
    /// @param carrier its type, as in the descriptor of a field
    record Value(char carrier, int byteSize, ByteOrder order) implements Step {
        @Override
        public void walk(StructWalk walk, long at, StructStep struct, long structAt) throws IOException {
            if (walk.has(byteSize, at)) {
                long bits = walk.integer(byteSize, order, at);
                StructVisitor visitor = walk.visitor();
                switch (carrier) {
                    case 'Z' -> visitor.bool(bits != 0, (int) bits & 0xff);
                    case 'C' -> visitor.character((char) bits);
                    case 'F' -> visitor.floating(Float.intBitsToFloat((int) bits));
                    case 'D' -> visitor.floating(Double.longBitsToDouble(bits));
                    default -> visitor.integer(bits);
                }
            }
        }
    }

    /// A constant of an enum.
    ///
    /// @param names the names of the constants by their values
    record Constant(EnumType type, int byteSize, ByteOrder order, Map<Long, String> names) implements Step {
        @Override
        public void walk(StructWalk walk, long at, StructStep struct, long structAt) throws IOException {
            if (walk.has(byteSize, at)) {
                long value = walk.integer(byteSize, order, at);
                walk.visitor().constant(type, names.getOrDefault(value, ""), value);
            }
        }
    }

    /// An address.
    record Address(ByteOrder order) implements Step {
        @Override
        public void walk(StructWalk walk, long at, StructStep struct, long structAt) throws IOException {
            if (walk.has(Long.BYTES, at)) {
                walk.visitor().address(walk.integer(Long.BYTES, order, at));
            }
        }
    }

    /// A text: its units up to a NUL, or the first of them.
    record Text(StringType type) implements Step {
        @Override
        public void walk(StructWalk walk, long at, StructStep struct, long structAt) throws IOException {
            walk.visitor().text(new TextReader(type, walk, at).read());
        }
    }

    /// An array.
    record Array(ArrayType type, Step element) implements Step {
        /// How many elements are shown.
        private static final long ELEMENTS = 16;

        @Override
        public void walk(StructWalk walk, long at, StructStep struct, long structAt) throws IOException {
            StructVisitor visitor = walk.visitor();
            long byteSize = type.element().byteSize();
            // Elements behind the end of the bytes are all alike, and so are those without a size: there may be any number of them.
            long inside = byteSize > 0 ? Math.ceilDiv(walk.bytesFrom(at), byteSize) : type.length();
            long most = byteSize == 0 ? 1 : walk.everyElement() ? inside : Math.min(inside, ELEMENTS);
            long shown = Math.min(type.length(), most);
            visitor.beginArray(type, walk.offset(at));
            for (long i = 0; i < shown; i++) {
                long elementAt = at + i * byteSize;
                visitor.element(i, walk.offset(elementAt));
                element.walk(walk, elementAt, struct, structAt);
            }
            visitor.endArray(type.length() - shown, shown < type.length() && shown >= inside);
        }
    }
}
