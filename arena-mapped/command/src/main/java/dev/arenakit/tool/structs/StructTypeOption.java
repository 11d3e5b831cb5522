package dev.arenakit.tool.structs;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.console.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// The value of the option `--type`: the text of a struct or of a plain type, such as `uint32_t` or `float[4]`. `@FILE`
/// reads the text from a file.
public final class StructTypeOption implements ITypeConverter<StructType> {
    private static final String FIRST_LINE = "#pragma layout 3\n";
    /// The name of a type, with annotations such as `@big`, and the lengths of arrays.
    private static final Pattern PLAIN = Pattern
            .compile("(?<type>[A-Za-z_][^;{}\\[\\]]*)(?<lengths>(?:\\[[^;{}\\[\\]]*\\]\\s*)*);?\\s*");
    /// The text before a plain type, which makes it a struct that wraps the type.
    private static final String WRAPPER = "struct { ";
    private static final String PRAGMA = "#";
    private static final String FILE = "@";
    /// Some editors write it at the beginning of a file.
    private static final String BYTE_ORDER_MARK = "\ufeff";
    /// A larger file does not contain a declaration; the user has named it by mistake.
    private static final long MAX_FILE_SIZE = 1 << 24;

    @Override
    public StructType convert(String value) {
        String text = value.startsWith(FILE) ? read(value.substring(FILE.length())) : value;
        boolean isWhole = text.stripLeading().startsWith(PRAGMA);
        Matcher plain = PLAIN.matcher(text);
        try {
            if (plain.matches()) {
                return LayoutText.parse(FIRST_LINE + WRAPPER + plain.group("type") + " value" + plain.group("lengths")
                        + "; };");
            }
            return LayoutText.parse(isWhole ? text.stripLeading() : FIRST_LINE + text);
        } catch (LayoutParseException e) {
            int column = plain.matches() ? e.column() - WRAPPER.length() : e.column();
            throw new TypeConversionException("line " + (isWhole ? e.line() : e.line() - 1) + ", column " + column
                    + ": expected " + e.expected() + ", found " + e.found());
        }
    }

    private static String read(String name) {
        try {
            Path path = Path.of(name);
            if (Files.size(path) > MAX_FILE_SIZE) {
                throw new TypeConversionException(name + ": too large for the text of a struct");
            }
            String text = Files.readString(path);
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
        } catch (IOException e) {
            throw new TypeConversionException(name + ": " + ErrorText.of(e));
        } catch (InvalidPathException e) {
            throw new TypeConversionException(name + ": " + e.getReason());
        }
    }
}
