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

/// The contract's suite run on arenas that break it. It fails: only [PlantedFaultsTest] runs it.
@ExtendWith(PlantedFaults.OnPurpose.class)
@ParameterizedClass(name = "{0}")
@MethodSource("dev.arenakit.contracttest.Fault#all")
class PlantedFaults implements ArenaContract {
    /// The configuration parameter of those who want to see it fail.
    static final String ON_PURPOSE = "dev.arenakit.contracttest.planted";

    /// Keeps the class from being run with all others, by whatever runs all tests.
    static final class OnPurpose implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return context.getConfigurationParameter(ON_PURPOSE).isPresent()
                    ? ConditionEvaluationResult.enabled("asked for")
                    : ConditionEvaluationResult.disabled("fails by design");
        }
    }

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
