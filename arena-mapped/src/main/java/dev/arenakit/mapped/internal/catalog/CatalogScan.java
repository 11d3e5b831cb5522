package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.internal.catalog.CatalogEntry.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.catalog.CatalogFormat.INT;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LINE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.SHORT;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Iterates over the entries of a catalog.
public final class CatalogScan {
    /// A larger window does not read faster.
    private static final int WINDOW = 1 << 16;

    /// A line may be read while its owner writes it: the sequence may be visible before the stores that precede it.
    private static final int ATTEMPTS = 3;

    /// The least size of a hole that is skipped. Reading fewer zeros takes less time than linking the system calls that
    /// find holes.
    private static final long LEAST_HOLE = 16 << 20;

    /// A gap that is larger than each catalog.
    private static final long WHOLE_FILE = Long.MAX_VALUE;

    private static final MemorySegment EMPTY = MemorySegment.ofArray(new byte[WINDOW]).asReadOnly();

    private final CatalogReader reader;
    private final CatalogWindow window;
    private final long end;
    private boolean wantsSeals;
    private boolean wantsOwners;
    private long position;
    /// The end of the lines that the entries claim so far, which may be behind the end of the scan.
    private long claimedEnd;
    /// The start of the lines before the position that were still empty when they were read.
    private long unwritten;
    /// The count that was read last, or null if there is none.
    private CatalogEntry.@Nullable Count count;
    /// The remaining slots of the run that was read last, or null if there are none.
    private @Nullable SlotScan slots;

    private CatalogScan(CatalogReader reader, CatalogWindow window, long start, long end) {
        this.reader = reader;
        this.window = window;
        this.end = end;
        position = start;
        unwritten = start;
    }

    /// A scan of the catalog up to its present end.
    public static CatalogScan of(CatalogReader reader) throws IOException {
        return of(reader, WINDOW);
    }

    /// @param largestGap the number of bytes without a valid entry after which the search for the end stops
    private static CatalogScan of(CatalogReader reader, long largestGap) throws IOException {
        CatalogWindow window = reader.window(WINDOW);
        return new CatalogScan(reader, window, CatalogFormat.FIRST_ENTRY, end(reader, window, largestGap));
    }

    /// A scan that returns the owners, and does not check the allocations.
    static CatalogScan ofOwners(CatalogReader reader) throws IOException {
        CatalogScan scan = of(reader);
        scan.wantsOwners = true;
        return scan;
    }

    /// A scan that returns the texts of seals, and does not read most of the other entries.
    static CatalogScan ofSeals(CatalogReader reader) throws IOException {
        CatalogScan scan = of(reader);
        scan.wantsSeals = true;
        return scan;
    }

    /// A scan that starts at an entry.
    public static CatalogScan at(CatalogReader reader, int line) throws IOException {
        return new CatalogScan(reader, reader.window(WINDOW), line * LINE, reader.end());
    }

    /// A scan of consecutive entries of one line.
    ///
    /// @param window an empty window of their size
    static CatalogScan of(CatalogReader reader, CatalogWindow window, int line, int lines) {
        return new CatalogScan(reader, window, line * LINE, (line + lines) * LINE);
    }

    /// A scan of a catalog that nobody writes, up to the last valid entry in the file.
    public static CatalogScan ofWholeFile(CatalogReader reader) throws IOException {
        return of(reader, WHOLE_FILE);
    }

    /// The end of the last valid entry. After the machine has failed, it may be behind the high-water mark, which is on
    /// another page.
    ///
    /// @param largestGap the number of bytes without a valid entry after which the search stops
    private static long end(CatalogReader reader, CatalogWindow window, long largestGap) throws IOException {
        long end = reader.end();
        // A text that begins in the gap may end behind it.
        long rest = Math.min(reader.byteSize() - end,
                largestGap == WHOLE_FILE
                        ? largestGap
                        : largestGap + CatalogFormat.textByteSize(CatalogFormat.LARGEST_TEXT));
        CatalogScan behind = new CatalogScan(reader, window, end, end + rest);
        while (behind.position - end < largestGap) {
            CatalogEntry entry = behind.next();
            if (entry == null) {
                break;
            }
            if (!(entry instanceof CatalogEntry.Unreadable)) {
                end = behind.position;
            }
        }
        return end;
    }

    /// The end of the scan, exclusive.
    public long end() {
        return end;
    }

    /// The end of the lines that the returned entries claim, or the end of the scan if that is later. If the machine has
    /// failed before the new size of the file was on the disk, the last entry claims lines behind the end of the file. An
    /// entry that is added there would be hidden by it as soon as the file has grown.
    public long claimedEnd() {
        return Math.max(claimedEnd, end);
    }

