package dev.arenakit.examples.zip;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares a [ZipIndex] with [ZipFile] on the jars of the build, and on the zip files of the JDK.
@Tag("full")
class ZipJarsTest {
    /// On average, the content of one entry in this many is compared.
    private static final int SAMPLE = 100;

    /// Takes seconds: there are some hundred files with a hundred thousand entries.
    @Test
    void find_inEachJarOfTheBuild_agreesWithZipFile() throws IOException {
        List<Path> jars = files(Path.of(System.getProperty("maven.repo.local")));
        assertThat(jars).hasSizeGreaterThan(10);
        compare(jars);
    }

    @Test
    void find_inEachZipFileOfTheJdk_agreesWithZipFile() throws IOException {
        List<Path> files = files(Path.of(System.getProperty("java.home")));
        assertThat(files).isNotEmpty();
        compare(files);
    }

    @Test
    void findOfARelease_inMultiReleaseJars_agreesWithJarFile() throws IOException {
        int multiRelease = 0;
        for (Path path : files(Path.of(System.getProperty("maven.repo.local")))) {
            for (int release : new int[]{8, 9, 11, 17, 25}) {
                try (JarFile expected = new JarFile(path.toFile(), false, ZipFile.OPEN_READ,
                        Runtime.Version.parse(String.valueOf(release))); ZipIndex index = ZipIndex.openConfined(path)) {
                    assertThat(index.isMultiRelease()).as(path.toString()).isEqualTo(expected.isMultiRelease());
                    if (!expected.isMultiRelease()) {
                        break;
                    }
                    multiRelease++;
                    compareRelease(expected, index, release);
                }
            }
        }
        assertThat(multiRelease).isPositive();
    }

    private static void compareRelease(JarFile expected, ZipIndex index, int release) throws IOException {
        for (Enumeration<JarEntry> entries = expected.entries(); entries.hasMoreElements();) {
            String name = entries.nextElement().getName();
            String real = expected.getJarEntry(name).getRealName();
            String found = index.name(index.find(name, release));
            if (!found.equals(real)) {
                assertThat(found).isEqualTo(real);
            }
        }
    }

    private static void compare(List<Path> files) throws IOException {
        for (Path path : files) {
            try (ZipFile expected = new ZipFile(path.toFile()); ZipIndex index = ZipIndex.open(path)) {
                ZipComparison.compare(expected, index, name -> name.hashCode() % SAMPLE == 0);
            } catch (IOException | AssertionError | RuntimeException e) {
                throw new AssertionError("Differs from ZipFile: path=" + path, e);
            }
        }
    }

    /// The zip files in a directory. Another build may be changing a local repository: what disappears meanwhile is left
    /// out, and so are the jars of this project, which are installed.
    private static List<Path> files(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return directory.endsWith("dev/arenakit") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (Files.isRegularFile(file) && file.toString().matches(".*([.]jar|[.]zip|[.]jmod|/ct[.]sym)")) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }
}
