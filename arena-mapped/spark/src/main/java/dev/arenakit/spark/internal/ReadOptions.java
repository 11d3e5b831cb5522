package dev.arenakit.spark.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/// The options of a table.
///
/// @param paths          paths and globs of images
/// @param zeros          whether structs whose bytes are all zero are rows
/// @param imageColumn    the name of the column of the image's path, if there is one
/// @param pidColumn      the name of the column of the process id, if there is one
/// @param partitionBytes the number of written bytes for a partition
record ReadOptions(List<String> paths, String allocation, boolean zeros, Optional<String> imageColumn,
        Optional<String> pidColumn, long partitionBytes) {
    private static final long PARTITION_BYTES = 64 << 20;

    static ReadOptions of(CaseInsensitiveStringMap options) {
        List<String> paths = new ArrayList<>();
        Optional.ofNullable(options.get("path")).ifPresent(paths::add);
        // Spark's form of several paths.
        Optional.ofNullable(options.get("paths")).ifPresent(several -> paths.addAll(parse(several)));
        String allocation = options.get("allocation");
        if (paths.isEmpty() || allocation == null || allocation.isEmpty()) {
            throw new IllegalArgumentException("Table needs a path and an allocation: path=" + paths + ", allocation="
                    + allocation + "; pass the base of an image or a glob to load(), and option(\"allocation\", name)");
        }
        long partitionBytes = options.getLong("partitionBytes", PARTITION_BYTES);
        if (partitionBytes <= 0) {
            throw new IllegalArgumentException("Option is not positive: partitionBytes=" + partitionBytes);
        }
        return new ReadOptions(List.copyOf(paths), allocation, options.getBoolean("zeros", false),
                Optional.ofNullable(options.get("imageColumn")), Optional.ofNullable(options.get("pidColumn")),
                partitionBytes);
    }

    /// The names of the columns that have the same value in all rows of an image.
    Set<String> addedColumns() {
        return Stream.concat(imageColumn.stream(), pidColumn.stream()).collect(Collectors.toSet());
    }

    private static List<String> parse(String paths) {
        try {
            return Arrays.asList(new ObjectMapper().readValue(paths, String[].class));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Paths are no JSON array of strings: paths=" + paths, e);
        }
    }
}
