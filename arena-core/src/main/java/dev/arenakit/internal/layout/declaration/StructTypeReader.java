package dev.arenakit.internal.layout.declaration;

import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.In;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.annotation.TargetType;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
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
/// `StructTypeReader.ofRecord(Point.class)` reads a record. For other classes, such as the interface of a view, the
/// constructor takes a function that returns the components of a class in the order of the struct. An accessor is a
/// [ComponentDeclaration] with the type that it reads (an array type if it takes an index) and with the annotations of
/// the method. The function is also applied to nested classes. It returns an empty Optional for a class that is neither
/// a view nor a record, and delegates to [ComponentDeclaration#ofRecord] if records may be nested.
///
/// A struct has one member for each component, in the same order. A union has one member for each permitted record, and
/// an enum type one constant for each constant of the enum, also in the order of the declaration. Code that walks the
/// class and the type together relies on this order.
public final class StructTypeReader {
    private final Function<Class<?>, Optional<List<ComponentDeclaration>>> componentsOf;
    private final boolean followed;
    /// The structs that are being read, from the outermost one.
    private final SequencedSet<Class<?>> open = new LinkedHashSet<>();
    /// The components from the outermost struct to the current one. An error leaves them in place for its message.
    private final List<String> path = new ArrayList<>();

    public StructTypeReader(Function<Class<?>, Optional<List<ComponentDeclaration>>> componentsOf) {
        this(componentsOf, true);
    }

    /// @param followed whether addresses and references have the targets that they declare; a reference without a
    ///                 target is an integer
    private StructTypeReader(Function<Class<?>, Optional<List<ComponentDeclaration>>> componentsOf, boolean followed) {
        this.componentsOf = componentsOf;
        this.followed = followed;
    }

    /// Returns the struct type of a record.
    ///
    /// @throws IllegalArgumentException if the record cannot be mapped; the message contains class, component and
    ///                                  remedy
    public static StructType ofRecord(Class<?> type) {
        if (!type.isRecord()) {
            throw ComponentDeclaration.refusal(type, "Not a record", "a mapper takes a record class; make it one");
        }
        return new StructTypeReader(ComponentDeclaration::ofRecord).read(type);
    }

    /// Returns the struct type of a class.
    ///
    /// @throws IllegalArgumentException if the class cannot be mapped; the message contains class, component and remedy
    public StructType read(Class<?> type) {
        path.clear();
        try {
            Optional<List<ComponentDeclaration>> components = componentsOf.apply(type);
            if (components.isEmpty()) {
                throw ComponentDeclaration.refusal(type, "Class has no components", "use a record or a view");
            }
            if (type.isAnnotationPresent(Union.class)) {
                throw ComponentDeclaration.refusal(type, "Union is not a struct",
                        "map a view with one member of its type, as in `interface Holder { " + type.getSimpleName()
                                + " value(); }`");
            }
            return struct(type, components.get(), ByteOrder.nativeOrder(), false);
        } catch (IllegalArgumentException e) {
            if (path.isEmpty() || ("" + e.getMessage()).contains("class=" + type.getName() + ", component=")) {
                throw e;
            }
            throw new IllegalArgumentException(e.getMessage() + "; it is nested in class=" + type.getName() + ", path="
                    + String.join(".", path), e);
        }
    }

    private MemoryType nested(ComponentDeclaration component, Class<?> type, List<ComponentDeclaration> components,
            ByteOrder order) {
        Optional<Order> own = new ClassAnnotations(type).ownOrder();
        if (own.isPresent() && component.annotation(Order.class).isPresent() && own.get().value().order() != order) {
            throw component.refusal("@Order contradicts the @Order of the type",
                    "remove one of them; " + type.getName() + " says " + own.get().value());
        }
        if (type.isAnnotationPresent(Union.class)) {
            return overlaid(type, components, order);
        }
        return struct(type, components, order, component.annotation(Union.class).isPresent());
    }

    /// Returns the union of the members of a view.
    private UnionType overlaid(Class<?> type, List<ComponentDeclaration> components, ByteOrder inherited) {
        ClassAnnotations annotations = new ClassAnnotations(type);
        annotations.checkUnion();
        if (type.isRecord() || !open.add(type)) {
            throw ComponentDeclaration.refusal(type, "Type cannot be a union", type.isRecord()
                    ? "a record has one value for each component: make it the interface of a view"
                    : "it contains itself: hold the address of the inner one in a MemorySegment");
        }
        try {
            SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
            for (ComponentDeclaration component : components) {
                StructType.Builder builder = StructType.builder("");
                add(builder, component, components, inherited);
                Member member = builder.build().members().getFirst();
                members.put(member.name(), member.type());
            }
            return UnionType.of(annotations.name(), members, Optional.empty());
        } finally {
            open.removeLast();
        }
    }

