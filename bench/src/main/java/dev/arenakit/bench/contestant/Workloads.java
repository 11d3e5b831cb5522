package dev.arenakit.bench.contestant;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The work that arenas are measured on: the [plans][Plan] of the harness, and what services bring.
public final class Workloads {
    private static final Registry<Workload> REGISTRY = new Registry<>("workload", Workload.class, Workload::name,
            plans());

    private Workloads() {}

    /// {@return the names of the plans}
    public static List<String> builtInNames() {
        return REGISTRY.builtInNames();
    }

    /// {@return the names of those that services provide}
    public static List<String> serviceNames() {
        return REGISTRY.serviceNames();
    }

    /// Creates a workload.
    ///
    /// @param name of a plan or of a service
    /// @return a new workload
    /// @throws IllegalArgumentException when there is none of that name, or more than one
    public static Workload create(String name) {
        return REGISTRY.create(name);
    }

    private static Map<String, Supplier<Workload>> plans() {
        Map<String, Supplier<Workload>> plans = new LinkedHashMap<>();
        Plan.ALL.forEach(plan -> plans.put(plan.name(), () -> plan));
        return plans;
    }
}
