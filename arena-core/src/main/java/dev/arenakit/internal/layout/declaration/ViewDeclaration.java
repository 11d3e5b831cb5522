package dev.arenakit.internal.layout.declaration;

import dev.arenakit.layout.Ref;
import dev.arenakit.layout.View;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Union;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedCollection;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Finds the accessors of the interface of a view.
public final class ViewDeclaration {
    /// The prefix of the accessors of a bean, and the first letter of the property.
    private static final Pattern BEAN = Pattern.compile("^(?:get|set)(\\p{Lu})");

    private ViewDeclaration() {}

    /// The methods of a view that access one member.
    ///
    /// @param component the member as a component of the view; an array if it is accessed by index
    /// @param indexed   whether the methods take an index
    /// @param getters   the methods that read: several if interfaces inherit the method with different return types
    /// @param setters   the methods that write, none if the member is read-only
    public record Accessor(ComponentDeclaration component, boolean indexed, List<Method> getters,
            List<Method> setters) {
        /// Returns the value that a call accesses: the member, or an element of the array.
        public ComponentDeclaration value() {
            return indexed ? component.element() : component;
        }
    }

    /// Checks that a class can be the interface of a view.
    ///
    /// @throws IllegalArgumentException if the class is not an interface that a view can implement
    public static void checkView(Class<?> type) {
        if (!type.isInterface() || type.isAnnotation()) {
            throw ComponentDeclaration.refusal(type, "Not an interface", type.isRecord()
                    ? "a record is mapped by RecordMapper"
                    : "a view is an interface with a method for each member");
        }
        if (type.isSealed()) {
            throw ComponentDeclaration.refusal(type, "Interface is sealed",
                    "a view is a class that the interface does not permit; remove sealed");
        }
    }

    /// Returns whether a nested struct of that type is a view: an interface that is not a union of records.
    public static boolean isView(Class<?> type) {
        return type.isInterface() && !type.isAnnotation() && !type.isSealed() && !Ref.class.isAssignableFrom(type);
    }

    /// Returns the members of a view or of a record in their order, or an empty Optional for any other class. It is an
    /// argument of [StructTypeReader].
    public static Optional<List<ComponentDeclaration>> componentsOf(Class<?> type) {
        if (!isView(type)) {
            return ComponentDeclaration.ofRecord(type);
        }
        Map<String, Accessor> accessors = accessors(type);
        Members members = type.getAnnotation(Members.class);
        if (members == null && accessors.size() > 1 && !type.isAnnotationPresent(Union.class)) {
            throw ComponentDeclaration.refusal(type, "Order of the members is missing", "add @Members({\""
                    + String.join("\", \"", accessors.keySet())
                    + "\"}) in the order of the struct, or give the struct");
        }
        SequencedCollection<String> order = members == null
                ? List.copyOf(accessors.keySet())
                : List.of(members.value());
        List<ComponentDeclaration> declared = accessors.values().stream().map(Accessor::component).toList();
        Set<String> seen = new HashSet<>();
        List<ComponentDeclaration> components = new ArrayList<>();
        for (String name : order) {
            Optional<ComponentDeclaration> component = ComponentNames.find(declared, name);
            if (component.isEmpty() || !seen.add(component.get().javaName())) {
                throw ComponentDeclaration.refusal(type,
                        "@Members names " + (component.isEmpty() ? "no accessor" : "one accessor twice"),
                        "remove \"" + name + "\"; there are " + accessors.keySet());
            }
            components.add(component.get());
        }
        if (seen.size() < accessors.size()) {
            Set<String> missing = new LinkedHashSet<>(accessors.keySet());
            missing.removeAll(seen);
            throw ComponentDeclaration.refusal(type, "@Members lacks accessors",
                    "add " + missing + ", or make them default methods");
        }
        return Optional.of(components);
    }

    /// Returns the components of a class, whatever the order that [Members] gives.
    ///
    /// @param owner a record, a view, or a sealed interface of records, whose components are these records
    public static Collection<ComponentDeclaration> allOf(Class<?> owner) {
        if (owner.isSealed() && owner.isInterface()) {
            return UnionRecords.of(owner)
                    .stream()
                    .<ComponentDeclaration>map(
                            record -> new ComponentDeclaration(owner, UnionRecords.memberName(record), record,
                                    Object.class))
                    .toList();
        }
        return isView(owner)
                ? accessors(owner).values().stream().map(Accessor::component).toList()
                : ComponentDeclaration.ofRecord(owner).orElse(List.of());
    }

    /// Returns the classes that the class of a view refers to: the interface, and the types of its accessors.
    public static Collection<Class<?>> typesOf(Class<?> view) {
        Set<Class<?>> types = new LinkedHashSet<>(List.of(view));
        methods(view).forEach(method -> {
            types.add(method.getReturnType());
            types.addAll(List.of(method.getParameterTypes()));
        });
        return types;
    }

