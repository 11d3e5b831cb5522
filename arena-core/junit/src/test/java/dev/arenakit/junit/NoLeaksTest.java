package dev.arenakit.junit;

import dev.arenakit.diagnostics.Leak;
import dev.arenakit.testing.ChildJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

/// Runs planted tests by a launcher of JUnit.
class NoLeaksTest {
    private static final Logger LOGGER = Logger.getLogger("dev.arenakit.leaks");

    private static Map<String, String> failuresOf(Class<?> tests, int parallelism) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", Boolean.toString(parallelism > 1))
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism",
                        Integer.toString(parallelism))
                .build();
        Map<String, String> failures = new ConcurrentHashMap<>();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                    String parent = test.getParentId().orElseThrow();
                    failures.put(parent.replaceFirst(".*:", "") + "/" + test.getDisplayName(),
                            result.getThrowable().map(NoLeaksTest::textOf).orElse(""));
                }
            }
        });
        return new TreeMap<>(failures);
    }

    private static String textOf(Throwable failure) {
        StringBuilder text = new StringBuilder(String.valueOf(failure.getMessage()));
        for (Throwable suppressed : failure.getSuppressed()) {
            text.append(suppressed.getMessage()).append(" at ").append(suppressed.getStackTrace()[1]);
        }
        return text.toString();
    }

    @Test
    void sequentialTests_thatLeak_failAndNameTheOpening() {
        Map<String, String> failures = failuresOf(PlantedTests.Sequential.class, 1);
        assertThat(failures).hasSize(9).allSatisfy((name, failure) -> {
            if (name.contains("leaks")) {
                assertThat(failure).startsWith("The test left arenas open: arenas=1; close them");
            } else {
                assertThat(failure).isEmpty();
            }
        });
        assertThat(failures).hasEntrySatisfying(nameIn(failures, "watched_leaks"),
                failure -> assertThat(failure).contains("An arena was opened here and not closed",
                        "PlantedTests$Sequential.watched_leaks("))
                .hasEntrySatisfying(nameIn(failures, "pooled_leaks"),
                        failure -> assertThat(failure.lines().toList()).hasSizeLessThan(10)
                                .anyMatch(line -> line.contains("arena=confined arena of a SlabPool"))
                                .anyMatch(line -> line.contains("PlantedTests$Sequential.pooled_leaks(")));
    }

    @Test
    void describe_ofThousandsOfLeaks_hasAFewStacks() {
        List<Leak> leaks = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            leaks.add(leak(i, i < 2_900 ? 0 : i));
        }
        assertThat(WatchedRun.describe(leaks)).contains("number=0,", "Arenas with this stack: arenas=2900")
                .doesNotContain("number=1,")
                .endsWith("Arenas have other stacks, too: stacks=91")
                .hasSizeLessThan(3_000);
    }

    private static Leak leak(int number, int line) {
        return new Leak(Leak.Reason.OPEN, number, "arena", "", "main", 1, Duration.ZERO, 8,
                List.of(new StackTraceElement("Leaker", "leak", "Leaker.java", line)));
    }

    private static String nameIn(Map<String, String> failures, String method) {
        return failures.keySet().stream().filter(name -> name.contains(method)).findFirst().orElseThrow();
    }

    @Test
    void test_whoseArenaIsClosedAfterEach_succeeds() {
        assertThat(failuresOf(PlantedTests.ClosedAfterEach.class, 1).values()).containsExactly("");
    }

    @Test
    void parallelTests_thatLeak_failAlone() {
        Map<String, String> failures = failuresOf(PlantedTests.Parallel.class, 8);
        assertThat(failures).hasSize(4).allSatisfy((name, failure) -> {
            if (name.contains("leaks")) {
                assertThat(failure).startsWith("The test left arenas open: arenas=1;");
            } else {
                assertThat(failure).isEmpty();
            }
        });
    }

    @Test
    void arena_ofUnknownTest_isSaidAfterAllTests() {
        List<String> log = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord message) {
                log.add(message.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        LOGGER.addHandler(handler);
        LOGGER.setUseParentHandlers(false);
        try {
            assertThat(failuresOf(PlantedTests.Unattributable.class, 1).values()).containsExactly("");
        } finally {
            LOGGER.setUseParentHandlers(true);
            LOGGER.removeHandler(handler);
        }
        assertThat(log).filteredOn(line -> line.startsWith("Arenas are open after all tests"))
                .singleElement()
                .asString()
                .contains("arenas=1", "dev.arenakit.junit.Elsewhere.open(PlantedTests.java:");
    }

    @ParameterizedTest
    @CsvSource({",off", "-Ddev.arenakit.leakDetection=SAMPLED,SAMPLED"})
    @Tag("full")
    void tests_withoutDetectionOfAllArenas_failAndSayHowToStartThem(@Nullable String option, String detection) {
        ChildJvm jvm = option == null ? ChildJvm.granted() : ChildJvm.granted(option);
        assertThat(jvm.run(Undetected.class).output().lines())
                .hasSize(2)
                .satisfiesExactly(
                        line -> assertThat(line).contains("/PlantedTests$Sequential "),
                        line -> assertThat(line).contains("OneMethod", "pooled_leaks"))
                .allSatisfy(line -> assertThat(line).contains(
                        "@NoLeaks does not see all arenas of pools: leakDetection="
                                + detection + "; start the tests with -Ddev.arenakit.leakDetection=ALL",
                        "<systemPropertyVariables>",
                        "<dev.arenakit.leakDetection>ALL</dev.arenakit.leakDetection>"));
    }

    /// Runs tests in a JVM that does not watch all arenas, and prints each failure on a line.
    static final class Undetected {
        public static void main(String[] args) {
            for (Class<?> tests : List.of(PlantedTests.Sequential.class, PlantedTests.OneMethod.class)) {
                failuresOf(tests, 1).forEach((name, failure) -> System.out
                        .println(name + " " + failure.replaceAll("\\s+", " ")));
            }
        }
    }

    @Test
    void snippet_showsOneLeak() {
        assertThat(failuresOf(NoLeaksSnippets.ParserTest.class, 1).values())
                .filteredOn(failure -> !failure.isEmpty())
                .singleElement()
                .asString()
                .contains("An arena was opened here and not closed");
    }
}
