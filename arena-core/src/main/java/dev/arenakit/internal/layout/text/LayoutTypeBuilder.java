package dev.arenakit.internal.layout.text;

import dev.arenakit.internal.layout.text.LayoutScanner.Token;
import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StringType.Padding;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/// Builds types from the parts of declarations, and enforces the bounds of a text.
///
/// The length of the text bounds time and memory: a definition is one object, regardless of the number of references,
/// and each copy of a definition with another alignment or byte order is one object too.
final class LayoutTypeBuilder {
    private final IdentityHashMap<MemoryType, Map<Long, MemoryType>> copies = new IdentityHashMap<>();
    /// The type that each copy was made from.
    private final IdentityHashMap<MemoryType, MemoryType> origins = new IdentityHashMap<>();
    private final IdentityHashMap<EnumType, EnumType> otherOrders = new IdentityHashMap<>();

    /// A type, with the number of its parts and the depth of their nesting.
    record Parsed(MemoryType type, long parts, int depth) {}

    /// The part of a declaration before the declarator: a type, a text of length 1, or neither of these for `void`.
    ///
    /// @param annotations the annotations of a value or an enum
    record Base(Token at, Optional<Parsed> type, Optional<StringType> text, LayoutAnnotations annotations) {
        static Base of(Token at, Parsed type) {
            return new Base(at, Optional.of(type), Optional.empty(), LayoutAnnotations.NONE);
        }

        static Base ofVoid(Token at) {
            return new Base(at, Optional.empty(), Optional.empty(), LayoutAnnotations.NONE);
        }

        static Base ofText(Token at, LayoutAnnotations annotations) {
            StringType text = StringType.of(1, annotations.charset(at));
            if (annotations.has("@spaces")) {
                text = text.withPadding(Padding.SPACE);
            }
            if (annotations.has("@prefix")) {
                text = annotations.prefixed(text);
            }
            return new Base(at, Optional.empty(), Optional.of(text), LayoutAnnotations.NONE);
        }

        boolean isAligned() {
            return annotations.has("@align");
        }

        boolean isBig() {
            return annotations.has("@big");
        }
    }

    /// A part of a declarator that derives an array, a text or a pointer from the type within.
    record Derivation(Token at, boolean pointer, long length, LayoutAnnotations annotations) {
        static Derivation pointer(Token at, LayoutAnnotations annotations) {
            return new Derivation(at, true, 0, annotations);
        }
    }

    /// Returns a type with the annotated alignment.
    Base base(Token at, Parsed type, LayoutAnnotations annotations) {
        OptionalLong byteAlignment = annotations.number("@align");
        Parsed placed = byteAlignment.isPresent() ? aligned(at, type, byteAlignment.getAsLong()) : type;
        return new Base(at, Optional.of(placed), Optional.empty(), annotations);
    }

    /// Returns the type of a declaration.
    ///
    /// @param derivations the outermost first
    /// @param packed      whether the declaration is in a packed struct, which does not affect the targets of pointers
    Parsed build(Base base, List<Derivation> derivations, boolean packed) {
        int outermostPointer = 0;
        while (outermostPointer < derivations.size() && !derivations.get(outermostPointer).pointer()) {
            outermostPointer++;
        }
        boolean packedBase = packed && outermostPointer == derivations.size();
        int next = derivations.size() - 1;
        Parsed type;
        if (base.type().isPresent()) {
            type = base.type().get();
            if (packedBase && !base.isAligned() && type.type().byteAlignment() > 1) {
                type = aligned(base.at(), type, 1);
            }
        } else if (base.text().isPresent()) {
            if (next < 0 || derivations.get(next).pointer()) {
                throw base.at().expected("a length in brackets after the name of a text, or another type");
            }
            type = text(base.text().get(), derivations.get(next), packedBase);
            next--;
        } else {
            if (next < 0 || !derivations.get(next).pointer()) {
                throw base.at().expected("'*' after 'void', or another type");
            }
            type = address(Optional.empty(), derivations.get(next), packed && next == outermostPointer);
            next--;
        }
        for (; next >= 0; next--) {
            Derivation derivation = derivations.get(next);
            type = derivation.pointer()
                    ? address(Optional.of(type), derivation, packed && next == outermostPointer)
                    : array(type, derivation);
        }
        return type;
    }

    private Parsed text(StringType unit, Derivation array, boolean packed) {
        array.annotations().checkNone("@count", "no count of code units");
        StringType text = checked(array.at(), () -> new StringType(array.length(), unit.charset(), 1, unit.padding(),
                unit.prefixByteSize(), unit.prefixOrder()));
        return new Parsed(withAlignment(array, text, packed ? 1 : text.naturalAlignment()), 1, 1);
    }

