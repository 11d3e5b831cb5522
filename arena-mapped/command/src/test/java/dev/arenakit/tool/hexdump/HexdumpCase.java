package dev.arenakit.tool.hexdump;

import dev.arenakit.tool.TestFile;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A command line of hexdump, and the output of the real program for it.
///
/// @param options  the options of the command line
/// @param files    the files of the command line
/// @param skip     the value of the option `-s`; 0 without the option
/// @param length   the value of the option `-n`; [Long#MAX_VALUE] without the option
/// @param expected the output of the real program
public record HexdumpCase(List<String> options, List<TestFile> files, long skip, long length, String expected) {
    /// The features that a useful set of cases contains.
    enum Feature {
        SQUEEZE, SQUEEZE_OF_ONE_LINE, SHORT_LAST_LINE, OFFSET_ABOVE_4_GIB, HOLE, SKIP_PAST_THE_END, SEVERAL_FILES, LENGTH, EVERY_LINE
    }

    private static final int FULL_LINE_TEXT = 16;

    /// The name `hexdump` and its arguments, which the command and the real program share.
    public String[] commandLine() {
        List<String> line = new ArrayList<>(List.of("hexdump"));
        line.addAll(options);
        files.forEach(file -> line.add(file.path().toString()));
        return line.toArray(String[]::new);
    }

    HexdumpCase withExpected(String text) {
        return new HexdumpCase(options, files, skip, length, text);
    }

    /// The features of this case, taken from the output of the real program where possible.
    Set<Feature> features() {
        Set<Feature> features = EnumSet.noneOf(Feature.class);
        addFeaturesOfOptions(features);
        List<String> lines = expected.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.equals("*")) {
                features.add(Feature.SQUEEZE);
                if (offset(lines.get(i + 1)) - offset(lines.get(i - 1)) == 32) {
                    features.add(Feature.SQUEEZE_OF_ONE_LINE);
                }
            } else if (line.endsWith("|")) {
                if (line.length() - line.indexOf('|') - 2 < FULL_LINE_TEXT) {
                    features.add(Feature.SHORT_LAST_LINE);
                }
                if (offset(line) >= 1L << 32) {
                    features.add(Feature.OFFSET_ABOVE_4_GIB);
                }
            }
        }
        return features;
    }

    private void addFeaturesOfOptions(Set<Feature> features) {
        long start = 0;
        long end = length < Long.MAX_VALUE - skip ? skip + length : Long.MAX_VALUE;
        for (TestFile file : files) {
            if (file.hasHole(Math.max(0, skip - start), Math.min(file.byteSize(), end - start))) {
                features.add(Feature.HOLE);
            }
            start += file.byteSize();
        }
        if (skip > start) {
            features.add(Feature.SKIP_PAST_THE_END);
        }
        if (files.size() > 1) {
            features.add(Feature.SEVERAL_FILES);
        }
        if (length < Long.MAX_VALUE) {
            features.add(Feature.LENGTH);
        }
        if (options.contains("-v")) {
            features.add(Feature.EVERY_LINE);
        }
    }

    private static long offset(String line) {
        int end = line.indexOf(' ');
        return Long.parseLong(end < 0 ? line : line.substring(0, end), 16);
    }
}
