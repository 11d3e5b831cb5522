package dev.arenakit.contracttest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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

/// Shows that the contract's suite detects faults: each of its tests fails on at least one faulty arena, except the tests
/// of methods that the JDK does not have yet.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("full")
class PlantedFaultsTest {
    private record Failure(String fault, String test) {}

    private final List<Failure> failures = new ArrayList<>();
    private final Set<String> ofNewerJdks = new HashSet<>();

    @BeforeAll
    void runTheSuiteOnEveryFault() {
        LauncherFactory.create().execute(request(PlantedFaults.class), new TestExecutionListener() {
            private @Nullable TestPlan plan;

            @Override
            public void testPlanExecutionStarted(TestPlan testPlan) {
                plan = testPlan;
            }

            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                    String fault = Objects.requireNonNull(plan).getParent(test).orElseThrow().getDisplayName();
                    failures.add(new Failure(fault, methodName(test)));
                } else if (result.getThrowable().toString().contains("The JDK has no such method")) {
                    ofNewerJdks.add(methodName(test));
                }
            }
        });
    }

    @Test
    void suite_onEachPlantedFault_failsInTheTestsThatMustDetectIt() {
        assertThat(failures).containsExactlyInAnyOrderElementsOf(Fault.all()
                .flatMap(fault -> fault.caughtBy()
                        .stream()
                        .filter(test -> !ofNewerJdks.contains(test))
                        .map(test -> new Failure(fault.name(), test)))
                .toList());
    }

    @Test
    void suite_eachOfItsTests_failsOnAPlantedFault() {
        TestPlan plan = LauncherFactory.create().discover(request(TinyArenaContractTest.Confined.class));
        List<String> tests = plan.getRoots()
                .stream()
                .flatMap(root -> plan.getDescendants(root).stream())
                .filter(TestIdentifier::isTest)
                .map(PlantedFaultsTest::methodName)
                .filter(test -> !ofNewerJdks.contains(test))
                .toList();
        assertThat(tests).isNotEmpty();
        assertThat(failures).extracting(Failure::test).containsAll(tests);
    }

    private static LauncherDiscoveryRequest request(Class<?> suite) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(suite))
                .configurationParameter(PlantedFaults.ON_PURPOSE, "true")
                .build();
    }

    private static String methodName(TestIdentifier test) {
        return test.getSource().map(MethodSource.class::cast).orElseThrow().getMethodName();
    }
}
