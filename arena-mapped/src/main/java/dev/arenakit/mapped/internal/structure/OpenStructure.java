package dev.arenakit.mapped.internal.structure;

/// A structure that its arena has open.
public interface OpenStructure {
    /// Prepares the structure for [#endForce]. Its contents are then written to the device.
    void beginForce();

    /// Records that the contents that [#beginForce] has seen are on the device.
    void endForce();

    /// Whether the structure is not recorded as complete: this process, or one that was killed, has changed it, and it has
    /// not been freed. A change that is in progress ends first.
    boolean isChanged();

    /// Records on the device that the structure is complete, after [#endForce]. A change that is in progress ends first.
    /// The next change records that the structure is open, before anything else.
    ///
    /// A structure without a lock does nothing. It is completed when the scope of its arena has ended.
    void close();
}
