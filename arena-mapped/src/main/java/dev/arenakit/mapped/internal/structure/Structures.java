package dev.arenakit.mapped.internal.structure;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ImageTakenOverException;
import dev.arenakit.mapped.StructureRepair;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.arena.GrowableAllocator;
import dev.arenakit.mapped.internal.arena.GrowableMemory;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The structures that an arena has open: one object for the memory of each. Thread-safe.
public final class Structures {
    private final NamedAllocations names;
    private final GrowableAllocator growing;
    private final long boot;
    private final long maxByteSize;
    private final Object forcing = new Object();
    /// Whether the structures that previous owners have left open are complete, or open in this process.
    private boolean isPreviousComplete;
    private volatile boolean isClosing;
    private List<GrowableMemory> unfinished = List.of();
    private boolean isFinished;
    private final IdentityHashMap<GrowableMemory, OpenStructure> open = new IdentityHashMap<>();

    /// @param boot        the present boot of the machine
    /// @param maxByteSize the size up to which a structure can grow, if the address space has room
    public Structures(NamedAllocations names, GrowableAllocator growing, long boot, long maxByteSize) {
        this.names = names;
        this.growing = growing;
        this.boot = boot;
        this.maxByteSize = maxByteSize;
    }

    /// The size up to which a structure can grow, if the address space has room.
    public long maxByteSize() {
        return maxByteSize;
    }

