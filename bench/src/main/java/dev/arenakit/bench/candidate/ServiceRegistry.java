package dev.arenakit.bench.candidate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Supplier;

/// Instances of a service by name: built-in instances, which are created on demand, and instances from jars on the
/// class path.
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

    /// Returns the names of the services that jars provide.
    List<String> serviceNames() {
        return services().stream().map(nameOf).toList();
    }

    /// Returns a new instance. A built-in service takes precedence.
    T create(String name) {
        return lookUp(name).orElseThrow(() -> {
            List<String> names = new ArrayList<>(builtInNames());
            names.addAll(serviceNames());
            return new IllegalArgumentException((serviceNames().contains(name) ? "More than one such " : "No such ")
                    + kind + ": name=" + name + ", names=" + String.join(", ", names));
        });
    }

    /// Returns a new instance; empty if no service, or more than one service, has this name.
    Optional<T> lookUp(String name) {
        Supplier<T> known = builtIn.get(name);
        if (known != null) {
            return Optional.of(known.get());
        }
        List<T> found = services().stream().filter(service -> nameOf.apply(service).equals(name)).toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    private List<T> services() {
        return ServiceLoader.load(service).stream().map(ServiceLoader.Provider::get).toList();
    }
}
