package dev.arenakit.internal.dump;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.LineNotes;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Prints the extents of a source as lines of `hexdump -C`.
public final class HexDumpPrinter implements ExtentSource.Sink {
    /*
     * The input buffer begins with the last full block, to compare the next line with. The bytes that are not printed
     * yet follow:
     *
     *   0                16                   16 + pending
     *   +----------------+--------------------+----------- - -
     *   | previous block | pending bytes      | free
     *   +----------------+--------------------+----------- - -
     *
     * Every block immediately follows its predecessor. In a run of equal blocks, each byte therefore equals the byte 16
     * positions before it, and one comparison finds the whole run at the speed of memory. Bytes are copied before they
     * are compared, because another thread or process may be writing them. So the printed bytes are the bytes that were
     * compared.
     *
     * At most three blocks of an extent of zeros go through the buffer. By then, repeated lines are being omitted. All
     * further blocks would be omitted, so only the offset is advanced.
     */
    private static final int BLOCK = 16;
    private static final int HALF = BLOCK / 2;
    private static final int INPUT_SIZE = 1 << 14;
    private static final int OUTPUT_SIZE = 1 << 16;

    /// The sum of up to 16 digits of the offset, two spaces, 49 columns of bytes, a space, 16 characters between bars,
    /// and a line feed.
    private static final int LONGEST_LINE = 16 + 2 + 49 + 1 + 18 + 1;

    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    /// Two digits and two spaces for each byte value, which are stored at once. The digits of the next byte overwrite
    /// the second space. In the middle and at the end of a line, the second space is part of the output.
    private static final int[] HEX = new int[256];
    private static final byte[] TEXT = new byte[256];
    private static final VarHandle FOUR_BYTES = MethodHandles
            .byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    static {
        for (int value = 0; value < 256; value++) {
            HEX[value] = DIGITS[value >> 4] | DIGITS[value & 0xf] << 8 | ' ' << 16 | ' ' << 24;
            TEXT[value] = (byte) (value >= 0x20 && value <= 0x7e ? value : '.');
        }
    }

    private final OutputStream target;
    private final boolean everyLine;
    private final @Nullable LineNotes notes;
    private final byte[] input = new byte[BLOCK + INPUT_SIZE];
    private final byte[] output = new byte[OUTPUT_SIZE];

    /// The offset of the first pending byte.
    private long offset;
    private int pending;
    private int written;
    private boolean hasPrevious;
    private boolean squeezing;

    /// @param target    the stream for the text
    /// @param offset    the offset of the first byte
    /// @param everyLine whether repeated lines are printed too
    /// @param notes     the notes at the ends of the lines, or null for none
    public HexDumpPrinter(OutputStream target, long offset, boolean everyLine, @Nullable LineNotes notes) {
        this.target = target;
        this.offset = offset;
        this.everyLine = everyLine;
        this.notes = notes;
    }

    @Override
    public void data(MemorySegment bytes) throws IOException {
        long byteSize = bytes.byteSize();
        for (long from = 0; from < byteSize;) {
            int count = (int) Math.min(INPUT_SIZE - pending, byteSize - from);
            MemorySegment.copy(bytes, JAVA_BYTE, from, input, BLOCK + pending, count);
            from += count;
            take(count);
        }
    }

    @Override
    public void zeros(long byteSize) throws IOException {
        if (everyLine) {
            zerosAsData(byteSize);
            return;
        }
        // The rest of a pending block, a line of zeros, and an omitted line.
        long first = Math.min(byteSize, BLOCK - pending + 2 * BLOCK);
        zerosAsData(first);
        long rest = byteSize - first;
        offset += rest & -BLOCK;
        zerosAsData(rest & (BLOCK - 1));
    }

    /// Prints the rest: a short line if bytes are pending, and the end offset.
    ///
    /// @param end the end offset if there was no byte at all
    public void finish(long end) throws IOException {
        if (pending > 0) {
            line(BLOCK, pending);
            offset += pending;
        } else if (!hasPrevious) {
            offset = end;
        }
        if (offset > 0) {
            makeRoom();
            offset();
            output[written++] = '\n';
        }
        flush();
    }

