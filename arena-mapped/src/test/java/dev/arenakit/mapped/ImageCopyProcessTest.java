package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests copies in processes without native access, or without its flag.
@Tag("full")
class ImageCopyProcessTest extends InDirectory {
    ImageCopyProcessTest() throws IOException {
        super(TestFileSystem.BUILD);
    }

    @Test
    void copyTo_withoutNativeAccess_isSparse() throws Exception {
        String output = ChildJvm
                .run(ChildJvm.onModulePath(ChildJvm.DENY, "-Xmx64m").command(ChildMain.class, "copy", base.toString()));
        assertThat(output).startsWith("holes unknown: Native access is denied: module=dev.arenakit; start java with "
                + "--enable-native-access=dev.arenakit");
        assertThat(ImageShareTest.copiedValues(directory)).isLessThan(1 << 20);
    }

    @Test
    void copyTo_withoutAFlag_isSparseAndJavaWarns() throws Exception {
        String output = ChildJvm.run(ChildJvm.onModulePath().command(ChildMain.class, "copy", base.toString()));
        assertThat(output).contains("holes unknown: no").containsOnlyOnce("WARNING: A restricted method");
        assertThat(ImageShareTest.copiedValues(directory)).isLessThan(1 << 20);
    }
}
