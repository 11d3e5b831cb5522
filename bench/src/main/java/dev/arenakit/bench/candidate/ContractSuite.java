package dev.arenakit.bench.candidate;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/// Runs the tests of `dev.arenakit.contract.ArenaContract`.
///
/// The implementation is a service, since it needs the tests of arena-core: a build that does not compile tests does
/// not have it.
public interface ContractSuite {
    /// Runs the tests on the arenas of a provider.
    ///
    /// @param provider opens the arenas
    /// @throws ContractException if a test fails
    void run(ArenaProvider provider);

    /// {@return the implementation}
    ///
    /// @throws IllegalStateException if this build of the harness does not have it
    static ContractSuite load() {
        try {
            return ServiceLoader.load(ContractSuite.class).findFirst().orElseThrow();
        } catch (ServiceConfigurationError e) {
            throw new IllegalStateException(
                    "The contract's tests are not in this build of the harness; build it without -Dmaven.test.skip",
                    e);
        }
    }
}
