package dev.arenakit.mapped.internal.structure;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.arena.GrowableAllocator;
import dev.arenakit.mapped.internal.arena.GrowableMemory;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The structures that an arena has open: one object for the memory of each. Thread-safe.
public final class Structures {
    /// The addresses that a structure reserves: 256 GiB.
    private static final long MAX_BYTE_SIZE = 1L << 38;

    private final NamedAllocations names;
    private final GrowableAllocator growing;
    private final long boot;
    private final Object forcing = new Object();
    private final IdentityHashMap<GrowableMemory, OpenStructure> open = new IdentityHashMap<>();

    /// @param boot the present boot of the machine
    public Structures(NamedAllocations names, GrowableAllocator growing, long boot) {
        this.names = names;
        this.growing = growing;
        this.boot = boot;
    }

    /// Repairs the structure that has a name, unless it is open. No thread opens it meanwhile.
    ///
    /// @param type   the recorded type
    /// @param isOpen the result if it is open
    /// @param repair repairs it
    public <R> R repair(String name, StructType type, R isOpen, Function<OwnedMemory, R> repair) {
        GrowableMemory memory = growable(name, type);
        synchronized (this) {
            return open.containsKey(memory) ? isOpen : repair.apply(new OwnedMemory(name, memory, boot));
        }
    }

    /// Opens the structure that has a name, or creates it, unless it is open.
    ///
    /// @param type    the recorded type
    /// @param kind    the class of the structure
    /// @param opening opens or creates it
    public <S extends OpenStructure> S open(String name, StructType type, Class<S> kind,
            Function<OwnedMemory, S> opening) {
        GrowableMemory memory = growable(name, type);
        synchronized (this) {
            OpenStructure present = open.get(memory);
            if (present == null) {
                S opened = opening.apply(new OwnedMemory(name, memory, boot));
                open.put(memory, opened);
                return opened;
            }
            if (!kind.isInstance(present)) {
                throw new IllegalStateException("Structure is open with another kind: name=" + name);
            }
            return kind.cast(present);
        }
    }

    private GrowableMemory growable(String name, StructType type) {
        names.restoreByteSize(name, type, (file, recorded) -> StructureFile.byteSize(file, recorded, boot));
        return names.growable(name, type, MAX_BYTE_SIZE, 1);
    }

    /// Writes data files, catalog and structures to the device.
    ///
    /// @throws UncheckedIOException if the device fails
    public void force() {
        // A structure ends the force that it has begun last.
        synchronized (forcing) {
            List<OpenStructure> forced = all();
            forced.forEach(OpenStructure::beginForce);
            growing.force();
            forced.forEach(OpenStructure::endForce);
        }
    }

    /// Records on the device that the changed structures are complete, after everything else was written. It is written,
    /// too, if numbers of elements have changed.
    ///
    /// @return the first failure, or null; the structures that failed stay incomplete
    public @Nullable RuntimeException close() {
        try {
            return closeChanged();
        } catch (UncheckedIOException e) {
            return e;
        } catch (IllegalStateException _) {
            // Another owner has taken the image over, and has opened the structures.
            return null;
        }
    }

    private @Nullable RuntimeException closeChanged() {
        List<OpenStructure> changed = all().stream().filter(OpenStructure::isChanged).toList();
        if (changed.isEmpty() && !growing.hasUnforced()) {
            return null;
        }
        force();
        RuntimeException failure = null;
        for (OpenStructure structure : changed) {
            try {
                synchronized (forcing) {
                    structure.close();
                }
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        return failure;
    }

    private synchronized List<OpenStructure> all() {
        return new ArrayList<>(open.values());
    }
}
