package dev.arenakit.diagnostics;

/// The file mappings of the arenas and windows of this process.
///
/// @param mappings    the number of mappings
/// @param maxMappings the limit
public record MappingStatistics(long mappings, long maxMappings) {

    /// {@return the statistics as one sentence}
    @Override
    public String toString() {
        return "File mappings: " + mappings + " of " + maxMappings;
    }
}
