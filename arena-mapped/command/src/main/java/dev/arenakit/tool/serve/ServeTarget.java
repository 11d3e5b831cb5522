package dev.arenakit.tool.serve;

import dev.arenakit.tool.image.StructRange;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        Map<String, String> query = new HashMap<>();
        for (String parameter : uri.getRawQuery() == null ? new String[0] : uri.getRawQuery().split("&", -1)) {
            String[] parts = parameter.split("=", 2);
            if (parts.length < 2 || !List.of("rows", "columns").contains(parts[0])) {
                throw new IllegalArgumentException("Unknown parameter: parameter=" + parameter
                        + "; use rows or columns");
            }
            if (query.put(parts[0], decode(parts[1])) != null) {
                throw new IllegalArgumentException("Parameter is there twice: parameter=" + parts[0]);
            }
        }
        return Optional.of(new ServeTarget(decode(path[2]), decode(path[3]),
                query.containsKey("rows") ? range(query.get("rows")) : StructRange.ALL,
                query.containsKey("columns") ? List.of(query.get("columns").split(",", -1)) : List.of()));
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
    ///
    /// @param label  the label of the allocation
    /// @param number the number of the allocation
    static String path(String image, String label, long number) {
        // Clients resolve a path with these names as directories.
        boolean isDirectory = label.equals(".") || label.equals("..");
        return "/tables/" + encode(image) + "/" + encode(isDirectory ? "#" + number : label);
    }

    /// In URLs, unlike in forms, `+` is no space.
    private static String encode(String name) {
        return URLEncoder.encode(name, UTF_8).replace("+", "%20");
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    }
}
