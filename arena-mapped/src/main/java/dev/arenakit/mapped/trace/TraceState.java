package dev.arenakit.mapped.trace;

/// How a recording has ended.
public enum TraceState {
    /// The process is recording.
    RECORDING,
    /// The recorder was closed.
    COMPLETE,
    /// The trace has reached its limit. Later events are missing.
    FULL,
    /// The recording ended because of an error, such as a full disk. Later events are missing.
    FAILED,
    /// The process ended before the recorder was closed. The trace has the events up to that moment.
    KILLED
}