    /// The end of the lines of the entry that was returned last, which for an allocation in a run is the end of the
    /// run.
    public long position() {
        return position;
    }

    /// The next entry, or null if there is none.
    @Nullable
    public CatalogEntry next() throws IOException {
        if (slots != null) {
            CatalogEntry allocated = slots.next();
            if (allocated != null) {
                return allocated;
            }
            slots = null;
        }
        if (wantsOwners) {
            skipOthersThanOwners();
        }
        if (position >= end) {
            return null;
        }
        CatalogEntry entry = read();
        if (isFinished(entry)) {
            entry = Objects.requireNonNullElse(textAround(), entry);
        }
        long byteSize = byteSize(entry);
        boolean isWritten = byteSize > LINE || !(entry instanceof CatalogEntry.Unreadable) || isFinished(entry);
        if (!isWritten) {
            long windowEnd = windowEnd();
            byteSize = emptyByteSize(windowEnd);
            // No owner reserves lines in a hole.
            isWritten = byteSize > windowEnd - position;
        }
        position += byteSize;
        if (isWritten) {
            unwritten = position;
        }
        if (entry instanceof CatalogEntry.Run run && !wantsSeals && !wantsOwners) {
            slots = new SlotScan(run, window);
        }
        return entry instanceof CatalogEntry.Unreadable unreadable
                ? new CatalogEntry.Unreadable(unreadable.line(), (int) (byteSize / LINE), unreadable.isFinished())
                : entry;
    }

    private long windowEnd() throws IOException {
        return Math.min(position + WINDOW - window.at(position, LINE), end);
    }

    /// The size of the empty lines at the position, if all lines up to the end of the window are empty: up to there, or
    /// to the end of a large hole. Otherwise, the size of one line.
    private long emptyByteSize(long windowEnd) throws IOException {
        long at = window.at(position, LINE);
        long byteSize = windowEnd - position;
        if (MemorySegment.mismatch(window.bytes(), at, at + byteSize, EMPTY, 0, byteSize) >= 0) {
            return LINE;
        }
        long data = end - windowEnd < LEAST_HOLE ? windowEnd : reader.nextData(windowEnd);
        return Math.min(data & -LINE, end) - position;
    }

