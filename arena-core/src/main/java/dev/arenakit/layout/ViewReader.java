package dev.arenakit.layout;

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
import java.util.Map;
import java.util.Optional;
import java.util.SequencedCollection;
import java.util.Set;
import java.util.stream.Stream;

/// Reads an interface of the user and says which of its methods access what.
final class ViewReader {
    private ViewReader() {}

    /// @throws IllegalArgumentException when views of the class cannot be made, whatever its methods are
    static void checkView(Class<?> type) {
        if (!type.isInterface() || type.isAnnotation()) {
            throw Part.refusal(type, "Not an interface", type.isRecord()
                    ? "a record is mapped by RecordMapper"
                    : "a view is an interface with a method for each member");
        }
        if (type.isSealed()) {
            throw Part.refusal(type, "Interface is sealed", "a view is a class that it does not permit; remove sealed");
        }
    }

    /// Whether nested structs of that type are views: interfaces of the user, which are no union of records.
    static boolean isView(Class<?> type) {
        return type.isInterface() && !type.isAnnotation() && !type.isSealed();
    }

    /// The members of a view in their order, or those of a record, or empty; for [TypeReader].
    static Optional<List<Part>> partsOf(Class<?> type) {
        if (!isView(type)) {
            return Part.ofRecord(type);
        }
        Map<String, Accessor> accessors = accessors(type);
        Members members = type.getAnnotation(Members.class);
        if (members == null && accessors.size() > 1) {
            throw Part.refusal(type, "Order of the members is missing", "add @Members({\""
                    + String.join("\", \"", accessors.keySet())
                    + "\"}) in the order of the struct, or give the struct");
        }
        SequencedCollection<String> order = members == null
                ? List.copyOf(accessors.keySet())
                : List.of(members.value());
        Set<String> seen = new HashSet<>();
        List<Part> parts = new ArrayList<>();
        for (String name : order) {
            Accessor accessor = accessors.get(name);
            if (accessor == null || !seen.add(name)) {
                throw Part.refusal(type, "@Members names " + (accessor == null ? "no accessor" : "an accessor twice"),
                        "remove \"" + name + "\"; there are " + accessors.keySet());
            }
            parts.add(accessor.part());
        }
        if (seen.size() < accessors.size()) {
            Set<String> missing = new LinkedHashSet<>(accessors.keySet());
            missing.removeAll(seen);
            throw Part.refusal(type, "@Members lacks accessors", "add " + missing + ", or make them default methods");
        }
        return Optional.of(parts);
    }

    /// The classes that the code of a view names: the interface, and what its accessors return.
    static Collection<Class<?>> typesOf(Class<?> view) {
        Set<Class<?>> types = new LinkedHashSet<>(List.of(view));
        methods(view).forEach(method -> {
            types.add(method.getReturnType());
            types.addAll(List.of(method.getParameterTypes()));
        });
        return types;
    }

    /// The accessors by their names.
    ///
    /// @throws IllegalArgumentException when a method is no accessor, or accessors do not agree
    static Map<String, Accessor> accessors(Class<?> view) {
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
            throw refusal(methods.getFirst(), "Nothing reads the member",
                    "declare `T " + name + "()`, or for an array `T "
                            + name + "(long index)`; make what is no accessor a default method");
        }
        Method getter = mostSpecific(getters);
        Class<?> type = getter.getReturnType();
        List<Method> setters = new ArrayList<>(methods);
        setters.removeAll(getters);
        for (Method setter : setters) {
            checkSetter(view, setter, type, indexed);
        }
        Part part = new Part(view, name, indexed ? type.arrayType() : type, getter);
        if (!setters.isEmpty() && isView(type)) {
            throw part.refusal("A nested view cannot be replaced",
                    "remove the method that writes, and write through the view");
        }
        return new Accessor(part, indexed, getters, List.copyOf(setters));
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
            String remedy = "what writes here takes " + (indexed ? "a long and " : "") + "a " + type.getTypeName()
                    + ", and returns nothing or the view";
            if (setter.getGenericReturnType() instanceof TypeVariable<?> variable) {
                String bound = setter.getDeclaringClass().getSimpleName();
                remedy += "; to the JVM " + variable + " is " + result.getName() + ", so bound it, as in `" + variable
                        + " extends " + bound + "<" + variable + ">`";
            }
            throw refusal(setter, "Method is no accessor", remedy);
        }
    }

    /// The methods that a view has to implement, but for those that are no accessors by what they are.
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
