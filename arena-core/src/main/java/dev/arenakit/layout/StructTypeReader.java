package dev.arenakit.layout;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
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

/// Derives the struct type of a class from its components and their annotations.
///
/// `StructTypeReader.ofRecord(Point.class)` does this for a record. For other classes, such as the interface of a view,
/// the constructor takes a function that returns the components of a class in the order of the struct. An accessor is a
/// [ComponentDeclaration] with the type that it reads (an array type if it takes an index) and with the annotations of
/// the method. The function is also applied to nested classes. It returns an empty Optional for a class that is neither
/// a view nor a record, and delegates to [ComponentDeclaration#ofRecord] if records may be nested.
///
/// The struct has one member for each component, in the same order; so does a union for its permitted records, and an
/// enum for its constants. Code that walks the class and the type together relies on this order.
final class StructTypeReader {
    private final Function<Class<?>, Optional<List<ComponentDeclaration>>> componentsOf;
    /// The structs that are being read, from the outermost one.
    private final SequencedSet<Class<?>> open = new LinkedHashSet<>();
    /// The components from the outermost struct to the current one. An error leaves them in place for its message.
    private final List<String> path = new ArrayList<>();

    StructTypeReader(Function<Class<?>, Optional<List<ComponentDeclaration>>> componentsOf) {
        this.componentsOf = componentsOf;
    }

    /// Returns the struct type of a record.
    ///
    /// @throws IllegalArgumentException if the record cannot be mapped; the message contains class, component and
    ///                                  remedy
    static StructType ofRecord(Class<?> type) {
        if (!type.isRecord()) {
            throw ComponentDeclaration.refusal(type, "Not a record", "a mapper takes a record class; make it one");
        }
        return new StructTypeReader(ComponentDeclaration::ofRecord).read(type);
    }

    /// Returns the struct type of a class.
    ///
    /// @throws IllegalArgumentException if the class cannot be mapped; the message contains class, component and remedy
    StructType read(Class<?> type) {
        path.clear();
        try {
            return struct(type, componentsOf.apply(type)
                    .orElseThrow(() -> ComponentDeclaration.refusal(type, "Class has no components",
                            "use a record or a view")),
                    ByteOrder.nativeOrder());
        } catch (IllegalArgumentException e) {
            if (path.isEmpty() || ("" + e.getMessage()).contains("class=" + type.getName() + ", component=")) {
                throw e;
            }
            throw new IllegalArgumentException(e.getMessage() + "; it is nested in class=" + type.getName() + ", path="
                    + String.join(".", path), e);
        }
    }

    private StructType nested(ComponentDeclaration component, Class<?> type, List<ComponentDeclaration> components,
            ByteOrder order) {
        Optional<Order> own = new ClassAnnotations(type).ownOrder();
        if (own.isPresent() && component.annotation(Order.class).isPresent() && own.get().value().order() != order) {
            throw component.refusal("@Order contradicts that of the type",
                    "remove one of them; " + type.getName() + " says " + own.get().value());
        }
        return struct(type, components, order);
    }

    private StructType struct(Class<?> type, List<ComponentDeclaration> components, ByteOrder inherited) {
        if (!open.add(type)) {
            throw ComponentDeclaration.refusal(type, "Type contains itself",
                    "a struct has a fixed size: hold the address of the inner one in a MemorySegment");
        }
        try {
            if (components.isEmpty()) {
                throw ComponentDeclaration.refusal(type, "Type has no components",
                        "a struct in C has at least one member");
            }
            ClassAnnotations annotations = new ClassAnnotations(type);
            annotations.checkStruct();
            StructType.Builder builder = builder(annotations);
            for (ComponentDeclaration component : components) {
                add(builder, component, components, annotations.order(inherited));
            }
            return annotations.build(builder);
        } finally {
            open.removeLast();
        }
    }

