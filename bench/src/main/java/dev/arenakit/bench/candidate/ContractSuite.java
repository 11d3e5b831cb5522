package dev.arenakit.bench.candidate;

import java.util.ServiceLoader;

/// Runs the tests of `dev.arenakit.contract.ArenaContract`.
///
/// The implementation is a service, so that no other package of the harness needs JUnit.
public interface ContractSuite {
    /// Runs the tests on the arenas of a provider.
    ///
    /// @param provider opens the arenas
    /// @throws ContractException if a test fails
    void run(ArenaProvider provider);

    /// {@return the implementation}
    static ContractSuite load() {
        return ServiceLoader.load(ContractSuite.class).findFirst().orElseThrow();
    }
}
