package dev.arenakit.bench.contract;

import dev.arenakit.bench.candidate.ArenaFactory;
import dev.arenakit.bench.candidate.ArenaProvider;
import dev.arenakit.bench.candidate.ContractException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
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
    // The contract's description of memory that should be zeroed.
    private static final String ZEROING = " is zeroed] ";
    // AssertJ's messages contain the stack trace of an unexpected exception.
    private static final Pattern STACK_TRACE = Pattern.compile("^\\s+(at \\S+\\(.*\\)|\\.\\.\\.\\(?\\d+ .*)$",
            Pattern.MULTILINE);
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
                    listener.failures.stream().sorted(Comparator.comparing(ContractException.Failure::test)).toList());
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

    /// Returns the test with the line of the contract that failed, and the exception.
    private static ContractException.Failure failure(String test, Throwable thrown) {
        String line = Stream.of(thrown.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith(CONTRACT_PACKAGE))
                .findFirst()
                .map(frame -> " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")")
                .orElse("");
        String cause = thrown.getCause() == null ? "" : ": " + thrown.getCause();
        String message = STACK_TRACE
                .matcher((thrown instanceof AssertionError ? thrown.getMessage() : thrown) + cause)
                .replaceAll("")
                .strip()
                .replaceAll("\\s+", " ");
        String remedy = message.contains(ZEROING) ? "; return false from isZeroed() if the arenas do not zero" : "";
        return new ContractException.Failure(test + line, message + remedy);
    }

    private static final class Listener implements TestExecutionListener {
        final List<ContractException.Failure> failures = new ArrayList<>();
        int executed;

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest() && result.getStatus() != TestExecutionResult.Status.ABORTED) {
                executed++;
            }
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                failures.add(failure(name(test), Objects.requireNonNull(result.getThrowable().orElse(null))));
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
