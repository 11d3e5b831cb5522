package dev.arenakit.examples.zip;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The Java releases of the entries in a multi-release jar, in descending order.
final class Releases {
    static final String MANIFEST = "META-INF/MANIFEST.MF";

    /// The largest manifest. Manifests usually have a few kilobytes, and are parsed on the heap.
    static final long MAX_MANIFEST_BYTE_SIZE = 16 << 20;

    private static final Attributes.Name MULTI_RELEASE = new Attributes.Name("Multi-Release");
    private static final String META_INF = "META-INF/";
    private static final String VERSIONS = "META-INF/versions/";
    /// The length of the common prefix of the names of all entries that belong to a release.
    static final int PREFIX_LENGTH = VERSIONS.length();
    private static final int FIRST = 9;
    /// Entries for later releases are not found.
    private static final int LAST = FIRST + Long.SIZE - 1;

    private static final Releases NONE = new Releases(new int[0]);

    private final int[] releases;
    private final String[] prefixes;

    private Releases(int[] releases) {
        this.releases = releases;
        prefixes = new String[releases.length];
        for (int i = 0; i < releases.length; i++) {
            prefixes[i] = VERSIONS + releases[i] + '/';
        }
    }

    /// Returns whether a manifest declares a multi-release jar.
    static boolean isMultiRelease(InputStream manifest) throws IOException {
        return "true".equalsIgnoreCase(new Manifest(manifest).getMainAttributes().getValue(MULTI_RELEASE));
    }

    boolean isEmpty() {
        return releases.length == 0;
    }

    /// Finds the entry of the newest release that is not above a given release, or -1 if no release has it. As in
    /// JarFile, directories do not belong to a release.
    long find(CentralDirectory directory, ZipEntryTable table, CharSequence name, int release) {
        if (EntryNames.startsWith(name, META_INF)) {
            return ZipEntryTable.NOT_FOUND;
        }
        for (int i = 0; i < releases.length; i++) {
            if (releases[i] <= release) {
                long position = table.find(prefixes[i], name, EntryNames.hash(prefixes[i], name));
                if (position != ZipEntryTable.NOT_FOUND && !directory.isDirectory(position)) {
                    return position;
                }
            }
        }
        return ZipEntryTable.NOT_FOUND;
    }

    /// Collects releases.
    static final class Builder {
        private long bits;

        /// Adds the release of an entry, if the entry belongs to a release.
        void add(CentralDirectory directory, long position) {
            MemorySegment bytes = directory.bytes();
            int length = directory.nameLength(position);
            long name = directory.namePosition(position);
            int digits = PREFIX_LENGTH;
            if (EntryNames.match(VERSIONS, bytes, name, length, false) < 0) {
                return;
            }
            int release = 0;
            for (int i = digits; i < length && release <= LAST; i++) {
                byte b = bytes.get(JAVA_BYTE, name + i);
                if (b == '/') {
                    if (release >= FIRST) {
                        bits |= 1L << (release - FIRST);
                    }
                    return;
                }
                if (b < '0' || b > '9' || (b == '0' && release == 0)) {
                    return;
                }
                release = 10 * release + b - '0';
            }
        }

        Releases build() {
            if (bits == 0) {
                return NONE;
            }
            int[] releases = new int[Long.bitCount(bits)];
            int count = 0;
            for (int release = LAST; release >= FIRST; release--) {
                if ((bits & 1L << (release - FIRST)) != 0) {
                    releases[count++] = release;
                }
            }
            return new Releases(releases);
        }
    }
}
