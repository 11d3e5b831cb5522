package dev.arenakit.internal.nativecall.sample;

import java.lang.foreign.GroupLayout;

import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A class as jextract would generate it from `struct Node { long key; long value; struct Node *address; }`.
public final class Node {
    private Node() {}

    /// The layout of the struct.
    public static GroupLayout layout() {
        return structLayout(JAVA_LONG.withName("key"), JAVA_LONG.withName("value"), ADDRESS.withName("address"))
                .withName("Node");
    }
}
