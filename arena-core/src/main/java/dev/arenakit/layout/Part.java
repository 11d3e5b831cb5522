package dev.arenakit.layout;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A component of a class of the user that becomes a member of a struct: that of a record, or what an accessor of a view
/// reads.
///
/// @param owner       the class it belongs to
/// @param javaName    its name in the class
/// @param type        its type in Java; an array for what a view reads by index
/// @param annotations what is annotated
record Part(Class<?> owner, String javaName, Class<?> type, AnnotatedElement annotations) {
    /// The components of a record in their order, or empty for any other class.
    static Optional<List<Part>> ofRecord(Class<?> type) {
        if (!type.isRecord()) {
            return Optional.empty();
        }
        List<Part> parts = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Part part = new Part(type, component.getName(), component.getType(), component);
            part.checkAccessor(component.getAccessor());
            parts.add(part);
        }
        return Optional.of(parts);
    }

    /// Refuses an annotation that stands on the accessor alone, where nobody looks for it.
    private void checkAccessor(Method accessor) {
        for (Annotation annotation : accessor.getAnnotations()) {
            Class<? extends Annotation> kind = annotation.annotationType();
            if (kind.getPackage() == Part.class.getPackage() && !annotations.isAnnotationPresent(kind)) {
                throw refusal("@" + kind.getSimpleName() + " stands on the accessor",
                        "annotate the component in the header of the record");
            }
        }
    }

    /// The element of an array, as a component of its own.
    Part element() {
        return new Part(owner, javaName, type.getComponentType(), annotations);
    }

    /// The name in C.
    String name() {
        return annotation(Name.class).map(Name::value).orElse(javaName);
    }

    /// The order of the bytes where the class says `inherited`.
    ByteOrder order(ByteOrder inherited) {
        return annotation(Order.class).map(order -> order.value().order()).orElse(inherited);
    }

    <A extends Annotation> Optional<A> annotation(Class<A> annotation) {
        return Optional.ofNullable(annotations.getAnnotation(annotation));
    }

    /// @throws IllegalArgumentException where an annotation of that class is present and is not wanted
    void checkAbsent(Class<? extends Annotation> annotation, String reason) {
        if (annotations.isAnnotationPresent(annotation)) {
            throw refusal("@" + annotation.getSimpleName() + " does not apply", reason);
        }
    }

    /// What is thrown where this component cannot be mapped.
    IllegalArgumentException refusal(String what, String remedy) {
        return new IllegalArgumentException(what + ": class=" + owner.getName() + ", component=" + javaName + ", type="
                + type.getTypeName() + "; " + remedy);
    }

    /// The same with what the type said of it.
    IllegalArgumentException refusal(IllegalArgumentException cause) {
        return new IllegalArgumentException("Component cannot be mapped: class=" + owner.getName() + ", component="
                + javaName + ", type=" + type.getTypeName() + "; " + cause.getMessage(), cause);
    }

    /// What is thrown where a class cannot be mapped.
    static IllegalArgumentException refusal(Class<?> type, String what, String remedy) {
        return new IllegalArgumentException(what + ": class=" + type.getName() + "; " + remedy);
    }
}
