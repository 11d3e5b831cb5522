package dev.arenakit.tool.image;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Suggestions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds the allocations that the user requests by a name, a number such as `#7`, or a pattern such as `trade*`. Names
/// that do not exist are reported. An allocation with exactly the given name takes precedence, so names may contain
/// brackets and stars.
public final class RequestedAllocations {
    /// An allocation, and its requested structs.
    public record Request(Allocation allocation, StructRange range) {}

    /// The largest number of allocations that a pattern may match, since they are kept in memory.
    private static final int MAX_MATCHES = 1 << 17;

    private final Streams streams;
    private final ArenaImage image;
    private final Path base;
    private boolean failed;

    public RequestedAllocations(Streams streams, ArenaImage image, Path base) {
        this.streams = streams;
        this.image = image;
        this.base = base;
    }

    /// Finds whole allocations.
    ///
    /// @return the allocations that exist
    public List<Allocation> find(List<String> names) throws IOException {
        List<Allocation> found = new ArrayList<>();
        for (String name : names) {
            for (Request request : find(name)) {
                if (request.range.equals(StructRange.ALL)) {
                    found.add(request.allocation);
                } else {
                    fail(name + " names structs: arena show and arena find accept them");
                }
            }
        }
        return found;
    }

    /// Finds allocations, or some of their structs: `trades[7]` or `trades[100..200]`.
    ///
    /// @return the allocations that exist
    public List<Request> findStructs(List<String> names) throws IOException {
        List<Request> found = new ArrayList<>();
        for (String name : names) {
            found.addAll(find(name));
        }
        return found;
    }

    /// Whether a name did not exist.
    public boolean hasFailed() {
        return failed;
    }

    private List<Request> find(String name) throws IOException {
        List<Request> found = find(name, StructRange.ALL);
        if (!found.isEmpty()) {
            return found;
        }
        Optional<StructRange.Named> structs = StructRange.parse(name);
        if (structs.isPresent()) {
            StructRange range = structs.get().range();
            if (range.count() == 0) {
                fail(name + ": the last struct is before the first");
                return List.of();
            }
            found = find(structs.get().name(), range);
        }
        if (found.isEmpty()) {
            failUnknown(name, structs.map(StructRange.Named::name).orElse(name));
        }
        return found;
    }

    private void failUnknown(String requested, String name) throws IOException {
        String suggestion = "";
        if (!NamePattern.isPattern(name)) {
            try (Stream<Allocation> allocations = image.allocations()) {
                suggestion = Suggestions.of(name, allocations.filter(Allocation::isLive)
                        .flatMap(allocation -> allocation.name().stream()));
            }
        }
        fail((NamePattern.isPattern(requested) ? "no allocation matches " : "no allocation named ") + requested
                + (suggestion.isEmpty() ? " (try arena ls)" : suggestion));
    }

    private List<Request> find(String name, StructRange range) throws IOException {
        Optional<Allocation> exact = image.find(name);
        if (exact.isPresent()) {
            return List.of(new Request(exact.get(), range));
        }
        if (!NamePattern.isPattern(name)) {
            return List.of();
        }
        NamePattern pattern = new NamePattern(name);
        try (Stream<Allocation> allocations = image.allocations()) {
            List<Request> found = allocations
                    .filter(allocation -> allocation.isLive() && pattern.matches(allocation.label()))
                    .limit(MAX_MATCHES + 1)
                    .map(allocation -> new Request(allocation, range))
                    .toList();
            if (found.size() > MAX_MATCHES) {
                throw new IOException("more than " + Counts.grouped(MAX_MATCHES) + " allocations match " + name);
            }
            return found;
        }
    }

    private void fail(String problem) {
        failed = true;
        streams.report(base + ": " + problem);
    }

    /// The pattern of a name, in which `*` stands for any characters, and `?` for one.
    static final class NamePattern {
        private final Pattern pattern;

        NamePattern(String pattern) {
            List<String> parts = Stream.of(pattern.split("\\*", -1))
                    .map(part -> part.codePoints()
                            .mapToObj(c -> c == '?' ? "." : Pattern.quote(Character.toString(c)))
                            .collect(Collectors.joining()))
                    .toList();
            // The characters of earlier stars need not be changed: the atomic groups prevent that matching takes years.
            this.pattern = Pattern.compile(parts.getFirst() + (parts.size() == 1
                    ? ""
                    : parts.subList(1, parts.size() - 1)
                            .stream()
                            .map(part -> "(?>.*?" + part + ")")
                            .collect(Collectors.joining()) + ".*" + parts.getLast()),
                    Pattern.DOTALL);
        }

        /// Whether a name is a pattern.
        static boolean isPattern(String name) {
            return name.indexOf('*') >= 0 || name.indexOf('?') >= 0;
        }

        boolean matches(String name) {
            return pattern.matcher(name).matches();
        }
    }
}
