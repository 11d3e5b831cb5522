package dev.arenakit.internal;

/// Keeps a slow path out of the compiled code of its callers.
///
/// C2 inlines a method that is compiled already only if its code is smaller than 2,500 bytes (`InlineSmallCode`). A
/// slow path that a program has used is part of that code, and would take `allocate` of an arena beyond the limit. The
/// arena and all its segments would then be objects on the heap: ten blocks would cost 41 to 101 ns instead of 12.
///
/// C2 inlines a recursive call only once (`MaxRecursiveInlineLevel`). A slow path therefore starts by calling itself:
///
/// ```
/// private static long slowPath(int calls, long argument) {
///     if (calls > 0) {
///         return slowPath(calls - 1, argument);
///     }
///     ...
/// }
/// ```
///
/// With [#CALLS] as the first argument, C2 inlines the first two calls. Their first argument is a constant, so that C2
/// omits the rest of the method. The third call is a call of the compiled method.
public final class NotInlined {
    /// The number of times that a slow path calls itself.
    public static final int CALLS = 2;

    private NotInlined() {}

    /// Throws an exception of a cleanup as it is. A cleanup cannot throw a checked exception.
    ///
    /// @return never, so that callers can throw the result
    public static Error rethrow(Throwable t) {
        if (t instanceof RuntimeException e) {
            throw e;
        }
        throw t instanceof Error e ? e : new AssertionError("A cleanup has thrown a checked exception", t);
    }
}
