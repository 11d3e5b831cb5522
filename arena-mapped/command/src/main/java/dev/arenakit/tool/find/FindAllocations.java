package dev.arenakit.tool.find;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.FileTruncation;
import dev.arenakit.tool.image.RequestedAllocations;
import dev.arenakit.tool.image.RequestedAllocations.Request;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.image.TypeNames;
import dev.arenakit.tool.where.WhereFilter;
import dev.arenakit.tool.where.WhereFilters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Searches the allocations that the user has named, or else all live allocations. If an allocation cannot be searched,
/// this is reported, and the search goes on.
final class FindAllocations {
    private final Streams streams;
    private final ArenaImage image;
    private final Optional<StructType> givenType;
    private final Optional<WhereFilters> filters;
    private final Optional<byte[]> pattern;
    private final FindReport report;
    private boolean failed;
    private long searched;

    /// @param filters a condition on structs, or empty to search for bytes
    /// @param pattern the bytes to search for, or empty to search for structs
    FindAllocations(Streams streams, ArenaImage image, Optional<StructType> givenType, Optional<WhereFilters> filters,
            Optional<byte[]> pattern, FindReport report) {
        this.streams = streams;
        this.image = image;
        this.givenType = givenType;
        this.filters = filters;
        this.pattern = pattern;
        this.report = report;
    }

    /// Searches allocations until there are enough results.
    ///
    /// @param names the allocations to search; none for all live allocations
    /// @return whether all allocations could be searched
    boolean run(Path base, List<String> names) throws IOException {
        if (names.isEmpty()) {
            new AllocationSequence(image).forEachLive(allocation -> search(allocation, StructRange.ALL, false));
            if (searched == 0 && !failed && report.isWanted()) {
                streams.report(base + ": no allocation " + (pattern.isPresent()
                        ? "has bytes"
                        : "has a type: give one with --type (try arena ls)"));
            }
            return !failed;
        }
        RequestedAllocations requested = new RequestedAllocations(streams, image, base);
        List<Request> requests = requested.findStructs(names);
        for (Request request : requests) {
            search(request.allocation(), request.range(), true);
        }
        return !failed && !requested.hasFailed();
    }

    private void search(Allocation allocation, StructRange range, boolean isNamed) throws IOException {
        if (report.isFull()) {
            return;
        }
        Optional<StructType> type = type(allocation);
        boolean needsType = pattern.isEmpty() || !range.equals(StructRange.ALL);
        if (type.isEmpty() && needsType) {
            if (isNamed && allocation.typeText().isEmpty()) {
                fail(allocation, "its type is not recorded: give the type with --type, or search for bytes");
            }
            return;
        }
        try {
            Optional<AllocationStructs> structs = type.isPresent()
                    ? structs(allocation, type.get())
                    : Optional.empty();
            Optional<String> missing = structs.flatMap(found -> found.missing(range));
            if (missing.isPresent()) {
                fail(allocation, missing.get());
                return;
            }
            searched++;
            if (pattern.isPresent()) {
                searchBytes(allocation, pattern.get(), structs.map(AllocationStructs::type), range);
            } else {
                searchStructs(allocation, structs.orElseThrow(), range);
            }
            FileTruncation.message(image, allocation)
                    .or(() -> structs.flatMap(AllocationStructs::loss))
                    .ifPresent(message -> fail(allocation, message));
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException | UncheckedIOException e) {
            fail(allocation, ErrorText.of(ErrorText.cause(e)));
        }
    }

    /// @param type  the type of the structs, or empty if it is unknown
    /// @param range the structs to search; all bytes if there is no type
    private void searchBytes(Allocation allocation, byte[] bytes, Optional<StructType> type, StructRange range)
            throws IOException {
        long struct = type.map(StructType::byteSize).orElse(1L);
        boolean isWhole = range.equals(StructRange.ALL) || struct == 0;
        long from = isWhole ? 0 : range.first() * struct;
        long byteSize = isWhole || range.count() > Long.MAX_VALUE / struct ? Long.MAX_VALUE : range.count() * struct;
        if (report.isWanted()) {
            ByteScan.search(read(image.source(allocation)), bytes, from, byteSize,
                    at -> report.bytes(allocation, type, at));
        }
    }

    /// If the report wants no further results, only the type is checked.
    private void searchStructs(Allocation allocation, AllocationStructs structs, StructRange range)
            throws IOException {
        Optional<WhereFilter> filter = filters.orElseThrow().filter(structs);
        if (filter.isPresent() && report.isWanted()) {
            ExtentSource source = read(structs.entries().isPresent()
                    ? structs.entries().get().source(filter.get().members()::contains)
                    : image.source(allocation));
            StructRange within = structs.within(range);
            filter.get().search(source, within.first(), within.count(), (first, count, _) -> {
                boolean isWanted = true;
                for (long index = first; index < first + count && isWanted; index++) {
                    isWanted = report.struct(allocation, index);
                }
                return isWanted;
            });
        }
    }

    private ExtentSource read(ExtentSource source) {
        return streams.progress().reading(source, "searching", 0);
    }

    /// The structs to search. The entries of a structure have no fixed places, so that their bytes have no type.
    private Optional<AllocationStructs> structs(Allocation allocation, StructType type) throws IOException {
        if (givenType.isPresent()) {
            return Optional.of(AllocationStructs.inBytes(image, allocation, type));
        }
        AllocationStructs structs = AllocationStructs.recorded(image, allocation, type);
        return structs.entries().isPresent() && pattern.isPresent() ? Optional.empty() : Optional.of(structs);
    }

    private Optional<StructType> type(Allocation allocation) {
        return givenType.isPresent()
                ? givenType
                : TypeNames.readable(image, allocation, message -> fail(allocation, message));
    }

    private void fail(Allocation allocation, String reason) {
        failed = true;
        streams.report(allocation.label() + ": " + reason);
    }
}