    /// Returns the accessors by name.
    ///
    /// @throws IllegalArgumentException if a method is not an accessor, or if accessors do not agree
    public static Map<String, Accessor> accessors(Class<?> view) {
        Map<String, List<Method>> byName = new LinkedHashMap<>();
        methods(view).sorted((one, other) -> one.getName().compareTo(other.getName()))
                .forEach(method -> byName.computeIfAbsent(method.getName(), _ -> new ArrayList<>()).add(method));
        Map<String, Accessor> accessors = new LinkedHashMap<>();
        byName.forEach((name, methods) -> accessors.put(name, accessor(view, name, methods)));
        return accessors;
    }

    private static Accessor accessor(Class<?> view, String name, List<Method> methods) {
        List<Method> getters = methods.stream().filter(method -> isGetter(method, 0)).toList();
        boolean indexed = getters.isEmpty();
        if (indexed) {
            getters = methods.stream()
                    .filter(method -> isGetter(method, 1) && method.getParameterTypes()[0] == long.class)
                    .toList();
        }
        if (getters.isEmpty()) {
            String member = BEAN.matcher(name).replaceFirst(found -> found.group(1).toLowerCase(Locale.ROOT));
            throw refusal(methods.getFirst(), "Member has no method that reads it", member.equals(name)
                    ? "declare `T " + name + "()`, or for an array `T "
                            + name + "(long index)`; make a method that is not an accessor a default method"
                    : "accessors have the name of the member, without get and set: declare `T " + member
                            + "()` and `void " + member + "(T value)`");
        }
        Method getter = mostSpecific(getters);
        Class<?> type = getter.getReturnType();
        List<Method> setters = new ArrayList<>(methods);
        setters.removeAll(getters);
        for (Method setter : setters) {
            checkSetter(view, setter, type, indexed);
        }
        ComponentDeclaration component = new ComponentDeclaration(view, name, indexed ? type.arrayType() : type,
                getter);
        if (!setters.isEmpty() && isView(type)) {
            throw component.refusal("A nested view cannot be replaced",
                    "remove the method that writes, and write through the view");
        }
        return new Accessor(component, indexed, getters, List.copyOf(setters));
    }

    private static boolean isGetter(Method method, int parameters) {
        return method.getParameterCount() == parameters && method.getReturnType() != void.class;
    }

    private static Method mostSpecific(List<Method> getters) {
        return getters.stream()
                .reduce((one, other) -> one.getReturnType().isAssignableFrom(other.getReturnType()) ? other : one)
                .orElseThrow();
    }

    private static void checkSetter(Class<?> view, Method setter, Class<?> type, boolean indexed) {
        Class<?>[] expected = indexed ? new Class<?>[]{long.class, type} : new Class<?>[]{type};
        Class<?> result = setter.getReturnType();
        boolean fluent = result.isAssignableFrom(view) && result != Object.class;
        if (!Arrays.equals(setter.getParameterTypes(), expected) || !(fluent || result == void.class)) {
            String remedy = "a method that writes takes " + (indexed ? "a long and " : "") + "a " + type.getTypeName()
                    + ", and returns nothing or the view";
            if (setter.getGenericReturnType() instanceof TypeVariable<?> variable) {
                String bound = setter.getDeclaringClass().getSimpleName();
                remedy += "; to the JVM " + variable + " is " + result.getName() + ", so bound it, as in `" + variable
                        + " extends " + bound + "<" + variable + ">`";
            }
            throw refusal(setter, "Method is not an accessor", remedy);
        }
    }

    /// Returns the abstract methods of a view, except the methods of Object and [View#segment].
    private static Stream<Method> methods(Class<?> view) {
        return Stream.of(view.getMethods())
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                .filter(method -> !isOfObject(method) && !givesSegment(view, method));
    }

    private static boolean isOfObject(Method method) {
        return Stream.of(Object.class.getMethods())
                .anyMatch(other -> other.getName().equals(method.getName())
                        && Arrays.equals(other.getParameterTypes(), method.getParameterTypes()));
    }

    private static boolean givesSegment(Class<?> view, Method method) {
        return View.class.isAssignableFrom(view) && method.getName().equals("segment")
                && method.getParameterCount() == 0;
    }

    private static IllegalArgumentException refusal(Method method, String what, String remedy) {
        return new IllegalArgumentException(what + ": class=" + method.getDeclaringClass().getName() + ", method="
                + method.getName() + ", parameters=" + Arrays.toString(method.getParameterTypes()) + "; " + remedy);
    }
}
