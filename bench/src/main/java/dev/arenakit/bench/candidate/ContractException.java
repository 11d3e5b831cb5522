package dev.arenakit.bench.candidate;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Thrown if arenas fail tests of the contract that every arena has to keep.
public final class ContractException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private static final int MAX_MESSAGE_LENGTH = 240;

    private final int executed;
    // JMH passes the exception from one JVM to another, so the list has to be serializable.
    private final ArrayList<Failure> failures;

    /// A test that failed.
    ///
    /// @param test    name and line of the test
    /// @param message the reason, in one line
    public record Failure(String test, String message) implements Serializable {
        /// Returns the message without its middle if it is long: its end often has the values or the remedy.
        private String shortened() {
            int half = MAX_MESSAGE_LENGTH / 2;
            return message.length() <= MAX_MESSAGE_LENGTH
                    ? message
                    : message.substring(0, half).strip() + " ... " + message.substring(message.length() - half).strip();
        }

        /// Returns the message without numbers, which differ between failures with the same cause.
        private String cause() {
            return message.replaceAll("0x\\p{XDigit}+|@\\p{XDigit}+|\\d+", "#");
        }
    }

    /// Creates one.
    ///
    /// @param executed number of tests that were executed
    /// @param failures the tests that failed
    public ContractException(int executed, List<Failure> failures) {
        super(count(executed, failures)
                + failures.stream()
                        .map(failure -> "\n" + failure.test + "\n    " + failure.message)
                        .reduce("",
                                String::concat));
        this.executed = executed;
        this.failures = new ArrayList<>(failures);
    }

    private static String count(int executed, List<Failure> failures) {
        return failures.size() + " of " + executed + " tests fail";
    }

    /// Returns failures with the same cause together, the most frequent cause first.
    private static List<List<Failure>> byCause(List<Failure> failures) {
        return failures.stream()
                .collect(Collectors.groupingBy(Failure::cause, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .sorted(Comparator.comparingInt((List<Failure> same) -> same.size()).reversed())
                .toList();
    }

    /// {@return the numbers of failed and of executed tests, as text}
    public String count() {
        return count(executed, failures);
    }

    /// {@return the numbers of failed and of executed tests, and the message that most failures share, as text}
    public String summary() {
        return byCause(failures).stream()
                .limit(1)
                .filter(most -> most.size() > 1)
                .map(most -> count() + ", " + most.size() + " of them: " + most.getFirst().shortened())
                .findFirst()
                .orElse(count());
    }

    /// {@return a description of the failures with each cause, the most frequent cause first}
    public List<String> failures() {
        return byCause(failures).stream()
                .map(same -> same.getFirst().test + (same.size() == 1 ? "" : ", and " + (same.size() - 1) + " more")
                        + "\n    " + same.getFirst().shortened())
                .toList();
    }
}
