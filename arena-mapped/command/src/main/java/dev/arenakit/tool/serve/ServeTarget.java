package dev.arenakit.tool.serve;

import dev.arenakit.tool.image.StructRange;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The target of a request.
sealed interface ServeTarget {
    /// The list of all tables, `/`.
    record Index() implements ServeTarget {}

    /// The rows of a table, `/tables/IMAGE/NAME?rows=FROM..TO&columns=NAME,NAME`.
    ///
    /// @param range   the structs that are rows
    /// @param columns the names of the columns; none for all columns
    record Table(String image, String name, StructRange range, List<String> columns) implements ServeTarget {}

    /// The path of all tables.
    String TABLES = "tables";
    /// `7`, `7..9` with both ends, or `7..`.
    Pattern ROWS = Pattern.compile("(?<first>\\d{1,18})(?<many>\\.\\.(?<last>\\d{1,18})?)?");

    /// Parses the target of a request.
    ///
    /// @return the target, or empty if there is nothing at its path
    /// @throws IllegalArgumentException if the target is malformed
    static Optional<ServeTarget> of(String target) {
        int query = target.indexOf('?');
        String[] names = (query < 0 ? target : target.substring(0, query)).split("/", -1);
        if (!names[0].isEmpty()) {
            return Optional.empty();
        }
        if (names.length == 2 && names[1].isEmpty()) {
            return Optional.of(new Index());
        }
        if (names.length != 4 || !names[1].equals(TABLES)) {
            return Optional.empty();
        }
        StructRange range = StructRange.ALL;
        List<String> columns = List.of();
        Set<String> given = new HashSet<>();
        for (String parameter : query < 0 ? new String[0] : target.substring(query + 1).split("&", -1)) {
            int end = parameter.indexOf('=');
            String value = parameter.substring(end + 1);
            String name = end < 0 ? parameter : parameter.substring(0, end);
            if (!given.add(name)) {
                throw new IllegalArgumentException("Parameter is there twice: parameter=" + name);
            }
            switch (name) {
                case "rows" -> range = range(decode(value));
                case "columns" -> columns = List.of(decode(value).split(",", -1));
                default -> throw new IllegalArgumentException("Unknown parameter: parameter=" + parameter
                        + "; use rows or columns");
            }
        }
        return Optional.of(new Table(decode(names[2]), decode(names[3]), range, columns));
    }

    /// The path of a table, with its names encoded.
    ///
    /// @param label the label of the allocation
    /// @param number the number of the allocation
    static String path(String image, String label, long number) {
        // Clients resolve a path with these names as directories.
        boolean isDirectory = label.equals(".") || label.equals("..");
        return "/" + TABLES + "/" + encode(image) + "/" + encode(isDirectory ? "#" + number : label);
    }

    private static String encode(String name) {
        return URLEncoder.encode(name, UTF_8).replace("+", "%20");
    }

    private static StructRange range(String text) {
        Matcher parts = ROWS.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("Rows are no range: rows=" + text + "; use 7, 7..9 or 7..");
        }
        long first = Long.parseLong(parts.group("first"));
        if (parts.group("many") == null) {
            return new StructRange(first, 1);
        }
        if (parts.group("last") == null) {
            return new StructRange(first, Long.MAX_VALUE);
        }
        long last = Long.parseLong(parts.group("last"));
        if (last < first) {
            throw new IllegalArgumentException("The last row is before the first: rows=" + text);
        }
        return new StructRange(first, last - first + 1);
    }

    /// Decodes a name. Unlike the decoder of forms, this method keeps `+`, and refuses bytes that are no text.
    private static String decode(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                if (i + 2 >= text.length()) {
                    throw new IllegalArgumentException("Name ends within a code: name=" + text);
                }
                bytes.write(HexFormat.fromHexDigits(text, i + 1, i + 3));
                i += 2;
            } else {
                bytes.writeBytes(String.valueOf(c).getBytes(UTF_8));
            }
        }
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("Name is no text in UTF-8: name=" + text, e);
        }
    }
}
