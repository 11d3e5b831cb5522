package dev.arenakit.tool.diff;

import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;

/// Differences as lines for people.
///
/// @param streams the streams
record DiffText(Streams streams) implements DiffForm {
    private static final String INDENTATION = "    ";

    @Override
    public void gone(DiffForm.Subject allocation) throws IOException {
        line(AnsiCodes.RED, "- " + describe(allocation));
    }

    @Override
    public void added(DiffForm.Subject allocation) throws IOException {
        line(AnsiCodes.GREEN, "+ " + describe(allocation));
    }

    @Override
    public void changed(DiffForm.Subject allocation) throws IOException {
        line(AnsiCodes.YELLOW, "! " + describe(allocation));
    }

    @Override
    public void size(long before, long after) throws IOException {
        detail("size: " + exact(before), exact(after));
    }

    @Override
    public void type(String before, String after) throws IOException {
        detail("type: " + before, after);
    }

    @Override
    public void field(String path, long byteOffset, String before, String after, String bytes) throws IOException {
        detail(path + ": " + before, after + (bytes.isEmpty() ? "" : " (" + bytes + ")"));
    }

    @Override
    public void goneStruct(String key, long index, String text) throws IOException {
        streams.print(INDENTATION + streams.styled(AnsiCodes.RED, PrintableText.of("- " + key + ": " + text)) + "\n");
    }

    @Override
    public void addedStruct(String key, long index, String text) throws IOException {
        streams.print(INDENTATION + streams.styled(AnsiCodes.GREEN, PrintableText.of("+ " + key + ": " + text)) + "\n");
    }

    @Override
    public void bytes(long byteOffset, long byteSize, String before, String after) throws IOException {
        String where = byteSize == 1
                ? "0x%x".formatted(byteOffset)
                : "0x%x..0x%x".formatted(byteOffset, byteOffset + byteSize - 1);
        detail(where + ": " + Counts.of(byteSize, "byte") + ", " + before, after);
    }

    @Override
    public void more(long count, String unit, boolean isFirst) throws IOException {
        streams.print(INDENTATION + "(" + Counts.of(count, (isFirst ? "" : "more ") + unit) + ")\n");
    }

    @Override
    public void sums(DiffForm.Sums sums, boolean isComplete) throws IOException {
        streams.print(sums.isDifferent()
                ? "%s changed, %s gone, %s added, %s the same\n".formatted(Counts.grouped(sums.changed()),
                        Counts.grouped(sums.gone()), Counts.grouped(sums.added()),
                        Counts.grouped(sums.same()))
                : "no difference in " + Counts.of(sums.same(), "allocation")
                        + (isComplete ? "" : ", as far as they could be read") + "\n");
    }

    private void detail(String before, String after) throws IOException {
        streams.print(INDENTATION + PrintableText.of(before + " -> " + after) + "\n");
    }

    private void line(String colour, String text) throws IOException {
        streams.print(streams.styled(colour, PrintableText.of(text)) + "\n");
    }

    private static String describe(DiffForm.Subject allocation) {
        String what = allocation.type().byteSize() == 0 ? "" : allocation.typeText() + ", ";
        return allocation.label() + ": " + what + ByteSizes.format(allocation.byteSize());
    }

    private static String exact(long byteSize) {
        return ByteSizes.format(byteSize) + (byteSize < 1024 ? "" : " (" + byteSize + ")");
    }
}
