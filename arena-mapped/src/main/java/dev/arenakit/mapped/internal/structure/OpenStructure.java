package dev.arenakit.mapped.internal.structure;

/// A structure that its arena has open.
public interface OpenStructure {
    /// Prepares the structure for [#endForce]. Its contents are then written to the device.
    void beginForce();

    /// Records that the contents that [#beginForce] has seen are on the device.
    void endForce();

    /// Writes the structure to the device, and records that it is complete. It can be changed afterwards, and is not
    /// complete then.
    void close();
}
