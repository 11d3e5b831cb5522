package dev.arenakit.contracttest;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The contract's suite on faulty arenas. It fails by design, and only [PlantedFaultsTest] runs it.
@ExtendWith(PlantedFaults.OnPurpose.class)
@ParameterizedClass(name = "{0}")
@MethodSource("dev.arenakit.contracttest.Fault#all")
class PlantedFaults implements ArenaContract {
    /// The configuration parameter that enables this class.
    static final String ON_PURPOSE = "dev.arenakit.contracttest.planted";

    /// Disables this class in a run of all tests.
    static final class OnPurpose implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return context.getConfigurationParameter(ON_PURPOSE).isPresent()
                    ? ConditionEvaluationResult.enabled("requested")
                    : ConditionEvaluationResult.disabled("fails by design");
        }
    }

    private final Fault fault;
    private final TinyPool pool = new TinyPool();

    PlantedFaults(Fault fault) {
        this.fault = fault;
    }

    /// Runs only the tests that must detect the fault; all tests would take a minute.
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
