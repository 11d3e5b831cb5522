package dev.arenakit.mapped.internal.structure;

import dev.arenakit.mapped.internal.arena.GrowableMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The structures that an arena has open: one object for the memory of each. Thread-safe.
public final class Structures {
    /// The addresses that a structure reserves unless its maximum is given: 256 GiB.
    public static final long DEFAULT_MAX_BYTE_SIZE = 1L << 38;

    private final long boot;
    private final Object forcing = new Object();
    private final IdentityHashMap<GrowableMemory, OpenStructure> open = new IdentityHashMap<>();

    /// @param boot the present boot of the machine
    public Structures(long boot) {
        this.boot = boot;
    }

    /// The present boot of the machine.
    public long boot() {
        return boot;
    }

    /// The memory of a structure, for its repair.
    public synchronized OwnedMemory memory(String name, GrowableMemory memory) {
        return new OwnedMemory(name, memory, boot, open.containsKey(memory));
    }

    /// Opens the structure in some memory, or creates it, unless it is open.
    ///
    /// @param type    the class of the structure
    /// @param opening opens or creates it
    public synchronized <S extends OpenStructure> S open(String name, GrowableMemory memory, Class<S> type,
            Function<OwnedMemory, S> opening) {
        OpenStructure present = open.get(memory);
        if (present == null) {
            S opened = opening.apply(memory(name, memory));
            open.put(memory, opened);
            return opened;
        }
        if (!type.isInstance(present)) {
            throw new IllegalStateException("Structure is open with another kind: name=" + name);
        }
        return type.cast(present);
    }

    /// Writes everything to the device.
    ///
    /// @param files writes data files and catalog
    public void force(Forcing files) throws IOException {
        // A structure ends the force that it has begun last.
        synchronized (forcing) {
            List<OpenStructure> forced = all();
            forced.forEach(OpenStructure::beginForce);
            files.force();
            forced.forEach(OpenStructure::endForce);
        }
    }

    /// Records on the device that the changed structures are complete, after everything else was written.
    ///
    /// @param hasOthers whether other memory must be written, too
    /// @param files     writes data files and catalog
    /// @return the first failure, or null; the structures that failed stay incomplete
    public @Nullable RuntimeException close(boolean hasOthers, Forcing files) throws IOException {
        List<OpenStructure> changed = all().stream().filter(OpenStructure::isChanged).toList();
        if (changed.isEmpty() && !hasOthers) {
            return null;
        }
        force(files);
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

    /// Writes data files and catalog to the device.
    public interface Forcing {
        void force() throws IOException;
    }
}
