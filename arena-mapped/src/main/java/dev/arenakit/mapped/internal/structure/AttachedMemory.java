package dev.arenakit.mapped.internal.structure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;

/// The memory of a structure that another process owns, or that this process reads by an arena of its own. It is mapped
/// again when it has grown. Thread-safe.
public final class AttachedMemory implements StructureMemory {
    private final String name;
    private final Mapping mapping;
    private volatile MemorySegment present;

    private AttachedMemory(String name, Mapping mapping) throws IOException {
        this.name = name;
        this.mapping = mapping;
        present = mapping.map();
    }

    /// Maps the memory with its present size. Earlier segments stay mapped.
    public interface Mapping {
        MemorySegment map() throws IOException;
    }

    /// Opens the memory of a structure, also after the machine has failed.
    ///
    /// @throws IllegalStateException if the structure is not finished, damaged, or of another kind
    public static AttachedMemory open(String name, StructureKind kind, Mapping mapping) throws IOException {
        AttachedMemory memory = new AttachedMemory(name, mapping);
        MemorySegment header = memory.present;
        if (!StructureFormat.isWritten(header)) {
            throw new IllegalStateException("Structure is not finished: name=" + name
                    + "; its owner is creating it, or was killed before; try again");
        }
        StructureFormat.check(header, name, kind);
        return memory;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public MemorySegment segment() {
        return present;
    }

    @Override
    public synchronized MemorySegment segment(long byteSize) {
        if (present.byteSize() < byteSize) {
            try {
                MemorySegment mapped = mapping.map();
                present = mapped.byteSize() < byteSize ? present : mapped;
            } catch (IOException e) {
                throw new UncheckedIOException("Structure has grown and cannot be mapped: name=" + name, e);
            }
        }
        return StructureMemory.super.segment(byteSize);
    }
}
