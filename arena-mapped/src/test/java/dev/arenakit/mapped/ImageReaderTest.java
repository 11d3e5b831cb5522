package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/// Tests an image that is read while several threads of another process write it. The reader finds only complete and
/// correct records, and no problems.
@Tag("full")
class ImageReaderTest {
    private static final int PIECES = 300;
    private static final int PLAIN = 0;
    private static final int CHUNKED = 3;

    @Test
    void read_whileOthersWrite_seesCompleteRecordsAndMoreEachTime() throws Exception {
        Path directory = TestFileSystem.BUILD.newDirectory();
        Process writer = ChildJvm.denied()
                .command(ImageChild.class, "write-some", directory.toString(), "" + PIECES, "" + PLAIN,
                        "" + CHUNKED)
                .start();
        try (Arena arena = Arena.ofConfined(); BufferedReader output = writer.inputReader()) {
            ImageProgress progress = new ImageProgress(ImageChild.progress(directory), arena);
            while (!progress.isBuilt(PLAIN) || !progress.isBuilt(CHUNKED)) {
                Thread.onSpinWait();
                assertThat(writer.isAlive()).isTrue();
            }
            try (ArenaImage plain = ArenaImage.open(ImageChild.base(directory, PLAIN));
                    ArenaImage chunked = ArenaImage.open(ImageChild.base(directory, CHUNKED))) {
                Set<ImagePiece> inPlain = Set.of();
                Set<ImagePiece> inChunked = Set.of();
                boolean isDone = false;
                while (!isDone) {
                    // Check before the last pass.
                    isDone = output.ready() && output.readLine().equals("done");
                    inPlain = look(plain, inPlain, progress, PLAIN);
                    inChunked = look(chunked, inChunked, progress, CHUNKED);
                }
                assertThat(inPlain).hasSizeGreaterThan(100 * ImagePiece.THREADS);
                assertThat(inChunked).hasSize(PIECES * ImagePiece.THREADS);
            }
        } finally {
            writer.destroyForcibly().waitFor();
            TestFileSystem.remove(directory);
        }
    }

    /// @return the pieces that were found
    private static Set<ImagePiece> look(ArenaImage image, Set<ImagePiece> before, ImageProgress progress, int number)
            throws IOException {
        assertThat(image.problems()).isEmpty();
        assertThat(image.ownerIsAlive()).isTrue();
        assertThat(image.owners()).singleElement().matches(owner -> !owner.isClosed());
        ImageProgress.Known known = progress.known(number);
        List<Allocation> all = image.allocations().toList();
        ImageProgress.Known later = progress.known(number);
        Set<ImagePiece> pieces = new HashSet<>();
        for (Allocation allocation : all) {
            ImagePiece piece = piece(allocation);
            boolean isRight = pieces.add(piece) && piece.isRecordedBy(allocation) && later.mayBeAllocated(piece)
                    && (allocation.isLive() ? !known.isFreed(piece) : later.mayBeFreed(piece));
            assertThat(isRight).as("%s as %s", piece, allocation).isTrue();
        }
        for (int thread = 0; thread < ImagePiece.THREADS; thread++) {
            for (int n = 0; n < known.allocated(thread); n++) {
                ImagePiece piece = new ImagePiece(thread, n);
                if (!pieces.contains(piece)) {
                    fail("Not there: " + piece);
                }
            }
        }
        assertThat(pieces.containsAll(before)).as("what was there before").isTrue();
        findLast(image, known);
        return pieces;
    }

    /// The last piece of each thread that is not freed.
    private static void findLast(ArenaImage image, ImageProgress.Known known) throws IOException {
        for (int thread = 0; thread < ImagePiece.THREADS; thread++) {
            ImagePiece piece = new ImagePiece(thread, known.allocated(thread) - 1);
            if (piece.n() >= 0 && piece.isNamed() && !piece.isFreed()) {
                assertThat(image.find(piece.name().orElseThrow())).hasValueSatisfying(
                        found -> assertThat(piece.isRecordedBy(found)).isTrue());
            }
        }
    }

    private static ImagePiece piece(Allocation allocation) {
        return allocation.name().map(ImagePiece::ofName).orElseGet(() -> ImagePiece.ofSize(allocation.byteSize()));
    }
}
