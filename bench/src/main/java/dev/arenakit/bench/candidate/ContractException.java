package dev.arenakit.bench.candidate;

import java.util.ArrayList;
import java.util.List;

/// Thrown if arenas fail tests of the contract that every arena has to keep.
public final class ContractException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int executed;
    // JMH passes the exception from one JVM to another, so the list has to be serializable.
    private final ArrayList<String> failures;

    /// Creates one.
    ///
    /// @param executed number of tests that were executed
    /// @param failures a description of each test that failed
    public ContractException(int executed, List<String> failures) {
        super(summary(executed, failures)
                + failures.stream().map(failure -> "\n" + failure).reduce("", String::concat));
        this.executed = executed;
        this.failures = new ArrayList<>(failures);
    }

    private static String summary(int executed, List<String> failures) {
        return failures.size() + " of " + executed + " tests fail";
    }

    /// {@return the number of failed and of executed tests, as text}
    public String summary() {
        return summary(executed, failures);
    }

    /// {@return a description of each test that failed}
    public List<String> failures() {
        return List.copyOf(failures);
    }
}
