package dev.arenakit.bench.candidate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The workloads by name: the built-in [BlockWorkload.Blocks], and the workloads of services.
public final class Workloads {
    private static final ServiceRegistry<Workload> REGISTRY = new ServiceRegistry<>("workload", Workload.class,
            Workload::name,
            blockWorkloads());

    private Workloads() {}

    /// {@return the names of the built-in workloads}
    public static List<String> builtInNames() {
        return REGISTRY.builtInNames();
    }

    /// {@return the names of the workloads that are services}
    public static List<String> serviceNames() {
        return REGISTRY.serviceNames();
    }

    /// Creates a workload.
    ///
    /// @param name name of a built-in workload or of a service
    /// @return a new workload
    /// @throws IllegalArgumentException if there is no workload of that name, or more than one
    public static Workload create(String name) {
        return REGISTRY.create(name);
    }

    private static Map<String, Supplier<Workload>> blockWorkloads() {
        Map<String, Supplier<Workload>> workloads = new LinkedHashMap<>();
        BlockWorkload.ALL.forEach(workload -> workloads.put(workload.name(), () -> workload));
        return workloads;
    }
}