    private static StructType.Builder builder(ClassAnnotations annotations) {
        StructType.Builder builder = StructType.builder(annotations.name());
        if (annotations.packed()) {
            builder.packed();
        }
        annotations.alignment().ifPresent(builder::byteAlignment);
        return builder;
    }

    private void add(StructType.Builder builder, ComponentDeclaration component, List<ComponentDeclaration> siblings,
            ByteOrder inherited) {
        if (component.owner().isAnnotationPresent(Packed.class)) {
            component.checkAbsent(Align.class,
                    "a packed type has no holes; remove @Packed, or @Align from the component");
        }
        path.addLast(component.javaName());
        MemoryType type = memoryType(component, siblings, inherited);
        try {
            ClassAnnotations.checkName(component.name());
            Optional<Align> align = component.annotation(Align.class);
            align.map(Align::value).ifPresent(ClassAnnotations::checkAlignment);
            builder.add(component.name(), align.isPresent() ? type.withByteAlignment(align.get().value()) : type);
        } catch (IllegalArgumentException e) {
            throw component.refusal(e);
        }
        path.removeLast();
    }

    private MemoryType memoryType(ComponentDeclaration component, List<ComponentDeclaration> siblings,
            ByteOrder inherited) {
        Class<?> type = component.type();
        checkAnnotations(component);
        ByteOrder order = component.order(inherited);
        if (type == String.class) {
            return text(component, order);
        }
        if (type.isArray()) {
            MemoryType element = element(component.element(), order);
            long length = length(component);
            try {
                return ArrayType.of(element, length);
            } catch (IllegalArgumentException e) {
                throw component.refusal(e);
            }
        }
        if (component.annotation(Union.class).isPresent()) {
            return union(component, siblings, order);
        }
        return element(component, order);
    }

    /// Returns the type of a component that is no array, or of an element of an array.
    private MemoryType element(ComponentDeclaration component, ByteOrder order) {
        Class<?> type = component.type();
        if (type.isPrimitive()) {
            return ValueType.of(type, order);
        }
        if (type.isEnum()) {
            return enumType(component, order);
        }
        if (type == MemorySegment.class) {
            return address(component, order);
        }
        return nested(component, type, componentsOf.apply(type).orElseThrow(() -> unsupported(component)), order);
    }

    private static IllegalArgumentException unsupported(ComponentDeclaration component) {
        if (component.type().isSealed() && component.type().isInterface()) {
            return component.refusal("Sealed interface without @Union",
                    "add @Union(\"component\") with the component that identifies the record");
        }
        return component.refusal("Type of the component cannot be mapped",
                "use a primitive type, String, MemorySegment, an enum, a record, or an array of these except String");
    }

    private static void checkAnnotations(ComponentDeclaration component) {
        Class<?> type = component.type();
        Class<?> element = type.isArray() ? type.getComponentType() : type;
        if (type.isArray() && element.isSealed() && element.isInterface() && element != MemorySegment.class) {
            throw component.refusal("Component is an array of unions, which is not supported",
                    "put the union and its discriminator into a record, and use an array of that record");
        }
        if (!type.isArray() && type != String.class) {
            component.checkAbsent(Length.class, "it is for arrays and text");
        }
        if (type != String.class) {
            component.checkAbsent(Encoding.class, "it is for text");
        }
        if (!element.isEnum()) {
            component.checkAbsent(ByteSize.class, "it is for enums");
        }
        if (element != MemorySegment.class) {
            component.checkAbsent(TargetByteSize.class, "it is for components of type MemorySegment");
        }
        if (!type.isSealed() || !type.isInterface()) {
            component.checkAbsent(Union.class, "it is for components whose type is a sealed interface of records");
        }
    }

    private static long length(ComponentDeclaration component) {
        long length = component.annotation(Length.class)
                .map(Length::value)
                .orElseThrow(() -> component.refusal("Length is missing",
                        "add @Length(n): the number of elements, or of code units of text"));
        if (length < 1) {
            throw component.refusal("Length is less than 1",
                    "@Length says " + length + "; an array in C has at least one element");
        }
        return length;
    }

