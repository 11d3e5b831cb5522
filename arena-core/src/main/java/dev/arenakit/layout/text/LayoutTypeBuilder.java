package dev.arenakit.layout.text;

import dev.arenakit.layout.text.LayoutScanner.Token;
import dev.arenakit.layout.text.LayoutTokenStream.Annotations;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Builds types from the parts of declarations, and enforces the bounds of a text.
///
/// The length of the text bounds time and memory: each definition is one object, regardless of the number of references
/// to it, and so is its copy with another alignment or byte order.
final class LayoutTypeBuilder {
    private final IdentityHashMap<MemoryType, Map<Long, MemoryType>> copies = new IdentityHashMap<>();
    /// The type that each copy was made from.
    private final IdentityHashMap<MemoryType, MemoryType> origins = new IdentityHashMap<>();
    private final IdentityHashMap<EnumType, EnumType> otherOrders = new IdentityHashMap<>();

    /// A type, with the number of its parts and the depth of their nesting.
    record Parsed(MemoryType type, long parts, int depth) {}

    /// The part of a declaration before the declarator: a type, the charset of a text, or neither for `void`.
    ///
    /// @param aligned whether its alignment is annotated
    record Base(Token at, Optional<Parsed> type, Optional<Charset> text, boolean aligned) {
        static Base of(Token at, Parsed type) {
            return new Base(at, Optional.of(type), Optional.empty(), false);
        }

        static Base ofVoid(Token at) {
            return new Base(at, Optional.empty(), Optional.empty(), false);
        }

        static Base ofText(Token at, Annotations annotations) {
            Charset charset = at.is("char")
                    ? annotations.has("@ascii") ? StandardCharsets.US_ASCII : StandardCharsets.UTF_8
                    : annotations.has("@big") ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;
            return new Base(at, Optional.empty(), Optional.of(charset), false);
        }
    }

    /// A part of a declarator that derives an array, a text or a pointer from the type within.
    record Derivation(Token at, boolean pointer, long length, Annotations annotations) {
        static Derivation pointer(Token at, Annotations annotations) {
            return new Derivation(at, true, 0, annotations);
        }
    }

    /// Returns a type with the annotated alignment.
    Base base(Token at, Parsed type, Annotations annotations) {
        boolean aligned = annotations.has("@align");
        Parsed placed = aligned ? aligned(at, type, annotations.number("@align").orElseThrow()) : type;
        return new Base(at, Optional.of(placed), Optional.empty(), aligned);
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
            if (packedBase && !base.aligned() && type.type().byteAlignment() > 1) {
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

    private Parsed text(Charset charset, Derivation array, boolean packed) {
        StringType text = checked(array.at(), () -> StringType.of(array.length(), charset));
        return new Parsed(withAlignment(array, text, packed ? 1 : text.byteAlignment()), 1, 1);
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
        MemoryType type = checked(array.at(), () -> new ArrayType(element.type(), array.length(), byteAlignment));
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
        if (type.byteAlignment() == byteAlignment) {
            return type;
        }
        MemoryType origin = origins.get(type);
        if (origin != null && byteAlignment < type.byteAlignment()) {
            return copy(origin, byteAlignment); // equal, and one object however the copy was made
        }
        Map<Long, MemoryType> known = copies.computeIfAbsent(type, _ -> new HashMap<>());
        MemoryType copy = known.get(byteAlignment);
        if (copy == null) {
            copy = switch (type) {
                case StructType struct -> new StructType(struct.name(), atMost(byteAlignment, struct.members()),
                        struct.byteSize(), byteAlignment);
                case UnionType union -> new UnionType(union.name(), atMost(byteAlignment, union.members()),
                        union.byteSize(), byteAlignment, union.discriminator());
                case ArrayType array -> new ArrayType(atMost(byteAlignment, array.element()), array.length(),
                        byteAlignment);
                case ValueType _,StringType _,EnumType _,AddressType _ -> type.withByteAlignment(byteAlignment);
            };
            known.put(byteAlignment, copy);
            origins.put(copy, type);
        }
        return copy;
    }

    private MemoryType atMost(long byteAlignment, MemoryType type) {
        return type.byteAlignment() <= byteAlignment ? type : copy(type, byteAlignment);
    }

    private List<Member> atMost(long byteAlignment, List<Member> members) {
        if (LayoutDefinitions.largestAlignment(members) <= byteAlignment) {
            return members;
        }
        return members.stream()
                .map(member -> member.type().byteAlignment() <= byteAlignment
                        ? member
                        : new Member(member.name(), member.byteOffset(), copy(member.type(), byteAlignment)))
                .toList();
    }

    /// Returns an enum with the byte order that a reference specifies.
    EnumType ordered(EnumType type, Annotations annotations) {
        ValueType value = type.value().withOrder(annotations.order(type.value().order()));
        return value.equals(type.value())
                ? type
                : otherOrders.computeIfAbsent(type, _ -> new EnumType(type.name(), value, type.constants()));
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