    /// The next entry of a kind, or empty if there is none.
    ///
    /// @throws UncheckedIOException from the file system
    public <T extends CatalogEntry> Optional<T> following(Class<T> kind) {
        try {
            CatalogEntry entry = next();
            while (entry != null && !kind.isInstance(entry)) {
                entry = next();
            }
            return Optional.ofNullable(entry).map(kind::cast);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFinished(CatalogEntry entry) {
        return entry instanceof CatalogEntry.Unreadable unreadable && unreadable.isFinished();
    }

    private CatalogEntry read() throws IOException {
        CatalogEntry entry = read(window.at(position, LINE));
        for (int i = 1; i < ATTEMPTS && isFinished(entry); i++) {
            window.reread(position, LINE);
            entry = read(window.at(position, LINE));
        }
        return entry;
    }

    /// The text that contains the position, if its first line was still empty when it was read. In that case this
    /// method moves the position to the start of the text.
    private @Nullable CatalogEntry textAround() throws IOException {
        if (unwritten == position) {
            return null;
        }
        long here = position;
        // No text begins earlier, if the zeros before it are many.
        long first = Math.max(unwritten, here - CatalogFormat.textByteSize(CatalogFormat.LARGEST_TEXT));
        window.refill(first);
        for (long start = first; start < here;) {
            long textEnd = start + textByteSize(window.at(start, LINE));
            if (textEnd > here && textEnd <= end) {
                position = start;
                CatalogEntry text = read();
                if (!isFinished(text)) {
                    return text;
                }
                position = here;
            }
            start = textEnd > start && textEnd <= here ? textEnd : start + LINE;
        }
        return null;
    }

    private CatalogEntry read(long at) throws IOException {
        int line = (int) (position / LINE);
        int sequence = window.bytes().get(INT, at);
        if (sequence == line && wantsSeals && isOtherThanSeal(at)) {
            return new CatalogEntry.Cancelled();
        }
        CatalogEntry entry = sequence != line ? null : switch (kind(at)) {
            case CatalogFormat.KIND_ALLOCATION -> allocation(line, at, number(at, CatalogFormat.OFFSET),
                    number(at, CatalogFormat.SIZE), 0, 0, null);
            case CatalogFormat.KIND_WHOLE -> whole(line, at, 0, null);
            case CatalogFormat.KIND_GROWABLE -> growable(line, at);
            case CatalogFormat.KIND_COUNT -> count(line, at);
            case CatalogFormat.KIND_FILE -> file(line, at);
            case CatalogFormat.KIND_OWNER -> owner(line, at);
            case CatalogFormat.KIND_RUN -> run(line, at);
            // A text beyond the end may be complete, but the next owner will overwrite it.
            case CatalogFormat.KIND_TEXT -> textByteSize(at) <= end - position ? reader.text(line, window) : null;
            case CatalogFormat.KIND_CANCELLED -> isSound(line, at, Text.NONE, Text.NONE)
                    ? new CatalogEntry.Cancelled()
                    : null;
            default -> null;
        };
        return entry == null ? new CatalogEntry.Unreadable(line, 1, sequence != 0) : entry;
    }

    /// Whether an entry of one line belongs to no seal.
    private boolean isOtherThanSeal(long at) {
        return switch (kind(at)) {
            case CatalogFormat.KIND_RUN -> false;
            case CatalogFormat.KIND_TEXT -> textByteSize(at) == LINE
                    && window.bytes().get(JAVA_BYTE, at + CatalogFormat.TEXT_BYTES) != CatalogFormat.SEAL;
            default -> true;
        };
    }

    /// Skips allocations and texts of one line. Bytes in the rest of an unfinished text, which may look like an entry,
    /// are not skipped.
    private void skipOthersThanOwners() throws IOException {
        while (position < end && unwritten == position) {
            long at = window.at(position, LINE);
            if (integer(at, 0) != (int) (position / LINE) || !isOtherThanOwner(at)) {
                return;
            }
            position += LINE;
            unwritten = position;
        }
    }

    /// Whether an entry of one line is an allocation or a text.
    private boolean isOtherThanOwner(long at) {
        return switch (kind(at)) {
            case CatalogFormat.KIND_ALLOCATION, CatalogFormat.KIND_WHOLE, CatalogFormat.KIND_GROWABLE,
                    CatalogFormat.KIND_COUNT ->
                true;
            case CatalogFormat.KIND_TEXT -> textByteSize(at) == LINE;
            default -> false;
        };
    }

    private @Nullable CatalogEntry count(int line, long at) {
        if (!isSound(line, at, Text.NONE, Text.NONE)) {
            return null;
        }
        count = new CatalogEntry.Count(line,
                CatalogFormat.checkedValue(window.bytes(), at, line, CatalogFormat.COUNT),
                CatalogFormat.checkedValue(window.bytes(), at, line, CatalogFormat.FORCED_COUNT),
                number(at, CatalogFormat.BOOT));
        return count;
    }

    private @Nullable CatalogEntry growable(int line, long at) throws IOException {
        CatalogEntry.Count before = count;
        return whole(line, at, number(at, CatalogFormat.LARGEST_SIZE),
                before != null && before.line() == line - 1 ? before : null);
    }

    private @Nullable CatalogEntry whole(int line, long at, long maxByteSize, CatalogEntry.@Nullable Count counted)
            throws IOException {
        long byteSize = CatalogFormat.checkedValue(window.bytes(), at, line, CatalogFormat.WHOLE_SIZE);
        byte partSize = window.bytes().get(JAVA_BYTE, at + CatalogFormat.PART_SIZE);
        long partByteSize = partSize == 0 ? 0 : 1L << partSize;
        return byteSize < 0 || partByteSize < 0 || maxByteSize < 0
                || (partByteSize > 0 && Math.ceilDiv(Math.max(byteSize, maxByteSize),
                        partByteSize) > CatalogFormat.LARGEST_PARTS)
                                ? null
                                : allocation(line, at, 0, byteSize, partByteSize, maxByteSize, counted);
    }

    private @Nullable CatalogEntry allocation(int line, long at, long byteOffset, long byteSize, long partByteSize,
            long maxByteSize, CatalogEntry.@Nullable Count counted) throws IOException {
        Text name = reader.text(integer(at, CatalogFormat.NAME));
        Text type = reader.text(integer(at, CatalogFormat.TYPE));
        return name == null || type == null || !isSound(line, at, name, type)
                || !isPossible(at, byteOffset, byteSize)
                        ? null
                        : new CatalogEntry.Allocated(line * LINE / CatalogFormat.SLOT, integer(at, CatalogFormat.FILE),
                                byteOffset, byteSize, partByteSize,
                                1L << window.bytes().get(JAVA_BYTE, at + CatalogFormat.ALIGNMENT),
                                integer(at, CatalogFormat.STATE),
                                number(at, CatalogFormat.TIME), number(at, CatalogFormat.THREAD), name, type,
                                maxByteSize, counted == null ? -1 : counted.valid(reader.boot()),
                                counted == null ? -1 : counted.stored());
    }

    private @Nullable CatalogEntry file(int line, long at) {
        int number = integer(at, CatalogFormat.FILE);
        long byteSize = number(at, CatalogFormat.WHOLE_SIZE) == 0
                ? number(at, CatalogFormat.SIZE)
                : CatalogFormat.checkedValue(window.bytes(), at, line, CatalogFormat.WHOLE_SIZE);
        return number < 0 || number > CatalogFormat.LARGEST_FILE || byteSize < 0
                || !isSound(line, at, Text.NONE, Text.NONE)
                        ? null
                        : new CatalogEntry.DataFile(line, number, byteSize, integer(at, CatalogFormat.STATE));
    }

    private @Nullable CatalogEntry run(int line, long at) {
        int lines = window.bytes().get(SHORT, at + CatalogFormat.LINES);
        CatalogEntry.Run run = new CatalogEntry.Run(line, lines, integer(at, CatalogFormat.FILE),
                number(at, CatalogFormat.OFFSET), number(at, CatalogFormat.SIZE),
                integer(at, CatalogFormat.BASE_ADDRESS), integer(at, CatalogFormat.STATE) - 1,
                number(at, CatalogFormat.TIME), number(at, CatalogFormat.THREAD));
        return lines < 1 || lines * LINE > end - position
                || !isSound(line, at, Text.NONE, Text.NONE)
                || !isPossible(at, run.byteOffset(), run.byteSize()) ? null : run;
    }

    private @Nullable CatalogEntry owner(int line, long at) throws IOException {
        Text jvm = reader.text(integer(at, CatalogFormat.JVM));
        return jvm == null || !isSound(line, at, jvm, Text.NONE)
                ? null
                : new CatalogEntry.Opened(number(at, CatalogFormat.PID), number(at, CatalogFormat.STARTED),
                        number(at, CatalogFormat.OPENED), jvm.text(), integer(at, CatalogFormat.STATE));
    }

    private boolean isSound(int line, long at, Text name, Text type) {
        return number(at, CatalogFormat.CHECKSUM) == CatalogFormat.checksum(window.bytes(), at, line, name.checksum(),
                type.checksum());
    }

    /// Whether an arena can have written the entry. A checksum does not protect against malicious input.
    private boolean isPossible(long at, long offset, long size) {
        byte alignment = window.bytes().get(JAVA_BYTE, at + CatalogFormat.ALIGNMENT);
        return offset >= 0 && size >= 0 && offset <= Long.MAX_VALUE - size
                && integer(at, CatalogFormat.FILE) >= CatalogFormat.NO_FILE
                && integer(at, CatalogFormat.FILE) <= CatalogFormat.LARGEST_FILE
                && alignment >= 0 && alignment < Long.SIZE - 1;
    }

    private byte kind(long at) {
        return window.bytes().get(JAVA_BYTE, at + CatalogFormat.KIND);
    }

    private int integer(long at, long field) {
        return window.bytes().get(INT, at + field);
    }

    private long number(long at, long field) {
        return window.bytes().get(LONG, at + field);
    }

    /// The size of an entry in the catalog. The bytes of a text, and the slots of a run, are not entries, even if the
    /// text or the run is unfinished.
    private long byteSize(CatalogEntry entry) throws IOException {
        long at = window.at(position, LINE);
        long claimed = Math.max(textByteSize(at), runByteSize(at));
        if (!isFinished(entry) || integer(at, 0) == (int) (position / LINE)) {
            claimedEnd = Math.max(claimedEnd, position + claimed);
        }
        long byteSize = isFinished(entry) ? 0 : claimed;
        return byteSize > 0 && byteSize <= end - position ? byteSize : LINE;
    }

    /// The size of the run that begins in a line, or 0 if no run begins there.
    private long runByteSize(long at) {
        int lines = window.bytes().get(SHORT, at + CatalogFormat.LINES);
        return kind(at) == CatalogFormat.KIND_RUN && lines > 0
                ? lines * LINE
                : 0;
    }

    /// The size of the text that begins in a line, or 0 if no text begins there.
    private long textByteSize(long at) {
        int size = integer(at, CatalogFormat.TEXT_SIZE);
        return kind(at) == CatalogFormat.KIND_TEXT && size >= 0
                && size <= CatalogFormat.LARGEST_TEXT ? CatalogFormat.textByteSize(size) : 0;
    }
}
