package dev.arenakit.bench.contract;

import dev.arenakit.bench.candidate.ArenaFactory;
import dev.arenakit.bench.candidate.ArenaProvider;
import dev.arenakit.bench.candidate.ContractException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs the contract's tests with JUnit's launcher.
public final class JUnitContractSuite {
    private static final int MAX_MESSAGE_LENGTH = 110;
    private static final String CONTRACT_PACKAGE = "dev.arenakit.contract.";

    private JUnitContractSuite() {}

    /// Runs the tests on the arenas of a provider.
    ///
    /// @param provider opens the arenas
    /// @throws ContractException if a test fails
    public static void run(ArenaProvider provider) {
        Listener listener = new Listener();
        try (ArenaFactory factory = provider.create()) {
            ProviderContract.setProvider(provider, factory);
            LauncherFactory.create().execute(request(), listener);
        }
        if (!listener.failures.isEmpty()) {
            throw new ContractException(listener.executed,
                    listener.failures.stream().map(Failure::describe).sorted().toList());
        }
        if (listener.executed == 0) {
            throw new IllegalStateException("No test of the contract was found");
        }
    }

    private static LauncherDiscoveryRequest request() {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(ProviderContract.class))
                // A test that hangs on a broken arena fails, and the other tests still run.
                .configurationParameter("junit.jupiter.execution.timeout.default", "20 s")
                .configurationParameter("junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
                .build();
    }

    private record Failure(String test, Throwable thrown) {
        /// Returns the test with the line of the contract that failed, and the exception in a second line.
        String describe() {
            String message = String.valueOf(thrown instanceof AssertionError ? thrown.getMessage() : thrown)
                    .strip()
                    .replaceAll("\\s+", " ");
            String line = Stream.of(thrown.getStackTrace())
                    .filter(frame -> frame.getClassName().startsWith(CONTRACT_PACKAGE))
                    .findFirst()
                    .map(frame -> " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")")
                    .orElse("");
            return test + line + "\n    " + (message.length() > MAX_MESSAGE_LENGTH
                    ? message.substring(0, MAX_MESSAGE_LENGTH) + "..."
                    : message);
        }
    }

    private static final class Listener implements TestExecutionListener {
        final List<Failure> failures = new ArrayList<>();
        int executed;

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest() && result.getStatus() != TestExecutionResult.Status.ABORTED) {
                executed++;
            }
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                failures.add(new Failure(name(test), Objects.requireNonNull(result.getThrowable().orElse(null))));
            }
        }

        private static String name(TestIdentifier test) {
            return test.getSource()
                    .filter(MethodSource.class::isInstance)
                    .map(source -> ((MethodSource) source).getMethodName())
                    .orElse(test.getDisplayName());
        }
    }
}
