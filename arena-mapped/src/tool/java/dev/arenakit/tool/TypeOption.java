package dev.arenakit.tool;

import dev.arenakit.layout.LayoutParseException;
import dev.arenakit.layout.LayoutText;
import dev.arenakit.layout.StructType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// A struct as an option: its text, or `@` and the name of a file with it.
final class TypeOption implements ITypeConverter<StructType> {
    private static final String FIRST_LINE = "#pragma layout 1\n";
    private static final String PRAGMA = "#";
    private static final String FILE = "@";
    /// More is not a declaration of a struct, but a file named by mistake.
    private static final long LARGEST_FILE = 1 << 24;

    @Override
    public StructType convert(String value) {
        String text = value.startsWith(FILE) ? read(value.substring(FILE.length())) : value;
        boolean isWhole = text.stripLeading().startsWith(PRAGMA);
        try {
            return LayoutText.parse(isWhole ? text.stripLeading() : FIRST_LINE + text);
        } catch (LayoutParseException e) {
            throw new TypeConversionException("line " + (isWhole ? e.line() : e.line() - 1) + ", column " + e.column()
                    + ": expected " + e.expected() + ", found " + e.found());
        }
    }

    private static String read(String name) {
        try {
            Path path = Path.of(name);
            if (Files.size(path) > LARGEST_FILE) {
                throw new TypeConversionException(name + ": too large for the text of a struct");
            }
            return Files.readString(path);
        } catch (IOException e) {
            throw new TypeConversionException(name + ": " + Streams.reason(e));
        } catch (InvalidPathException e) {
            throw new TypeConversionException(name + ": " + e.getReason());
        }
    }
}