    /// @param ofUnion whether the struct is a member of a union, which may be empty
    private StructType struct(Class<?> type, List<ComponentDeclaration> components, ByteOrder inherited,
            boolean ofUnion) {
        if (!open.add(type)) {
            throw ComponentDeclaration.refusal(type, "Type contains itself",
                    "a struct has a fixed size: hold the address of the inner one in a MemorySegment");
        }
        try {
            if (components.isEmpty() && !ofUnion) {
                throw ComponentDeclaration.refusal(type, "Type has no components",
                        "a struct in C has at least one member");
            }
            ClassAnnotations annotations = new ClassAnnotations(type);
            annotations.checkStruct();
            StructType.Builder builder = builder(annotations);
            for (ComponentDeclaration component : components) {
                if (isFlexible(component) && !component.equals(components.getLast())) {
                    throw component.refusal("Flexible array is not the last member", "move it to the end");
                }
                add(builder, component, components, annotations.order(inherited));
            }
            return annotations.build(builder);
        } finally {
            open.removeLast();
        }
    }

    private static boolean isFlexible(ComponentDeclaration component) {
        return component.annotation(Length.class).map(Length::flexible).orElse(false);
    }

    private static StructType.Builder builder(ClassAnnotations annotations) {
        StructType.Builder builder = StructType.builder(annotations.name());
        if (annotations.packed()) {
            builder.packed();
        }
        if (annotations.alignment().isPresent()) {
            builder.byteAlignment(annotations.alignment().get());
        }
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
            if (align.isPresent()) {
                ClassAnnotations.checkAlignment(align.get().value());
            }
            Optional<Bits> bits = component.annotation(Bits.class);
            if (bits.isPresent()) {
                builder.addBits(component.name(), type, bits.get().value(), component.order(inherited));
            } else {
                builder.add(component.name(), align.isPresent() ? type.withByteAlignment(align.get().value()) : type);
            }
        } catch (IllegalArgumentException e) {
            throw component.refusal(e);
        }
        path.removeLast();
    }

    private MemoryType memoryType(ComponentDeclaration component, List<ComponentDeclaration> siblings,
            ByteOrder inherited) {
        Class<?> type = component.type();
        ComponentAnnotationChecks.check(component);
        ByteOrder order = component.order(inherited);
        if (type == String.class) {
            return LeafTypes.text(component, LeafTypes.lengths(component)[0], order);
        }
        Optional<Union> union = component.annotation(Union.class);
        if (union.isPresent()) {
            return type == byte[].class
                    ? bytesOf(component, union.get(), order)
                    : union(component, type, Optional.of(discriminator(component, union.get(), siblings)), order);
        }
        if (type.isArray()) {
            return array(component, siblings, order);
        }
        return element(component, order);
    }

    private ArrayType array(ComponentDeclaration component, List<ComponentDeclaration> siblings, ByteOrder order) {
        long[] lengths = LeafTypes.lengths(component);
        ComponentDeclaration innermost = component;
        int dimensions = 0;
        while (innermost.type().isArray()) {
            innermost = innermost.element();
            dimensions++;
        }
        MemoryType type = innermost.type() == String.class
                ? LeafTypes.text(component, lengths[dimensions], order)
                : element(innermost, order);
        Optional<String> count = component.annotation(Length.class)
                .map(Length::counted)
                .filter(counted -> !counted.isEmpty())
                .map(counted -> count(component, counted, siblings));
        try {
            for (int i = dimensions - 1; i > 0; i--) {
                type = ArrayType.of(type, lengths[i]);
            }
            return new ArrayType(type, lengths[0], type.byteAlignment(), count);
        } catch (IllegalArgumentException e) {
            throw component.refusal(e);
        }
    }

    private String count(ComponentDeclaration component, String counted, List<ComponentDeclaration> siblings) {
        Sibling count = sibling(component, counted, siblings, Length.class);
        if (!count.component().isInteger()) {
            throw component.refusal("@Length names a component that cannot be a count", "\"" + counted
                    + "\" is of type " + count.component().type().getTypeName() + "; it takes an integer");
        }
        return count.pathInC();
    }

    /// Returns the type of a component that is no array, or of an element of an array.
    private MemoryType element(ComponentDeclaration component, ByteOrder order) {
        Class<?> type = component.type();
        if (type.isPrimitive()) {
            return LeafTypes.primitive(component, order);
        }
        if (type.isEnum()) {
            return LeafTypes.enumType(component, order);
        }
        if (component.isReference()) {
            return reference(component, order);
        }
        if (type == MemorySegment.class) {
            return followed
                    ? address(component, order)
                    : new AddressType(Optional.empty(), order,
                            AddressType.of(Optional.empty()).byteAlignment());
        }
        return nested(component, type, componentsOf.apply(type).orElseThrow(() -> unsupported(component)), order);
    }

    private static IllegalArgumentException unsupported(ComponentDeclaration component) {
        if (component.type().isSealed() && component.type().isInterface()) {
            return component.refusal("Sealed interface without @Union",
                    "add @Union(\"component\") with the component that identifies the record");
        }
        return component.refusal("Type of the component cannot be mapped",
                "use a primitive type, String, MemorySegment, Ref, an enum, a record, or an array of these");
    }

    private MemoryType reference(ComponentDeclaration component, ByteOrder order) {
        long byteSize = component.referenceByteSize();
        if (!followed) {
            return UnsignedType.of(byteSize, order);
        }
        // The struct may contain this reference, and its references do not matter for its size.
        StructType target = new StructTypeReader(ViewDeclaration::componentsOf, false).read(component.referenced());
        try {
            return new RefType(target.name(), target.byteSize(), target.byteAlignment(),
                    component.annotation(In.class).map(In::value), byteSize, order, byteSize);
        } catch (IllegalArgumentException e) {
            throw component.refusal(e);
        }
    }

    private MemoryType bytesOf(ComponentDeclaration component, Union union, ByteOrder order) {
        Class<?> of = union.of();
        if (of.isSealed() && of.isInterface()) {
            return union(component, of, Optional.empty(), order);
        }
        if (!ViewDeclaration.isView(of) || !of.isAnnotationPresent(Union.class)) {
            throw component.refusal("@Union names no union", "of = " + of.getName()
                    + "; name a sealed interface of records, or the interface of a view with @Union");
        }
        return nested(component, of, ViewDeclaration.componentsOf(of).orElseThrow(), order);
    }

    /// Returns the type of an address, whose target has no targets itself.
    static AddressType address(ComponentDeclaration component, ByteOrder order) {
        Optional<Class<?>> struct = component.annotation(TargetType.class).map(TargetType::value);
        Optional<MemoryType> target = struct.isPresent()
                ? Optional.of(target(component, struct.get(), order))
                : LeafTypes.bytesAt(component);
        return new AddressType(target, order, AddressType.of(target).byteAlignment());
    }

    private static MemoryType target(ComponentDeclaration component, Class<?> type, ByteOrder order) {
        StructTypeReader reader = new StructTypeReader(ViewDeclaration::componentsOf, false);
        return reader.nested(component, type, ViewDeclaration.componentsOf(type)
                .orElseThrow(() -> component.refusal("@TargetType is no struct",
                        type.getName() + " is neither a record nor the interface of a view")),
                order);
    }

    private Sibling discriminator(ComponentDeclaration component, Union union, List<ComponentDeclaration> siblings) {
        if (union.value().isEmpty()) {
            throw component.refusal("@Union names no discriminator", "name the component that identifies the record;"
                    + " without a discriminator, make the component a byte[] with @Union(of = "
                    + component.type().getSimpleName() + ".class)");
        }
        return sibling(component, union.value(), siblings, Union.class);
    }

    private UnionType union(ComponentDeclaration component, Class<?> sealed, Optional<Sibling> discriminator,
            ByteOrder order) {
        new ClassAnnotations(sealed).checkUnion();
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        for (Class<?> permitted : UnionRecords.of(sealed)) {
            List<ComponentDeclaration> components = componentsOf.apply(permitted)
                    .orElseThrow(() -> component.refusal("Permitted type is not a record",
                            permitted.getName() + " cannot be a member of a union; permit records alone"));
            if (members.put(UnionRecords.memberName(permitted),
                    nested(component, permitted, components, order)) != null) {
                throw component.refusal("Two permitted records have the same name", "rename one of the two "
                        + permitted.getSimpleName());
            }
        }
        try {
            return UnionType.of(new ClassAnnotations(sealed).name(), members,
                    discriminator.map(sibling -> discriminator(component, sibling, members)));
        } catch (IllegalArgumentException e) {
            throw component.refusal(e);
        }
    }

    private static UnionType.Discriminator discriminator(ComponentDeclaration component, Sibling discriminator,
            SequencedMap<String, MemoryType> members) {
        List<List<Long>> values = DiscriminatorValues.of(component, discriminator.component());
        Optional<String> otherwise = values.size() < members.size()
                ? Optional.of(members.lastEntry().getKey())
                : Optional.empty();
        return new UnionType.Discriminator(discriminator.pathInC(), values, otherwise);
    }

    /// A component to which another one refers.
    ///
    /// @param pathInC the names of the members that lead to it
    private record Sibling(String pathInC, ComponentDeclaration component) {}

    /// Finds the component of the same class to which an annotation refers, by its name or by a path to a component of
    /// a nested class.
    private Sibling sibling(ComponentDeclaration component, String path, List<ComponentDeclaration> siblings,
            Class<?> annotation) {
        List<ComponentDeclaration> candidates = siblings;
        List<String> inC = new ArrayList<>();
        ComponentDeclaration found = component;
        for (String name : path.split("\\.", -1)) {
            found = ComponentNames.find(candidates, name)
                    .orElseThrow(() -> component.refusal("@" + annotation.getSimpleName()
                            + " names no component of the class", "there is no \"" + path + "\""));
            inC.add(found.name());
            candidates = componentsOf.apply(found.type()).orElse(List.of());
        }
        return new Sibling(String.join(".", inC), found);
    }
}
