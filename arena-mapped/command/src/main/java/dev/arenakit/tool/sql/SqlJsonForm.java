package dev.arenakit.tool.sql;

import dev.arenakit.sql.SqlResult;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.JsonOutput;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// JSON Lines: each result has a line with the names of the columns, a line for each row, and a line with the number of
/// rows. Without this line the result is not complete.
final class SqlJsonForm implements SqlForm {
    private final JsonLines lines;

    SqlJsonForm(Streams streams) {
        lines = new JsonLines(streams, "sql");
    }

    @Override
    public long print(SqlResult result, Runnable cancellation) throws IOException {
        if (!result.hasRows()) {
            return 0;
        }
        List<String> names = unique(result.columns());
        lines.write("columns", json -> {
            json.writeName("names");
            array(json, names);
        });
        long rows = 0;
        for (; result.next(); rows++) {
            cancellation.run();
            lines.write("row", json -> {
                json.writeObjectPropertyStart("values");
                for (int i = 0; i < names.size(); i++) {
                    json.writeName(names.get(i));
                    value(json, result.value(i).orElse(null));
                }
                json.writeEndObject();
            });
        }
        long count = rows;
        lines.write("end", json -> json.writeNumberProperty("rows", count));
        return rows;
    }

    /// The names of the columns, made unique, since several columns of a query can have the same name.
    private static List<String> unique(List<String> columns) {
        Set<String> names = new LinkedHashSet<>();
        for (String column : columns) {
            String name = column;
            for (int i = 1; !names.add(name); i++) {
                name = column + "_" + i;
            }
        }
        return List.copyOf(names);
    }

    private static void array(JsonGenerator json, List<?> elements) {
        json.writeStartArray();
        elements.forEach(element -> value(json, element));
        json.writeEndArray();
    }

    private static void value(JsonGenerator json, @Nullable Object value) {
        switch (value) {
            case byte[] bytes -> json.writeString(SqlValues.text(bytes));
            case List<?> list -> array(json, list);
            case Map<?, ?> members -> {
                json.writeStartObject();
                members.forEach((name, member) -> {
                    json.writeName(String.valueOf(name));
                    value(json, member);
                });
                json.writeEndObject();
            }
            case null, default -> JsonOutput.writeValue(json, value);
        }
    }
}
