package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.function.Function;

/// Reads a class of the user and its annotations, and says what struct it is.
///
/// `TypeReader.ofRecord(Point.class)` does so for a record. What has its components in another form (the accessors of a
/// view) passes a function from a class to its components, in the order of the struct: an accessor becomes a [Part] whose
/// type is what it reads (`int.class.arrayType()` where it takes an index), and whose annotations are those of the method.
/// The function is asked for nested classes too, and gives empty for what is neither view nor record; it ends with
/// [Part#ofRecord] where records may be nested.
///
/// The struct has one member for each component, in the same order; so do unions for the permitted records, and enums for
/// their constants. A generator walks the class and the type side by side.
final class TypeReader {
    private final Function<Class<?>, Optional<List<Part>>> partsOf;
    /// The structs that are being read, from the outermost on.
    private final SequencedSet<Class<?>> open = new LinkedHashSet<>();
    /// The components from the outermost struct to the one that is being read; after an error they still stand here.
    private final List<String> path = new ArrayList<>();

    TypeReader(Function<Class<?>, Optional<List<Part>>> partsOf) {
        this.partsOf = partsOf;
    }

    /// The struct that a record is.
    ///
    /// @throws IllegalArgumentException naming class, component and remedy
    static StructType ofRecord(Class<?> type) {
        if (!type.isRecord()) {
            throw Part.refusal(type, "Not a record", "a mapper takes a record class; make it one");
        }
        return new TypeReader(Part::ofRecord).read(type);
    }

    /// The struct that a class is.
    ///
    /// @throws IllegalArgumentException naming class, component and remedy
    StructType read(Class<?> type) {
        path.clear();
        try {
            return struct(type, partsOf.apply(type)
                    .orElseThrow(() -> Part.refusal(type, "Not a class of components", "use a record or a view")),
                    ByteOrder.nativeOrder());
        } catch (IllegalArgumentException e) {
            if (path.isEmpty() || ("" + e.getMessage()).contains("class=" + type.getName() + ", component=")) {
                throw e;
            }
            throw new IllegalArgumentException(e.getMessage() + "; it stands in class=" + type.getName() + ", path="
                    + String.join(".", path), e);
        }
    }

    private StructType nested(Part part, Class<?> type, List<Part> parts, ByteOrder order) {
        Optional<Order> own = new TypeAnnotations(type).ownOrder();
        if (own.isPresent() && part.annotation(Order.class).isPresent() && own.get().value().order() != order) {
            throw part.refusal("@Order contradicts that of the type",
                    "remove one of them; " + type.getName() + " says " + own.get().value());
        }
        return struct(type, parts, order);
    }

    private StructType struct(Class<?> type, List<Part> parts, ByteOrder inherited) {
        if (!open.add(type)) {
            throw Part.refusal(type, "Type contains itself",
                    "a struct has a fixed size: hold the address of the inner one in a MemorySegment");
        }
        try {
            if (parts.isEmpty()) {
                throw Part.refusal(type, "Type has no components", "a struct of C has a member at least");
            }
            TypeAnnotations annotations = new TypeAnnotations(type);
            annotations.checkStruct();
            StructType.Builder builder = builder(annotations);
            for (Part part : parts) {
                add(builder, part, parts, annotations.order(inherited));
            }
            return annotations.build(builder);
        } finally {
            open.removeLast();
        }
    }

    private static StructType.Builder builder(TypeAnnotations annotations) {
        StructType.Builder builder = StructType.builder(annotations.name());
        if (annotations.packed()) {
            builder.packed();
        }
        annotations.alignment().ifPresent(builder::byteAlignment);
        return builder;
    }

    private void add(StructType.Builder builder, Part part, List<Part> siblings, ByteOrder inherited) {
        if (part.owner().isAnnotationPresent(Packed.class)) {
            part.checkAbsent(Align.class, "a packed type has no holes; remove @Packed, or @Align from the component");
        }
        path.addLast(part.javaName());
        MemoryType type = memoryType(part, siblings, inherited);
        try {
            TypeAnnotations.checkName(part.name());
            Optional<Align> align = part.annotation(Align.class);
            align.map(Align::value).ifPresent(TypeAnnotations::checkAlignment);
            builder.add(part.name(), align.isPresent() ? type.withByteAlignment(align.get().value()) : type);
        } catch (IllegalArgumentException e) {
            throw part.refusal(e);
        }
        path.removeLast();
    }

    private MemoryType memoryType(Part part, List<Part> siblings, ByteOrder inherited) {
        Class<?> type = part.type();
        checkAnnotations(part);
        ByteOrder order = part.order(inherited);
        if (type == String.class) {
            return text(part, order);
        }
        if (type.isArray()) {
            MemoryType element = element(part.element(), order);
            long length = length(part);
            try {
                return ArrayType.of(element, length);
            } catch (IllegalArgumentException e) {
                throw part.refusal(e);
            }
        }
        if (part.annotation(Union.class).isPresent()) {
            return union(part, siblings, order);
        }
        return element(part, order);
    }

    /// What may stand alone and in an array.
    private MemoryType element(Part part, ByteOrder order) {
        Class<?> type = part.type();
        if (type.isPrimitive()) {
            return ValueType.of(type, order);
        }
        if (type.isEnum()) {
            return enumType(part, order);
        }
        if (type == MemorySegment.class) {
            return address(part, order);
        }
        return nested(part, type, partsOf.apply(type).orElseThrow(() -> unsupported(part)), order);
    }

