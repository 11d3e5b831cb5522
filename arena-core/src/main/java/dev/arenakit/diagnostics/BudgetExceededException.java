package dev.arenakit.diagnostics;

import dev.arenakit.CapacityExceededException;

/// Thrown when an allocation would exceed the limit of a [MemoryBudget], or of a budget above it.
///
/// Nothing has been allocated.
public final class BudgetExceededException extends CapacityExceededException {
    private static final long serialVersionUID = 1L;

    /// The path of the budget on which the bytes were requested.
    private final String path;

    /// The path of the budget whose limit refused them.
    private final String exceeded;

    /// Creates an exception whose message has all values.
    ///
    /// @param path      the names from the root to the budget on which bytes were requested, such as `service/request`
    /// @param exceeded  the path of the budget whose limit refused them: the same budget, or one above it
    /// @param what      what the bytes are: `memory` or `disk`
    /// @param limit     the limit in bytes
    /// @param used      how many bytes of the limit were reserved
    /// @param requested how many more bytes were requested
    /// @param values    further values for the message, such as `, openArenas=3`, or an empty text
    public BudgetExceededException(String path, String exceeded, String what, long limit, long used, long requested,
            String values) {
        super("Budget is exceeded: budget=" + path + ", exceeded=" + exceeded + ", kind=" + what + ", limit=" + limit
                + ", used=" + used + ", requested=" + requested + values
                + "; close what uses the budget sooner, or raise its limit", limit, used, requested);
        this.path = path;
        this.exceeded = exceeded;
    }

    /// {@return the names from the root to the budget on which bytes were requested, such as `service/request`}
    public String path() {
        return path;
    }

    /// {@return the path of the budget whose limit refused the bytes: that budget, or one above it}
    public String exceeded() {
        return exceeded;
    }
}
