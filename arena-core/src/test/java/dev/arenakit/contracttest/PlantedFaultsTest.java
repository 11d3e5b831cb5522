package dev.arenakit.contracttest;

import dev.arenakit.contract.ArenaContract;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import static org.assertj.core.api.Assertions.assertThat;

/// Shows that the contract's suite detects faults: each of its tests fails on at least one faulty arena.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("full")
class PlantedFaultsTest {
    private record Failure(String fault, String test) {}

    private final List<Failure> failures = new ArrayList<>();

    @BeforeAll
    void runTheSuiteOnEveryFault() {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(PlantedFaults.class))
                .configurationParameter(PlantedFaults.ON_PURPOSE, "true")
                .build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            private @Nullable TestPlan plan;

            @Override
            public void testPlanExecutionStarted(TestPlan testPlan) {
                plan = testPlan;
            }

            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                    String fault = Objects.requireNonNull(plan).getParent(test).orElseThrow().getDisplayName();
                    MethodSource method = (MethodSource) test.getSource().orElseThrow();
                    failures.add(new Failure(fault, method.getMethodName()));
                }
            }
        });
    }

    @Test
    void suite_onEachPlantedFault_failsInTheTestsThatMustDetectIt() {
        assertThat(failures).containsExactlyInAnyOrderElementsOf(Fault.all()
                .flatMap(fault -> fault.caughtBy()
                        .stream()
                        .map(test -> new Failure(fault.name(), test)))
                .toList());
    }

    @Test
    void suite_eachOfItsTests_failsOnAPlantedFault() {
        List<String> tests = Arrays.stream(ArenaContract.class.getMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .map(Method::getName)
                .toList();
        assertThat(tests).isNotEmpty();
        assertThat(failures).extracting(Failure::test).containsAll(tests);
    }
}
