package dev.arenakit.internal.layout.declaration;

import dev.arenakit.internal.CIdentifiers;
import dev.arenakit.layout.Ref;
import dev.arenakit.layout.Ref32;
import dev.arenakit.layout.annotation.Anonymous;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.annotation.Value;
import dev.arenakit.layout.type.MemoryType;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The declaration of a component that becomes a member of a struct: a component of a record, or the value that an
/// accessor of a view reads.
///
/// @param owner       the class that declares the component
/// @param javaName    the name in that class
/// @param type        the type in Java; an array type if a view reads it by index
/// @param annotations the annotated element
public record ComponentDeclaration(Class<?> owner, String javaName, Class<?> type, AnnotatedElement annotations) {
    private static final Set<Class<?>> INTEGERS = Set.of(byte.class, short.class, char.class, int.class, long.class);

    /// Returns the components of a record in declaration order, or an empty Optional for any other class.
    public static Optional<List<ComponentDeclaration>> ofRecord(Class<?> type) {
        if (!type.isRecord()) {
            return Optional.empty();
        }
        List<ComponentDeclaration> components = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Method accessor = component.getAccessor();
            // Kotlin has no annotations of components.
            boolean byAccessor = Stream.of(component.getAnnotations()).noneMatch(ComponentDeclaration::isOurs);
            ComponentDeclaration declaration = new ComponentDeclaration(type, component.getName(), component.getType(),
                    byAccessor ? accessor : component);
            declaration.checkAccessor(accessor);
            declaration.checkField();
            components.add(declaration);
        }
        return Optional.of(components);
    }

    private static boolean isOurs(Annotation annotation) {
        return annotation.annotationType().getPackage() == Name.class.getPackage();
    }

    /// Refuses an annotation of this library that is on the accessor only, where it would be ignored, since the
    /// component has others.
    private void checkAccessor(Method accessor) {
        for (Annotation annotation : accessor.getAnnotations()) {
            Class<? extends Annotation> kind = annotation.annotationType();
            if (isOurs(annotation) && !annotations.isAnnotationPresent(kind)) {
                throw refusal("@" + kind.getSimpleName() + " is on the accessor",
                        "annotate the component in the header of the record");
            }
        }
    }

    /// Refuses annotations of constants and records, which on a component belong to its field, where they would be
    /// ignored.
    private void checkField() {
        try {
            Field field = owner.getDeclaredField(javaName);
            for (Class<? extends Annotation> kind : List.of(Value.class, Otherwise.class)) {
                if (field.isAnnotationPresent(kind)) {
                    throw refusal("@" + kind.getSimpleName() + " does not apply",
                            "it is for constants of enums, and for records of a union");
                }
            }
        } catch (NoSuchFieldException e) {
            throw new AssertionError("A component of a record has a field", e);
        }
    }

    /// Returns the declaration of an element of this array.
    public ComponentDeclaration element() {
        return new ComponentDeclaration(owner, javaName, type.getComponentType(), annotations);
    }

    /// Returns the declaration of an innermost element if this is an array, or this declaration.
    ComponentDeclaration innermost() {
        return type.isArray() ? element().innermost() : this;
    }

    /// Returns the class that declares the members of this component: the union if the component has its bytes.
    public Class<?> structure() {
        return annotation(Union.class).<Class<?>>map(Union::of).filter(of -> of != Object.class).orElse(type);
    }

    /// Returns whether the type in Java is an integer.
    boolean isInteger() {
        return INTEGERS.contains(type);
    }

    /// Returns whether the component is a reference.
    public boolean isReference() {
        return type == Ref.class || type == Ref32.class;
    }

    /// Returns the size of a reference in memory.
    public long referenceByteSize() {
        return type == Ref32.class ? Integer.BYTES : Long.BYTES;
    }

    /// Returns the record class or the view that a reference, or an array of references, refers to.
    ///
    /// @throws IllegalArgumentException if the declaration does not name it
    public Class<?> referenced() {
        Type declared = annotations instanceof Method method
                ? method.getGenericReturnType()
                : ((RecordComponent) annotations).getGenericType();
        while (declared instanceof GenericArrayType array) {
            declared = array.getGenericComponentType();
        }
        if (declared instanceof ParameterizedType type && type.getActualTypeArguments()[0] instanceof Class<?> target
                && (target.isRecord() || ViewDeclaration.isView(target))) {
            return target;
        }
        throw refusal("Reference names no struct",
                "declare it with a record or the interface of a view, as in Ref<Node>");
    }

    /// Returns the name in C.
    public String name() {
        Name name = annotations.getAnnotation(Name.class);
        return (annotations.isAnnotationPresent(Anonymous.class) ? CIdentifiers.ANONYMOUS : "")
                + (name == null ? javaName : name.value());
    }

    /// Returns the byte order of the component. Without [Order], it is the inherited byte order.
    ByteOrder order(ByteOrder inherited) {
        Order order = annotations.getAnnotation(Order.class);
        return order == null ? inherited : order.value().order();
    }

    public <A extends Annotation> Optional<A> annotation(Class<A> annotation) {
        return Optional.ofNullable(annotations.getAnnotation(annotation));
    }

    /// @throws IllegalArgumentException if an annotation of that class is present
    void checkAbsent(Class<? extends Annotation> annotation, String reason) {
        if (annotations.isAnnotationPresent(annotation)) {
            throw refusal("@" + annotation.getSimpleName() + " does not apply", reason);
        }
    }

    /// The names of class and component in messages.
    public String where() {
        return "class=" + owner.getName() + ", component=" + javaName;
    }

    /// Checks that an array on the Java heap can hold a value of this component, header included.
    ///
    /// @throws IllegalArgumentException if the size is too large
    public void checkFitsHeap(long byteSize, String remedy) {
        if (byteSize > Integer.MAX_VALUE - Long.BYTES) {
            throw refusal("Component is too large for the heap", "its size is " + byteSize + " bytes; " + remedy);
        }
    }

    /// The exception for a component whose type in Java does not fit the type in memory.
    public IllegalArgumentException disagreement(MemoryType memory) {
        return refusal("Accessor and member do not agree", "the type in memory is " + memory);
    }

    /// The exception for a component that cannot be mapped.
    public IllegalArgumentException refusal(String what, String remedy) {
        return new IllegalArgumentException(what + ": " + where() + ", type=" + type.getTypeName() + "; " + remedy);
    }

    /// The exception for a component that cannot be mapped, with the message of its cause.
    IllegalArgumentException refusal(IllegalArgumentException cause) {
        return new IllegalArgumentException("Component cannot be mapped: " + where() + ", type=" + type.getTypeName()
                + "; " + cause.getMessage(), cause);
    }

    /// The exception for a class that cannot be mapped.
    public static IllegalArgumentException refusal(Class<?> type, String what, String remedy) {
        return new IllegalArgumentException(what + ": class=" + type.getName() + "; " + remedy);
    }
}