    private static IllegalArgumentException unsupported(Part part) {
        if (part.type().isSealed() && part.type().isInterface()) {
            return part.refusal("Sealed interface without @Union",
                    "add @Union(\"component\") with the component that tells which record it is");
        }
        return part.refusal("Component is of a type that has no form in memory",
                "use a primitive type, String, MemorySegment, an enum, a record, or an array of these but String");
    }

    private static void checkAnnotations(Part part) {
        Class<?> type = part.type();
        Class<?> element = type.isArray() ? type.getComponentType() : type;
        if (type.isArray() && element.isSealed() && element != MemorySegment.class) {
            throw part.refusal("Component is an array of unions, which there is not",
                    "put the union and what tells into a record, and take an array of that");
        }
        if (!type.isArray() && type != String.class) {
            part.checkAbsent(Length.class, "it is for arrays and text");
        }
        if (type != String.class) {
            part.checkAbsent(Encoding.class, "it is for text");
        }
        if (!element.isEnum()) {
            part.checkAbsent(ByteSize.class, "it is for enums");
        }
        if (element != MemorySegment.class) {
            part.checkAbsent(TargetByteSize.class, "it is for components of type MemorySegment");
        }
        if (!type.isSealed() || !type.isInterface()) {
            part.checkAbsent(Union.class, "it is for components whose type is a sealed interface of records");
        }
    }

    private static long length(Part part) {
        long length = part.annotation(Length.class)
                .map(Length::value)
                .orElseThrow(() -> part.refusal("Length is missing",
                        "add @Length(n): the number of elements, or of code units of text"));
        if (length < 1) {
            throw part.refusal("Length is less than 1", "@Length says " + length + "; C has no such array");
        }
        return length;
    }

    private static StringType text(Part part, ByteOrder order) {
        Charset charset = switch (part.annotation(Encoding.class).map(Encoding::value).orElse(Encoding.Kind.UTF_8)) {
            case UTF_8 -> StandardCharsets.UTF_8;
            case US_ASCII -> StandardCharsets.US_ASCII;
            case UTF_16 ->
                order == ByteOrder.BIG_ENDIAN ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;
        };
        long length = length(part);
        try {
            return StringType.of(length, charset);
        } catch (IllegalArgumentException e) {
            throw part.refusal(e);
        }
    }

    private static AddressType address(Part part, ByteOrder order) {
        Optional<MemoryType> target = part.annotation(TargetByteSize.class).map(TargetByteSize::value).map(byteSize -> {
            if (byteSize < 1) {
                throw part.refusal("Size of the target is less than 1", "@TargetByteSize says " + byteSize
                        + "; leave it out where the size is not known");
            }
            return ArrayType.of(ValueType.of(byte.class), byteSize);
        });
        AddressType type = AddressType.of(target);
        return new AddressType(target, order, type.byteAlignment());
    }

    private static EnumType enumType(Part part, ByteOrder order) {
        TypeAnnotations annotations = new TypeAnnotations(part.type());
        annotations.checkEnum();
        int byteSize = part.annotation(ByteSize.class)
                .or(annotations::byteSize)
                .map(ByteSize::value)
                .orElse(Integer.BYTES);
        Class<?> carrier = switch (byteSize) {
            case 1 -> byte.class;
            case 2 -> short.class;
            case 4 -> int.class;
            case 8 -> long.class;
            default -> throw part.refusal("Not the size of an enum", "@ByteSize says " + byteSize
                    + "; use 1, 2, 4 or 8");
        };
        try {
            TypeAnnotations.checkName(annotations.name());
            return new EnumType(annotations.name(), ValueType.of(carrier, order), annotations.constants());
        } catch (IllegalArgumentException e) {
            throw part.refusal(e);
        }
    }

    private UnionType union(Part part, List<Part> siblings, ByteOrder order) {
        String tells = part.annotation(Union.class).orElseThrow().value();
        Part sibling = siblings.stream()
                .filter(other -> other.javaName().equals(tells))
                .findFirst()
                .orElseThrow(() -> part.refusal("@Union names no component of the class", "there is no \"" + tells
                        + "\""));
        new TypeAnnotations(part.type()).checkUnion();
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        for (Class<?> permitted : part.type().getPermittedSubclasses()) {
            List<Part> parts = partsOf.apply(permitted)
                    .orElseThrow(() -> part.refusal("Permitted type is no record",
                            permitted.getName() + " cannot be a member of a union; permit records alone"));
            if (members.put(UnionValues.memberName(permitted), nested(part, permitted, parts, order)) != null) {
                throw part.refusal("Two permitted records have one name", "rename one of the two "
                        + permitted.getSimpleName());
            }
        }
        List<Long> values = UnionValues.of(part, sibling,
                sibling.type().isEnum() ? Optional.of(enumType(sibling, order)) : Optional.empty());
        try {
            return UnionType.of(new TypeAnnotations(part.type()).name(), members,
                    Optional.of(new UnionType.Discriminator(sibling.name(), values)));
        } catch (IllegalArgumentException e) {
            throw part.refusal(e);
        }
    }
}
