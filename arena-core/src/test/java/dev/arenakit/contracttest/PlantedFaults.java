package dev.arenakit.contracttest;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The contract's suite run on arenas that break it. It fails, so the name keeps it from the build's tests:
/// [PlantedFaultsTest] runs it.
@ParameterizedClass(name = "{0}")
@MethodSource("dev.arenakit.contracttest.Fault#all")
class PlantedFaults implements ArenaContract {
    private final Fault fault;
    private final TinyPool pool = new TinyPool();

    PlantedFaults(Fault fault) {
        this.fault = fault;
    }

    /// Of a fault's suite only those tests are run that are there to find it; all of them would take a minute.
    @BeforeEach
    void runOnlyTheTestsNamed(TestInfo test) {
        assumeTrue(fault.caughtBy().contains(test.getTestMethod().orElseThrow().getName()));
    }

    @Override
    public Arena open() {
        return fault.opener().open(pool);
    }

    @Override
    public Capabilities capabilities() {
        return fault.capabilities();
    }

    @Override
    public OptionalLong held() {
        return OptionalLong.of(pool.held.get());
    }
}
