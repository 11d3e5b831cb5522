package dev.arenakit.arrow;

import dev.arenakit.layout.text.LayoutText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A program whose consumer releases exports after the JVM has ended. The arguments are the directory of the consumer,
/// and the way in which the JVM ends.
final class LateReleaseChild {
    private LateReleaseChild() {}

    public static void main(String[] arguments) {
        ArrowPeer peer = ArrowPeer.open(Path.of(arguments[0]), Arena.global());
        MemorySegment numbers = Arena.ofShared().allocateFrom(JAVA_LONG, 7, 8);
        ArrowExport export = ArrowC.export(JAVA_LONG, numbers);
        ArrowStream stream = ArrowC.stream(
                LayoutText.parse("#pragma layout 2\nstruct Number { int64_t n; };"), numbers);
        long _ = peer.call("peer_keep", export.schemaAddress(), export.arrayAddress(), stream.address());
        if (arguments[1].equals("exit")) {
            System.exit(0);
        }
    }
}
