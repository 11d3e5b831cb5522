package dev.arenakit.internal.dump;

import dev.arenakit.dump.StructVisitor;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;

/// Decodes the values of one type and passes them to a visitor. Everything that depends on the type alone is computed
/// in advance.
sealed interface Decoder
        permits
        Decoder.Value,
        Decoder.Unsigned,
        Decoder.Bits,
        Decoder.Constant,
        Decoder.Address,
        Decoder.Reference,
        Decoder.Text,
        Decoder.Array,
        StructDecoder,
        UnionDecoder {
    /// Decodes a value.
    ///
    /// @param context  the bytes and the visitor
    /// @param at       the offset of the value in the bytes
    /// @param struct   the decoder of the innermost struct that contains the value
    /// @param structAt the offset of the innermost struct
    void decode(DecoderContext context, long at, StructDecoder struct, long structAt) throws IOException;

    /// A primitive value.
    ///
    /// @param carrier the primitive type, as in a field descriptor
    /// @param reader  reads its bits
    record Value(char carrier, StoredInteger reader) implements Decoder {
        @Override
        public void decode(DecoderContext context, long at, StructDecoder struct, long structAt) throws IOException {
            if (context.contains(reader.byteSize(), at)) {
                long bits = context.read(reader, at);
                StructVisitor visitor = context.visitor();
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

    /// An unsigned integer.
    record Unsigned(StoredInteger reader) implements Decoder {
        @Override
        public void decode(DecoderContext context, long at, StructDecoder struct, long structAt) throws IOException {
            if (context.contains(reader.byteSize(), at)) {
                context.visitor().unsigned(context.read(reader, at));
            }
        }
    }

    /// A bit field whose type is not an enum.
    record Bits(StoredInteger reader, boolean isBoolean) implements Decoder {
        @Override
        public void decode(DecoderContext context, long at, StructDecoder struct, long structAt) throws IOException {
            if (context.contains(reader.byteSize(), at)) {
                long value = context.read(reader, at);
                if (isBoolean) {
                    context.visitor().bool(value != 0, (int) value);
                } else if (reader.isSigned()) {
                    context.visitor().integer(value);
                } else {
                    context.visitor().unsigned(value);
                }
            }
        }
    }

    /// A constant of an enum.
    ///
    /// @param names the names of the constants by their values
    record Constant(EnumType type, StoredInteger reader, Map<Long, String> names) implements Decoder {
        @Override
        public void decode(DecoderContext context, long at, StructDecoder struct, long structAt) throws IOException {
            if (context.contains(reader.byteSize(), at)) {
                long value = context.read(reader, at);
                context.visitor().constant(type, names.getOrDefault(value, ""), value);
            }
        }
    }

    /// An address.
    record Address(StoredInteger reader) implements Decoder {
        @Override
        public void decode(DecoderContext context, long at, StructDecoder struct, long structAt) throws IOException {
            if (context.contains(reader.byteSize(), at)) {
                context.visitor().address(context.read(reader, at));
            }
        }
    }

    /// A reference.
    ///
    /// @param isArray      whether the base is an array of the struct
    /// @param baseByteSize the size of the base
    record Reference(RefType type, StoredInteger reader, boolean isArray, long baseByteSize) implements Decoder {
        @Override
        public void decode(DecoderContext context, long at, StructDecoder struct, long structAt) throws IOException {
            if (context.contains(reader.byteSize(), at)) {
                long stored = context.read(reader, at);
                context.visitor().reference(type, stored, type.text(stored, isArray, baseByteSize));
            }
        }
    }

    /// A text.
    record Text(StringType type) implements Decoder {
        @Override
        public void decode(DecoderContext context, long at, StructDecoder struct, long structAt) throws IOException {
            context.visitor().text(new TextDecoder(type, context, at).decode());
        }
    }

    /// An array.
    record Array(ArrayType type, Decoder element) implements Decoder {
        /// The number of elements that are shown, unless all elements are requested.
        private static final long SHOWN_ELEMENTS = 16;

        @Override
        public void decode(DecoderContext context, long at, StructDecoder struct, long structAt) throws IOException {
            StructVisitor visitor = context.visitor();
            long byteSize = type.element().byteSize();
            // All elements beyond the end of the bytes are alike, and so are all elements of size 0. There may be any
            // number of such elements.
            long length = validLength(context, struct, structAt);
            long inside = byteSize > 0 ? Math.ceilDiv(context.bytesFrom(at), byteSize) : length;
            long most = byteSize == 0 ? 1 : context.everyElement() ? inside : Math.min(inside, SHOWN_ELEMENTS);
            long shown = Math.min(length, most);
            visitor.beginArray(type, context.offset(at));
            for (long i = 0; i < shown; i++) {
                long elementAt = at + i * byteSize;
                visitor.element(i, context.offset(elementAt));
                element.decode(context, elementAt, struct, structAt);
            }
            visitor.endArray(length - shown, shown < length && shown >= inside);
        }

        /// The number of valid elements. It is the number of all elements if there is no count or the count is out of
        /// range.
        private long validLength(DecoderContext context, StructDecoder struct, long structAt) {
            if (type.count().isEmpty()) {
                return type.length();
            }
            OptionalLong count = struct.integer(type.count().get(), context, structAt);
            return count.isPresent() && count.getAsLong() >= 0
                    ? Math.min(count.getAsLong(), type.length())
                    : type.length();
        }
    }
}
