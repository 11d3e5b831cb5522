import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;

/// Compiles a module descriptor for Java 17, unless the one in the directory is for Java 17 already: a file that is
/// newer than before makes Maven compile and pack again everything that depends on the module.
///
/// The arguments are those of javac, of which the first two are `-d` and the directory.
class ModuleInfo17 {
    private static final int JAVA_17 = 61;

    public static void main(String[] args) throws IOException {
        if (majorVersion(Path.of(args[1], "module-info.class")) != JAVA_17) {
            System.exit(ToolProvider.findFirst("javac").orElseThrow().run(System.out, System.err, args));
        }
    }

    private static int majorVersion(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            in.skipNBytes(6);
            return in.readUnsignedShort();
        }
    }
}