    /// Repairs the structure that has a name, unless it is open or not finished. No thread opens it meanwhile.
    ///
    /// @param type   the recorded type
    /// @param repair repairs it
    public StructureRepair repair(String name, StructType type, Function<OwnedMemory, StructureRepair> repair) {
        GrowableMemory memory = growable(name, type);
        synchronized (this) {
            OwnedMemory owned = new OwnedMemory(name, memory, boot, this::checkOpen);
            return open.containsKey(memory) || owned.state() == StructureState.UNFINISHED
                    ? StructureRepair.NONE
                    : repair.apply(owned);
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
                present = opening.apply(new OwnedMemory(name, memory, boot, this::checkOpen));
                open.put(memory, present);
            }
            // Another kind has another recorded type, and was refused.
            return kind.cast(present);
        }
    }

    private GrowableMemory growable(String name, StructType type) {
        names.restoreByteSize(name, type, (file, recorded) -> StoredHeader.byteSize(file, recorded, boot));
        return names.growable(name, type, maxByteSize, 1);
    }

    /// Writes data files, catalog and structures to the device, also those that a killed owner has left and this process
    /// has not opened. The others are written, too, if a structure is damaged.
    ///
    /// @throws UncheckedIOException    if the device fails
    /// @throws ImageTakenOverException if another owner has taken the image over
    /// @throws IllegalStateException   if structures are damaged; all others were written
    public void force() {
        synchronized (forcing) {
            Failures failures = new Failures();
            force(all(), left(failures), failures);
            failures.check();
        }
    }

    /// @param left the files that [#left] has returned
    /// @return the structures that were written
    private List<OpenStructure> force(List<OpenStructure> structures, List<FileIdentity> left, Failures failures) {
        growing.checkOwner();
        List<OpenStructure> begun = run(structures, OpenStructure::beginForce, failures);
        growing.force();
        // Writing takes time, in which another owner may have begun to change the structures.
        growing.checkOwner();
        complete(left, failures);
        return run(begun, OpenStructure::endForce, failures);
    }

    /// Runs a step for structures. A structure whose memory is freed meanwhile may fail.
    ///
    /// @return the structures for which the step has succeeded
    private List<OpenStructure> run(List<OpenStructure> structures, Consumer<OpenStructure> step, Failures failures) {
        List<OpenStructure> succeeded = new ArrayList<>();
        for (OpenStructure structure : structures) {
            try {
                step.accept(structure);
                succeeded.add(structure);
            } catch (ImageTakenOverException e) {
                throw e;
            } catch (RuntimeException e) {
                if (all().contains(structure)) {
                    failures.add(e);
                }
            }
        }
        return succeeded;
    }

    /// Records on the device that all structures are complete, after everything else was written. It is written, too, if
    /// numbers of elements have changed. From now on, until [#goOn], no structure becomes incomplete that is complete.
    ///
    /// @return the first failure, or null; the structures that failed stay incomplete
    public @Nullable RuntimeException close() {
        isClosing = true;
        Failures failures = new Failures();
        try {
            synchronized (forcing) {
                unfinished = List.of();
                List<OpenStructure> changed = new ArrayList<>();
                run(all(), each -> {
                    if (each.isChanged()) {
                        changed.add(each);
                    }
                }, failures);
                List<FileIdentity> left = left(failures);
                if (!changed.isEmpty() || !left.isEmpty() || growing.hasUnforced()) {
                    List<OpenStructure> forced = force(changed, left, failures);
                    List<OpenStructure> closed = run(forced, OpenStructure::close, failures);
                    unfinished = incomplete(closed);
                }
            }
        } catch (ImageTakenOverException _) {
            // The new owner completes the structures.
        } catch (UncheckedIOException e) {
            failures.add(e);
        }
        return failures.first;
    }

    /// The memory of the structures that are not recorded as complete.
    private synchronized List<GrowableMemory> incomplete(List<OpenStructure> structures) {
        return open.entrySet()
                .stream()
                .filter(entry -> structures.contains(entry.getValue()) && entry.getValue().isChanged())
                .map(Map.Entry::getKey)
                .toList();
    }

    /// Completes the structures that [#close] could not complete while they were mapped, and forces the elements that were
    /// counted meanwhile. The scope of the arena has ended, and the image still belongs to this owner. A second call has
    /// no effect: the files may belong to the next owner.
    ///
    /// @throws UncheckedIOException if the device fails; the structures are as after a kill
    public void finish() {
        synchronized (forcing) {
            if (isFinished) {
                return;
            }
            isFinished = true;
            Failures failures = new Failures();
            failures.run(growing::finish);
            for (GrowableMemory memory : unfinished) {
                failures.run(() -> {
                    List<FileIdentity> files = memory.files();
                    for (FileIdentity file : files.reversed()) {
                        try (FileChannel channel = file.open()) {
                            channel.force(false);
                            if (file.equals(files.getFirst())) {
                                StoredHeader.close(channel);
                                channel.force(false);
                            }
                        }
                    }
                });
            }
            failures.check();
        }
    }

    /// Permits changes again: the arena could not be closed.
    public void goOn() {
        isClosing = false;
    }

    private void checkOpen() {
        if (isClosing) {
            throw new IllegalStateException("Arena is being closed, and its structures cannot be changed");
        }
    }

    /// The files of structures that a killed owner has left open, and this process has not opened. Files that are missing
    /// or not trusted are left out: opening their structures reports that.
    private synchronized List<FileIdentity> left(Failures failures) {
        List<FileIdentity> left = new ArrayList<>();
        if (!isPreviousComplete) {
            for (FileIdentity file : unopened(failures)) {
                failures.run(() -> {
                    try (FileChannel channel = file.open()) {
                        if (StoredHeader.isOpen(channel, boot)) {
                            left.add(file);
                        }
                    }
                });
            }
        }
        return left;
    }

    /// Records that structures are complete, whose contents are on the device. No thread opens them meanwhile.
    private synchronized void complete(List<FileIdentity> left, Failures failures) {
        boolean hadFailed = failures.first != null;
        if (!left.isEmpty()) {
            left.retainAll(unopened(failures));
        }
        boolean isComplete = true;
        for (FileIdentity file : left) {
            isComplete &= failures.run(() -> {
                try (FileChannel channel = file.open()) {
                    StoredHeader.complete(channel, boot);
                    channel.force(false);
                }
            });
        }
        isPreviousComplete |= isComplete && !hadFailed;
    }

    private List<FileIdentity> unopened(Failures failures) {
        List<FileIdentity> unopened = new ArrayList<>();
        failures.run(() -> names.previousGrowables()
                .stream()
                .filter(previous -> !open.containsKey(previous.memory()))
                .map(NamedAllocations.Previous::file)
                .forEach(unopened::add));
        return unopened;
    }

    /// The open structures. Those whose memory was freed are forgotten.
    private synchronized List<OpenStructure> all() {
        open.keySet().removeIf(memory -> !memory.isLive());
        return new ArrayList<>(open.values());
    }

    /// The failures of several structures.
    private static final class Failures {
        private @Nullable RuntimeException first;

        /// Runs a step. A file that is missing, or that is not trusted, is no failure.
        ///
        /// @return whether it has succeeded
        boolean run(Step step) {
            try {
                SafeFiles.uninterrupted(() -> {
                    step.run();
                    return this;
                });
                return true;
            } catch (NoSuchFileException | FileTrust.UntrustedException e) {
                return false;
            } catch (IOException e) {
                add(new UncheckedIOException("Structures cannot be completed: reason=" + e.getMessage(), e));
            } catch (UncheckedIOException e) {
                add(e);
            }
            return false;
        }

        void add(RuntimeException failure) {
            if (first == null) {
                first = failure;
            } else {
                first.addSuppressed(failure);
            }
        }

        void check() {
            if (first != null) {
                throw first;
            }
        }
    }

    private interface Step {
        void run() throws IOException;
    }
}
