package dev.arenakit.mapped;

/// The state in which the last owner has left a structure, or has it now.
public enum StructureState {
    /// Its owner has closed it. All entries are there, and everything that was recorded about them is right.
    CLOSED,
    /// A running owner may be changing it. Entries are read whole. Together, they are no snapshot.
    OPEN,
    /// Its owner was killed. All entries are there. The recorded number of entries may lack the last change.
    KILLED,
    /// It was open when the machine failed, or when the image was moved without being
    /// [copied][ArenaImage#copyTo(java.nio.file.Path)]. Entries may be missing or out of date:
    /// [ImageStructures#repair(String)] keeps the intact ones.
    LOST,
    /// It is a tree that was open when the machine failed, or when the image was moved. Its entries are the entries of
    /// the last [InfiniteArena#force()], and all of them are there.
    FORCED,
    /// Its owner was killed while it created the structure, which has no entries.
    UNFINISHED
}
