package dev.arenakit.bench.candidate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Supplier;

/// Instances of a service by name: the built-in ones, which are created on demand, and those that jars on the class
/// path provide.
final class ServiceRegistry<T> {
    private final String kind;
    private final Class<T> service;
    private final Function<T, String> nameOf;
    private final Map<String, Supplier<T>> builtIn;

    ServiceRegistry(String kind, Class<T> service, Function<T, String> nameOf, Map<String, Supplier<T>> builtIn) {
        this.kind = kind;
        this.service = service;
        this.nameOf = nameOf;
        this.builtIn = Collections.unmodifiableMap(new LinkedHashMap<>(builtIn));
    }

    List<String> builtInNames() {
        return List.copyOf(builtIn.keySet());
    }

    /// Returns the names of those that jars provide.
    List<String> serviceNames() {
        return services().stream().map(nameOf).toList();
    }

    /// Returns a new instance; a built-in one takes precedence.
    T create(String name) {
        Supplier<T> known = builtIn.get(name);
        if (known != null) {
            return known.get();
        }
        List<T> found = services().stream().filter(service -> nameOf.apply(service).equals(name)).toList();
        if (found.size() != 1) {
            List<String> names = new ArrayList<>(builtInNames());
            names.addAll(serviceNames());
            throw new IllegalArgumentException((found.isEmpty() ? "No such " : "More than one such ") + kind + ": name="
                    + name + ", names=" + String.join(", ", names));
        }
        return found.getFirst();
    }

    private List<T> services() {
        return ServiceLoader.load(service).stream().map(ServiceLoader.Provider::get).toList();
    }
}
