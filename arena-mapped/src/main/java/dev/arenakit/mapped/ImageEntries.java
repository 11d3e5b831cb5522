package dev.arenakit.mapped;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.entries.StoredStructure;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// The entries of a structure in an image, such as an [ImageLongMap]. They are read, and not mapped, also while the owner
/// of the image changes the structure. [ArenaImage#entries] returns them.
///
/// ```java
/// try (ArenaImage image = ArenaImage.open(base)) {
///     ImageEntries entries = image.entries(image.find("stock").orElseThrow()).orElseThrow();
///     ImageEntries.Cursor cursor = entries.cursor();
///     while (cursor.next()) {
///         dump.print(ExtentSource.of(cursor.entries()), System.out); // LayoutDump.of(entries.type())
///     }
/// }
/// ```
///
/// An entry is a struct of the [type][#type], whose members are `key` and `value`. A table has its entries in no order
/// that a program should rely on. Each entry is read whole.
///
/// **Damage.** Methods throw an [IOException] if the structure is damaged. They terminate, and need little memory, for any
/// bytes.
///
/// **Threads.** Instances are not thread-safe. They can be used until the image is closed.
public final class ImageEntries {
    private final StoredStructure structure;

    ImageEntries(StoredStructure structure) {
        this.structure = structure;
    }

    /// {@return the kind of the structure, which is the name of its class: `ImageLongMap`}
    public String kind() {
        return structure.kind();
    }

    /// {@return the type of an entry: a struct with the members `key` and `value`}
    public StructType type() {
        return structure.type();
    }

    /// {@return the state of the structure when its entries were requested}
    public StructureState state() {
        return structure.state();
    }

    /// Returns the number of entries that the structure has recorded. Unless it is [closed][StructureState#CLOSED], the
    /// number may be wrong.
    ///
    /// @return the number
    /// @throws IOException if it cannot be read
    public long recordedCount() throws IOException {
        return structure.recordedCount();
    }

    /// Returns the number of entries. If the owner was killed, or the machine has failed, all entries are read.
    ///
    /// @return the number; if the owner may be changing the structure, the number that it has recorded
    /// @throws IOException if the entries cannot be read, or the structure is damaged
    public long count() throws IOException {
        return structure.count();
    }

    /// Begins to read the entries.
    ///
    /// @return a cursor before the first entry
    /// @throws IOException if the structure cannot be read, or is damaged
    public Cursor cursor() throws IOException {
        return structure.cursor();
    }

    /// Returns whether entries were read until now whose check is wrong, because a disk, a copy or a stray pointer has
    /// changed them. Cursors and [sources][#source] read them as any other. Checks are compared while no process owns the
    /// image. An [ImageLongMap] has a check for up to three entries, which is compared if its owner has closed it. [#check]
    /// names the entries. Cursors of a tree throw an exception at a damaged page instead.
    ///
    /// @return whether there was one
    public boolean hasReadDamage() {
        return structure.hasReadDamage();
    }

    /// Reads an entry again.
    ///
    /// @param position its [position][Cursor#position]
    /// @param into     receives the entry; as large as the type
    /// @throws IOException if the entry cannot be read, or the structure is damaged
    public void read(long position, MemorySegment into) throws IOException {
        structure.read(position, into);
    }

    /// Returns the entries as bytes: an array of structs of the [type][#type]. Each transfer reads the entries from the
    /// first one on, up to the last one that it passes.
    ///
    /// @return the source
    public ExtentSource source() {
        return structure::transferTo;
    }

    /// Checks the structure: its header, and, unless an owner may be changing it, its entries and what the structure has
    /// recorded about them. The first problems are described, and the others counted.
    ///
    /// @param problems receives each problem, as a sentence without a full stop
    /// @return the number of entries that were found
    /// @throws IOException if a file is missing, truncated or cannot be read
    public long check(Consumer<? super String> problems) throws IOException {
        return structure.check(problems);
    }

    /// Reads entries in pieces.
    public interface Cursor {
        /// Reads the next entries.
        ///
        /// @return false if there are no more
        /// @throws IOException if they cannot be read, the structure is damaged, or the owner has replaced its table
        ///                     meanwhile, so that the entries must be read from the beginning
        boolean next() throws IOException;

        /// {@return the number of entries that were read, at least one}
        int count();

        /// {@return the entries that were read, one after another; they are valid until the next call of [#next]}
        MemorySegment entries();

        /// Returns the position of an entry, with which it can be read [again][ImageEntries#read].
        ///
        /// @param index its index among the entries that were read
        /// @return its position, which no other entry has
        long position(int index);
    }
}
