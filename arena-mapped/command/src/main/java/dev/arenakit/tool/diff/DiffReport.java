package dev.arenakit.tool.diff;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Counts the differences between two images, and prints the first ones of each allocation.
final class DiffReport {
    private final DiffForm form;
    private final long limit;
    private long gone;
    private long added;
    private long changed;
    private long same;

    /// The current allocation, until it is printed.
    private DiffForm.@Nullable Subject current;
    private boolean isChanged;
    private long details;
    private String unit = "";

    /// @param limit the largest number of details of each allocation
    DiffReport(DiffForm form, long limit) {
        this.form = form;
        this.limit = limit;
    }

    /// Reports an allocation that only the first image has.
    void gone(DiffForm.Subject allocation) throws IOException {
        gone++;
        form.gone(allocation);
    }

    /// Reports an allocation that only the second image has.
    void added(DiffForm.Subject allocation) throws IOException {
        added++;
        form.added(allocation);
    }

    /// Begins an allocation that both images have.
    void begin(DiffForm.Subject allocation) {
        current = allocation;
        isChanged = false;
        details = 0;
    }

    /// Reports that the current allocation has another size.
    void size(long before, long after) throws IOException {
        printChanged();
        form.size(before, after);
    }

    /// Reports that the current allocation has another type.
    void type(String before, String after) throws IOException {
        printChanged();
        form.type(before, after);
    }

    /// Counts a detail of the current allocation.
    ///
    /// @param unit the kind of detail, for the message that counts the details that were left out
    /// @return whether to print the detail
    boolean wants(String unit) throws IOException {
        printChanged();
        this.unit = unit;
        return ++details <= limit;
    }

    /// Prints a field that differs.
    ///
    /// @param bytes the first different byte in both images if the texts are equal, otherwise ""
    void field(String path, long byteOffset, String before, String after, String bytes) throws IOException {
        form.field(path, byteOffset, before, after, bytes);
    }

    /// Prints a struct whose key only the first image has.
    void goneStruct(String key, long index, String text) throws IOException {
        form.goneStruct(key, index, text);
    }

    /// Prints a struct whose key only the second image has.
    void addedStruct(String key, long index, String text) throws IOException {
        form.addedStruct(key, index, text);
    }

    /// Prints a range of bytes that differ.
    void bytes(long byteOffset, long byteSize, String before, String after) throws IOException {
        form.bytes(byteOffset, byteSize, before, after);
    }

    /// Ends the current allocation or a part of it: prints the number of details that were left out.
    void endPart() throws IOException {
        if (details > limit) {
            form.more(details - limit, unit, limit == 0);
        }
        details = 0;
    }

    /// Ends the current allocation.
    void end() {
        if (isChanged) {
            changed++;
        } else {
            same++;
        }
    }

    /// Prints the sums.
    ///
    /// @param isComplete whether everything could be compared
    /// @return whether anything differs
    boolean finish(boolean isComplete) throws IOException {
        DiffForm.Sums sums = new DiffForm.Sums(changed, gone, added, same);
        form.sums(sums, isComplete);
        return sums.isDifferent();
    }

    /// Whether an allocation exists in one image alone.
    boolean hasUnmatched() {
        return gone + added > 0;
    }

    private void printChanged() throws IOException {
        isChanged = true;
        if (current != null) {
            form.changed(current);
            current = null;
        }
    }
}
