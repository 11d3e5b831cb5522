package dev.arenakit.bench.contestant;

/// Thrown about a provider whose arenas do not give their memory back. It is not measured: what it saves by that would show as
/// speed, and the machine would soon be out of memory.
public final class LeakException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// Creates one.
    ///
    /// @param what how much is left of how much, by whom
    public LeakException(String what) {
        super(what);
    }
}