    private Parsed address(Optional<Parsed> target, Derivation pointer, boolean packed) {
        AddressType address = new AddressType(target.map(Parsed::type),
                pointer.annotations().order(ByteOrder.LITTLE_ENDIAN), 1);
        MemoryType placed = withAlignment(pointer, address, packed ? 1 : address.byteSize());
        return sized(pointer.at(), placed, 1 + target.map(Parsed::parts).orElse(0L),
                1 + target.map(Parsed::depth).orElse(0));
    }

    private Parsed array(Parsed element, Derivation array) {
        long byteAlignment = array.annotations().number("@align").orElse(element.type().byteAlignment());
        MemoryType type = checked(array.at(), () -> new ArrayType(element.type(), array.length(), byteAlignment,
                array.annotations().name("@count")));
        return sized(array.at(), type, 1 + element.parts(), 1 + element.depth());
    }

    private MemoryType withAlignment(Derivation derivation, MemoryType type, long otherwise) {
        long byteAlignment = derivation.annotations().number("@align").orElse(otherwise);
        return checked(derivation.at(), () -> type.withByteAlignment(byteAlignment));
    }

    private Parsed aligned(Token at, Parsed parsed, long byteAlignment) {
        return new Parsed(checked(at, () -> copy(parsed.type(), byteAlignment)), parsed.parts(), parsed.depth());
    }

    /// Does the same as [MemoryType#withByteAlignment], but equal copies of an object are one object.
    private MemoryType copy(MemoryType type, long byteAlignment) {
        if (LayoutDefinitions.declaredAlignment(type) == byteAlignment) {
            return type;
        }
        MemoryType origin = origins.get(type);
        if (origin != null && byteAlignment < LayoutDefinitions.declaredAlignment(type)) {
            return copy(origin, byteAlignment); // equal, and one object however the copy was made
        }
        Map<Long, MemoryType> known = copies.computeIfAbsent(type, _ -> new HashMap<>());
        MemoryType copy = known.get(byteAlignment);
        if (copy == null) {
            copy = switch (type) {
                case StructType struct -> new StructType(struct.name(), atMost(byteAlignment, struct.members()),
                        struct.byteSize(), byteAlignment, Optional.of(struct.declared().orElse(struct)));
                case UnionType union -> new UnionType(union.name(), atMost(byteAlignment, union.members()),
                        union.byteSize(), byteAlignment, union.discriminator(),
                        Optional.of(union.declared().orElse(union)));
                case ArrayType array -> new ArrayType(atMost(byteAlignment, array.element()), array.length(),
                        byteAlignment, array.count());
                case BitFieldType bits -> new BitFieldType(copy(bits.declared(), byteAlignment), bits.bitOffset(),
                        bits.bitSize());
                case ValueType _,UnsignedType _,StringType _,EnumType _,AddressType _,RefType _ ->
                    type.withByteAlignment(byteAlignment);
            };
            known.put(byteAlignment, copy);
            origins.put(copy, type);
        }
        return copy;
    }

    private MemoryType atMost(long byteAlignment, MemoryType type) {
        return LayoutDefinitions.declaredAlignment(type) <= byteAlignment ? type : copy(type, byteAlignment);
    }

    private List<Member> atMost(long byteAlignment, List<Member> members) {
        if (LayoutDefinitions.largestAlignment(members) <= byteAlignment) {
            return members;
        }
        return members.stream()
                .map(member -> LayoutDefinitions.declaredAlignment(member.type()) <= byteAlignment
                        ? member
                        : new Member(member.name(), member.byteOffset(), copy(member.type(), byteAlignment)))
                .toList();
    }

    /// Returns a number or an enum with the annotated byte order.
    MemoryType ordered(MemoryType type, LayoutAnnotations annotations) {
        return switch (type) {
            case ValueType value -> value.withOrder(annotations.order(value.order()));
            case UnsignedType unsigned -> unsigned.withOrder(annotations.order(unsigned.order()));
            case RefType reference -> reference.withOrder(annotations.order(reference.order()));
            case EnumType constants -> ordered(constants, annotations.order(constants.order()));
            default -> throw new AssertionError(type);
        };
    }

    private EnumType ordered(EnumType type, ByteOrder order) {
        return order == type.order() || type.byteSize() == 1
                ? type
                : otherOrders.computeIfAbsent(type, _ -> type.withOrder(order));
    }

    /// Checks that a type is within the bounds.
    Parsed sized(Token at, MemoryType type, long parts, int depth) {
        if (parts > LayoutDefinitions.MAX_PARTS || depth > LayoutDefinitions.MAX_DEPTH) {
            throw at.expected(
                    "at most " + LayoutDefinitions.MAX_DEPTH + " levels of nested types and "
                            + LayoutDefinitions.MAX_PARTS
                            + " types and constants in all");
        }
        return new Parsed(type, parts, depth);
    }

    /// Calls a constructor, and adds the position in the text to its exception.
    <T> T checked(Token at, Supplier<T> type) {
        try {
            return type.get();
        } catch (IllegalArgumentException e) {
            throw new LayoutParseException(at.line(), at.column(), "a valid type",
                    String.valueOf(e.getMessage()));
        }
    }
}
