package dev.arenakit.internal.layout.view;

import dev.arenakit.internal.layout.declaration.ViewDeclaration;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Finds the field that a function reads from a view. The function is called with an implementation of the view that
/// records which accessor is called; a nested view that the accessor returns does the same.
public final class ViewMethodRecorder {
    private final Class<?> view;
    private final List<String> calls = new ArrayList<>();
    private String array = "";
    private String path = "";
    private Class<?> type = void.class;

    private ViewMethodRecorder(Class<?> view) {
        this.view = view;
    }

    /// The field that a function reads.
    ///
    /// @param path  the path of the field
    /// @param array the path without the index of the last accessor
    /// @param type  the type that the last accessor returns
    public record Target(String path, String array, Class<?> type) {}

    /// Returns the field that a function reads from a view.
    ///
    /// @param view the interface
    /// @param call calls the function with a view
    /// @throws IllegalArgumentException if the function does not call one accessor, or calls one that writes
    public static <V> Target of(Class<V> view, Function<V, Object> call) {
        ViewMethodRecorder recorder = new ViewMethodRecorder(view);
        try {
            var _ = call.apply(view.cast(recorder.recording(view)));
        } catch (RuntimeException e) {
            throw recorder.refusal(e);
        }
        if (recorder.calls.isEmpty()) {
            throw recorder.refusal(null);
        }
        return new Target(recorder.path, recorder.array, recorder.type);
    }

    /// Returns the path of the array whose elements a function reads. The function is called with two indices, so that
    /// its argument is known to be the index of the element, and nothing else.
    ///
    /// @param view the interface
    /// @param call calls the function with a view and an index
    /// @throws IllegalArgumentException if the function does not call one accessor with the index
    public static <V> String array(Class<V> view, BiFunction<V, Long, Object> call) {
        Target first = of(view, recorded -> call.apply(recorded, 0L));
        Target second = of(view, recorded -> call.apply(recorded, 1L));
        if (!first.path().equals(first.array() + "[0]") || !second.path().equals(first.array() + "[1]")) {
            throw new IllegalArgumentException("Function does not read the element at the index: class="
                    + view.getName() + ", index 0 reads " + first.path() + ", index 1 reads " + second.path()
                    + "; pass a method that reads one array by index, or a path");
        }
        return first.array();
    }

    /// Returns a view that accepts one call. A proxy can implement an interface that only its own package can access.
    private Object recording(Class<?> type) {
        int depth = calls.size();
        InvocationHandler handler = (_, method, arguments) -> {
            calls.add(method.getName());
            if (calls.size() != depth + 1) {
                throw refusal(null);
            }
            return record(type, method, arguments == null ? new Object[0] : arguments);
        };
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, handler);
    }

    private @Nullable Object record(Class<?> owner, Method method, Object[] arguments) {
        ViewDeclaration.Accessor accessor = ViewDeclaration.accessors(owner).get(method.getName());
        if (accessor == null || method.isDefault() || !isGetter(accessor, method)) {
            throw refusal(null);
        }
        array = path.isEmpty() ? accessor.component().name() : path + "." + accessor.component().name();
        path = accessor.indexed() ? array + "[" + arguments[0] + "]" : array;
        type = method.getReturnType();
        return ViewDeclaration.isView(type) ? recording(type) : zero(type);
    }

    private static boolean isGetter(ViewDeclaration.Accessor accessor, Method method) {
        return accessor.getters()
                .stream()
                .anyMatch(getter -> List.of(getter.getParameterTypes()).equals(List.of(method.getParameterTypes())));
    }

    private static @Nullable Object zero(Class<?> type) {
        try {
            return MethodHandles.zero(type).asType(MethodType.methodType(Object.class)).invoke();
        } catch (Throwable e) {
            throw new AssertionError("A constant cannot throw", e);
        }
    }

    private IllegalArgumentException refusal(@Nullable RuntimeException cause) {
        return new IllegalArgumentException(
                "Function does not read one field of the view: class=" + view.getName() + ", calls=" + calls
                        + "; pass a method that reads one member, such as "
                        + view.getSimpleName() + "::" + ViewDeclaration.accessors(view).keySet().iterator().next(),
                cause);
    }
}
