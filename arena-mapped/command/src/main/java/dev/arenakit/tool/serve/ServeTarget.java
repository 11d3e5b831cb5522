package dev.arenakit.tool.serve;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.image.StructRange;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.List;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The rows of a table: `/tables/IMAGE/NAME?rows=FROM..TO&columns=NAME,NAME`.
///
/// @param range   the structs that are rows
/// @param columns the names of the columns; none for all columns
record ServeTarget(String image, String name, StructRange range, List<String> columns) {
    /// Parses the target of a request.
    ///
    /// @return the target, or empty if it is the path of no table
    /// @throws IllegalArgumentException if the query is malformed
    static Optional<ServeTarget> of(URI uri) {
        String[] path = uri.getRawPath().split("/", -1);
        if (path.length != 4 || !path[1].equals("tables")) {
            return Optional.empty();
        }
        StructRange range = StructRange.ALL;
        List<String> columns = List.of();
        for (String parameter : uri.getRawQuery() == null ? new String[0] : uri.getRawQuery().split("&", -1)) {
            String[] parts = parameter.split("=", 2);
            switch (parts[0]) {
                case "rows" -> range = range(decode(parts[parts.length - 1]));
                case "columns" -> columns = List.of(decode(parts[parts.length - 1]).split(",", -1));
                default -> throw new IllegalArgumentException("Unknown parameter: parameter=" + parameter
                        + "; use rows or columns");
            }
        }
        return Optional.of(new ServeTarget(decode(path[2]), decode(path[3]), range, columns));
    }

    /// Parses `7`, `7..9` with both ends, or `7..`.
    private static StructRange range(String rows) {
        return StructRange.parse("rows[" + rows + (rows.endsWith("..") ? Long.MAX_VALUE : "") + "]")
                .filter(named -> named.name().equals("rows"))
                .orElseThrow(() -> new IllegalArgumentException("Rows are no range: rows=" + rows
                        + "; use 7, 7..9 or 7.."))
                .range();
    }

    /// The path of a table, with its names encoded.
    static String path(String image, Allocation allocation) {
        // Clients resolve a path with these names as directories.
        boolean isDirectory = List.of(".", "..").contains(allocation.label());
        return "/tables/" + encode(image) + "/"
                + encode(isDirectory ? "#" + allocation.number() : allocation.label());
    }

    /// In URLs, unlike in forms, `+` is no space.
    private static String encode(String name) {
        return URLEncoder.encode(name, UTF_8).replace("+", "%20");
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    }
}
