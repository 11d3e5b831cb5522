package dev.arenakit.mapped;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.entries.ColumnEntryReader;
import dev.arenakit.mapped.internal.entries.EntryBatch;
import dev.arenakit.mapped.internal.entries.EntryReader;
import dev.arenakit.mapped.internal.entries.EntrySource;
import dev.arenakit.mapped.internal.entries.LongEntryReader;
import dev.arenakit.mapped.internal.entries.TreeEntryReader;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The entries of a structure in an image, such as an [ImageLongMap] or a [dev.arenakit.layout.ColumnTable]. They are
/// read, and not mapped, also while the owner of the image changes the structure. [ArenaImage#entries] returns them.
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
/// An entry is a struct of the [type][#type], whose members are `key` and `value`, or a row of a table of columns. A
/// map has its entries in no order that a program should rely on. Each entry is read whole, except that rows of a table
/// may be replaced meanwhile.
///
/// **Damage.** Methods throw an [IOException] if the structure is damaged, and cursors at damaged entries: at a page of a
/// tree whose check is wrong, or at up to three entries of an [ImageLongMap] with a wrong check, which is compared if its
/// owner has closed it, and no process owns the image now. [#check] names the entries. Methods terminate, and need little
/// memory, for any bytes.
///
/// **Threads.** Instances are not thread-safe. They can be used until the image is closed.
public final class ImageEntries {
    /// The number of problems that are described.
    private static final int MOST_PROBLEMS = 10;
    /// No structure has less memory for an entry.
    private static final long LEAST_ENTRY = 16;
    private static final long MOST_ENTRIES = Long.MAX_VALUE / LEAST_ENTRY;

    private final EntrySource source;
    private @Nullable EntryReader reader;

    ImageEntries(EntrySource source) {
        this.source = source;
    }

    private EntryReader reader() throws IOException {
        if (reader == null) {
            try {
                if (hasKeys()) {
                    StructureFormat.check(source.header(), source.bytes().name(), source.kind());
                }
                reader = switch (source.kind()) {
                    case LONG_MAP -> new LongEntryReader(source);
                    case TREE -> new TreeEntryReader(source);
                    case COLUMN_TABLE -> new ColumnEntryReader(source);
                };
            } catch (IllegalStateException | IllegalArgumentException e) {
                throw new EntrySource.DamagedException(String.valueOf(e.getMessage()), e);
            }
        }
        return reader;
    }

    /// {@return the kind of the structure, which is the name of its class: `ImageLongMap`}
    public String kind() {
        return source.kind().typeName();
    }

    /// {@return the type of an entry: a struct with the members `key` and `value`, or a row of a table}
    public StructType type() {
        return source.type();
    }

    /// {@return whether entries have keys; rows of a table have indices}
    public boolean hasKeys() {
        return source.kind() != StructureKind.COLUMN_TABLE;
    }

    /// {@return the state of the structure when its entries were requested}
    public StructureState state() {
        return source.state();
    }

    /// Returns the number of entries that the structure has recorded. Unless it is [closed][StructureState#CLOSED], the
    /// number may be wrong.
    ///
    /// @return the number, or -1 if there is no room for as many
    /// @throws IOException if it cannot be read
    public long recordedCount() throws IOException {
        long recorded = source.state() == StructureState.UNFINISHED ? 0 : reader().recordedCount();
        return !hasKeys() || (recorded >= 0 && recorded <= MOST_ENTRIES
                && source.bytes().contains(recorded * LEAST_ENTRY))
                        ? recorded
                        : -1;
    }

    /// Returns the number of entries. If the owner was killed, or the machine has failed, all entries are read.
    ///
    /// @return the number; if the owner may be changing the structure, the number that it has recorded
    /// @throws IOException if the entries cannot be read, or the structure is damaged
    public long count() throws IOException {
        if (source.state() != StructureState.KILLED && source.state() != StructureState.LOST) {
            long recorded = recordedCount();
            if (recorded >= 0) {
                return recorded;
            }
        }
        return counted();
    }

    private long counted() throws IOException {
        long count = 0;
        for (Cursor cursor = cursor(); cursor.next();) {
            count += cursor.count();
        }
        return count;
    }

    /// Begins to read the entries.
    ///
    /// @return a cursor before the first entry
    /// @throws IOException if the structure cannot be read, or is damaged
    public Cursor cursor() throws IOException {
        return cursor(_ -> true);
    }