    private static StringType text(ComponentDeclaration component, ByteOrder order) {
        Charset charset = switch (component.annotation(Encoding.class)
                .map(Encoding::value)
                .orElse(Encoding.Kind.UTF_8)) {
            case UTF_8 -> StandardCharsets.UTF_8;
            case US_ASCII -> StandardCharsets.US_ASCII;
            case UTF_16 ->
                order == ByteOrder.BIG_ENDIAN ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;
        };
        long length = length(component);
        try {
            return StringType.of(length, charset);
        } catch (IllegalArgumentException e) {
            throw component.refusal(e);
        }
    }

    private static AddressType address(ComponentDeclaration component, ByteOrder order) {
        Optional<MemoryType> target = component.annotation(TargetByteSize.class)
                .map(TargetByteSize::value)
                .map(byteSize -> {
                    if (byteSize < 1) {
                        throw component.refusal("Size of the target is less than 1", "@TargetByteSize says " + byteSize
                                + "; leave it out where the size is not known");
                    }
                    return ArrayType.of(ValueType.of(byte.class), byteSize);
                });
        AddressType type = AddressType.of(target);
        return new AddressType(target, order, type.byteAlignment());
    }

    private static EnumType enumType(ComponentDeclaration component, ByteOrder order) {
        ClassAnnotations annotations = new ClassAnnotations(component.type());
        annotations.checkEnum();
        int byteSize = component.annotation(ByteSize.class)
                .or(annotations::byteSize)
                .map(ByteSize::value)
                .orElse(Integer.BYTES);
        Class<?> carrier = switch (byteSize) {
            case 1 -> byte.class;
            case 2 -> short.class;
            case 4 -> int.class;
            case 8 -> long.class;
            default -> throw component.refusal("Size is not that of an enum", "@ByteSize says " + byteSize
                    + "; use 1, 2, 4 or 8");
        };
        try {
            ClassAnnotations.checkName(annotations.name());
            return new EnumType(annotations.name(), ValueType.of(carrier, order), annotations.constants());
        } catch (IllegalArgumentException e) {
            throw component.refusal(e);
        }
    }

    private UnionType union(ComponentDeclaration component, List<ComponentDeclaration> siblings, ByteOrder order) {
        String discriminator = component.annotation(Union.class).orElseThrow().value();
        ComponentDeclaration sibling = siblings.stream()
                .filter(other -> other.javaName().equals(discriminator))
                .findFirst()
                .or(() -> siblings.stream().filter(other -> other.name().equals(discriminator)).findFirst())
                .orElseThrow(() -> component.refusal("@Union names no component of the class",
                        "there is no \"" + discriminator
                                + "\""));
        new ClassAnnotations(component.type()).checkUnion();
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        for (Class<?> permitted : component.type().getPermittedSubclasses()) {
            List<ComponentDeclaration> components = componentsOf.apply(permitted)
                    .orElseThrow(() -> component.refusal("Permitted type is not a record",
                            permitted.getName() + " cannot be a member of a union; permit records alone"));
            if (members.put(DiscriminatorValues.memberName(permitted),
                    nested(component, permitted, components, order)) != null) {
                throw component.refusal("Two permitted records have the same name", "rename one of the two "
                        + permitted.getSimpleName());
            }
        }
        List<Long> values = DiscriminatorValues.of(component, sibling,
                sibling.type().isEnum() ? Optional.of(enumType(sibling, order)) : Optional.empty());
        try {
            return UnionType.of(new ClassAnnotations(component.type()).name(), members,
                    Optional.of(new UnionType.Discriminator(sibling.name(), values)));
        } catch (IllegalArgumentException e) {
            throw component.refusal(e);
        }
    }
}