    private void zerosAsData(long byteSize) throws IOException {
        for (long left = byteSize; left > 0;) {
            int count = (int) Math.min(INPUT_SIZE - pending, left);
            Arrays.fill(input, BLOCK + pending, BLOCK + pending + count, (byte) 0);
            left -= count;
            take(count);
        }
    }

    /// Adds `count` bytes to the pending bytes, and prints the full blocks among them.
    private void take(int count) throws IOException {
        pending += count;
        int end = BLOCK + (pending & -BLOCK);
        int at = BLOCK;
        while (at < end) {
            int repeated = repeated(at, end);
            if (repeated > 0) {
                star();
                at += repeated;
                offset += repeated;
            } else {
                line(at, BLOCK);
                at += BLOCK;
                offset += BLOCK;
                hasPrevious = true;
                squeezing = false;
            }
        }
        pending -= at - BLOCK;
        System.arraycopy(input, at - BLOCK, input, 0, BLOCK + pending);
    }

    /// The number of bytes, in full blocks, that repeat the preceding block.
    private int repeated(int at, int end) {
        if (everyLine || !hasPrevious) {
            return 0;
        }
        int equal = Arrays.mismatch(input, at, end, input, at - BLOCK, end - BLOCK);
        return equal < 0 ? end - at : equal & -BLOCK;
    }

    private void star() throws IOException {
        if (!squeezing) {
            squeezing = true;
            makeRoom();
            output[written++] = '*';
            output[written++] = '\n';
        }
    }

    /// Prints a line as if it were full, so that the loops have constant lengths, and then blanks the missing bytes.
    private void line(int at, int count) throws IOException {
        makeRoom();
        offset();
        byte[] in = input;
        byte[] out = output;
        out[written] = ' ';
        out[written + 1] = ' ';
        int left = written + 2;
        int right = left + 3 * HALF + 1;
        int text = right + 3 * HALF + 2;
        for (int i = 0; i < HALF; i++) {
            FOUR_BYTES.set(out, left + 3 * i, HEX[in[at + i] & 0xff]);
            FOUR_BYTES.set(out, right + 3 * i, HEX[in[at + HALF + i] & 0xff]);
        }
        for (int i = 0; i < BLOCK; i++) {
            out[text + i] = TEXT[in[at + i] & 0xff];
        }
        if (count < BLOCK) {
            int end = count < HALF ? left + 3 * count : right + 3 * (count - HALF);
            Arrays.fill(out, end, text, (byte) ' ');
        }
        out[text - 1] = '|';
        out[text + count] = '|';
        written = text + count + 1;
        if (notes != null) {
            note(notes.note(offset, count));
        }
        output[written++] = '\n';
    }

    /// Appends a note, and leaves space for the line feed.
    private void note(String note) throws IOException {
        if (!note.isEmpty()) {
            byte[] utf8 = ("  " + note).getBytes(StandardCharsets.UTF_8);
            if (utf8.length >= OUTPUT_SIZE - written) {
                flush();
            }
            if (utf8.length < OUTPUT_SIZE) {
                System.arraycopy(utf8, 0, output, written, utf8.length);
                written += utf8.length;
            } else {
                target.write(utf8);
            }
        }
    }

    /// Prints the offset with at least 8 digits, as `hexdump` does.
    private void offset() {
        int digits = Math.max(8, BLOCK - Long.numberOfLeadingZeros(offset) / 4);
        long rest = offset;
        for (int i = written + digits - 1; i >= written; i--) {
            output[i] = DIGITS[(int) rest & 0xf];
            rest >>>= 4;
        }
        written += digits;
    }

    private void makeRoom() throws IOException {
        if (written > OUTPUT_SIZE - LONGEST_LINE) {
            flush();
        }
    }

    private void flush() throws IOException {
        target.write(output, 0, written);
        written = 0;
    }
}