    /// Begins to read some members of the entries. The other columns of a table of columns are not read. Other
    /// structures are read whole.
    ///
    /// @param members the names of the members of the [type][#type] that are used; the others may be zeros
    /// @return a cursor before the first entry
    /// @throws IOException if the structure cannot be read, or is damaged
    public Cursor cursor(Predicate<String> members) throws IOException {
        return cursor(0, members);
    }

    private Cursor cursor(long first, Predicate<String> members) throws IOException {
        return new Cursor(
                source.state() == StructureState.UNFINISHED ? new EntryBatch() : reader().entries(first, members));
    }

    /// Reads an entry again.
    ///
    /// @param position its [position][Cursor#position]
    /// @param into     receives the entry; as large as the type
    /// @throws IOException if the entry cannot be read, or the structure is damaged
    public void read(long position, MemorySegment into) throws IOException {
        reader().read(position, into);
    }

    /// Returns the entries as bytes: an array of structs of the [type][#type]. Each transfer reads the entries from the
    /// first one on, up to the last one that it passes; of a table, it reads the rows that it passes.
    ///
    /// @return the source
    public ExtentSource source() {
        return source(_ -> true);
    }

    /// Returns the entries as bytes, as [#source()] does, and reads some members, as [#cursor(Predicate)] does.
    ///
    /// @param members the names of the members of the [type][#type] that are used; the others may be zeros
    /// @return the source
    public ExtentSource source(Predicate<String> members) {
        return (sink, skip, limit) -> transferTo(sink, skip, limit, members);
    }

    private long transferTo(ExtentSource.Sink sink, long skip, long limit, Predicate<String> members)
            throws IOException {
        // Rows of a table are found by their indices.
        long first = hasKeys() ? 0 : skip / type().byteSize();
        Cursor cursor = cursor(first, members);
        long skipped = first * type().byteSize();
        long left = limit;
        while (left > 0 && cursor.next()) {
            MemorySegment entries = cursor.entries();
            long from = Math.min(skip - skipped, entries.byteSize());
            skipped += from;
            long passed = Math.min(entries.byteSize() - from, left);
            if (passed > 0) {
                sink.data(entries.asSlice(from, passed));
                left -= passed;
            }
        }
        return skipped;
    }

    /// Checks the structure: its header, and, unless an owner may be changing it, its entries and what the structure has
    /// recorded about them. The first problems are described, and the others counted.
    ///
    /// @param problems receives each problem, as a sentence without a full stop
    /// @return the number of entries that were found
    /// @throws IOException if a file is missing, truncated or cannot be read
    public long check(Consumer<? super String> problems) throws IOException {
        long[] found = new long[1];
        Consumer<String> first = problem -> {
            if (found[0]++ < MOST_PROBLEMS) {
                problems.accept(problem);
            }
        };
        long count = 0;
        try {
            boolean isLost = source.state() == StructureState.LOST;
            if (isLost) {
                first.accept(
                        "Structure was open when the machine failed, or the image was moved without arena copy, and"
                                + " may be incomplete; " + StructureFormat.REPAIR);
            }
            count = source.mayChange() || isLost || source.state() == StructureState.UNFINISHED
                    ? counted()
                    : reader().check(first);
        } catch (EntrySource.DamagedException e) {
            first.accept(String.valueOf(e.getMessage()));
        }
        if (found[0] > MOST_PROBLEMS) {
            problems.accept("More problems of this structure: count=" + (found[0] - MOST_PROBLEMS));
        }
        return count;
    }

    /// Reads entries in pieces.
    public final class Cursor {
        private final EntryBatch batch;

        private Cursor(EntryBatch batch) {
            this.batch = batch;
        }

        /// Reads the next entries. A cursor that has thrown an exception must not be used again.
        ///
        /// @return false if there are no more
        /// @throws IOException if they cannot be read, the structure is damaged, or the owner has replaced its table
        ///                     meanwhile, so that the entries must be read from the beginning
        public boolean next() throws IOException {
            return batch.next();
        }

        /// {@return the number of entries that were read, at least one}
        public int count() {
            return batch.count;
        }

        /// {@return the entries that were read, one after another; they are valid until the next call of [#next]}
        public MemorySegment entries() {
            return batch.entries.asSlice(0, batch.count * type().byteSize());
        }

        /// Returns the position of an entry, with which it can be read [again][ImageEntries#read].
        ///
        /// @param index its index among the entries that were read
        /// @return its position, which no other entry has
        public long position(int index) {
            return batch.positions[index];
        }
    }
}
