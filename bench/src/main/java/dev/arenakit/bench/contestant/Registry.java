package dev.arenakit.bench.contestant;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Supplier;

/// Things by name: those that come with the harness, which are created only when they are asked for, and those that a jar
/// on the class path provides as services.
final class Registry<T> {
    private final String kind;
    private final Class<T> service;
    private final Function<T, String> nameOf;
    private final Map<String, Supplier<T>> builtIn;

    Registry(String kind, Class<T> service, Function<T, String> nameOf, Map<String, Supplier<T>> builtIn) {
        this.kind = kind;
        this.service = service;
        this.nameOf = nameOf;
        this.builtIn = Collections.unmodifiableMap(new LinkedHashMap<>(builtIn));
    }

    List<String> builtInNames() {
        return List.copyOf(builtIn.keySet());
    }

    /// The names that services have.
    List<String> serviceNames() {
        return services().stream().map(nameOf).toList();
    }

    /// A new instance; a service only if no built-in thing has the name.
    T create(String name) {
        Supplier<T> known = builtIn.get(name);
        if (known != null) {
            return known.get();
        }
        List<T> found = services().stream().filter(candidate -> nameOf.apply(candidate).equals(name)).toList();
        if (found.size() != 1) {
            List<String> names = new ArrayList<>(builtInNames());
            names.addAll(serviceNames());
            throw new IllegalArgumentException((found.isEmpty() ? "No such " : "Not unique, this ") + kind + ": name="
                    + name + ", names=" + String.join(", ", names));
        }
        return found.getFirst();
    }

    private List<T> services() {
        return ServiceLoader.load(service).stream().map(ServiceLoader.Provider::get).toList();
    }
}
