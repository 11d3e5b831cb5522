package dev.arenakit.mapped.internal.structure;

/// A structure that its arena has open.
public interface OpenStructure {
    /// Prepares the structure for [#endForce]. Its contents are then written to the device.
    void beginForce();

    /// Records that the contents that [#beginForce] has seen are on the device.
    void endForce();

    /// Whether the structure has changed since it was opened, or closed, and has not been freed.
    boolean isChanged();

    /// Records on the device that the structure is complete, after [#endForce]. It can be changed afterwards, and is not
    /// complete then.
    void close();
}
