package dev.arenakit.examples.bundle;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The libraries as bundles of OSGi. Needs their jars.
@Tag("full")
class BundlesTest {
    private static Path jar(String module) {
        Path target = Path.of("..", module, "target");
        String name = "arena-" + Path.of(module).getFileName().toString().replace("arena-", "") + "-"
                + System.getProperty("project.version") + ".jar";
        Path jar = target.resolve(name);
        assumeTrue(Files.exists(jar), "the jar is not built: " + jar);
        return jar;
    }

    @ParameterizedTest
    @CsvSource({"arena-core, dev.arenakit", "arena-mapped, dev.arenakit.mapped", "arena-mapped/sql, dev.arenakit.sql",
            "arena-mapped/arrow, dev.arenakit.arrow", "arena-core/contract, dev.arenakit.contract",
            "arena-core/junit, dev.arenakit.junit"})
    void manifest_ofALibrary_namesABundleAndAModule(String module, String name) throws IOException {
        try (JarFile jar = new JarFile(jar(module).toFile())) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertThat(manifest.getValue("Bundle-ManifestVersion")).isEqualTo("2");
            assertThat(manifest.getValue("Bundle-SymbolicName")).isEqualTo(name);
            assertThat(manifest.getValue("Bundle-Version")).isEqualTo(
                    System.getProperty("project.version").replace("-SNAPSHOT", ".SNAPSHOT"));
            assertThat(manifest.getValue("Require-Capability")).contains("osgi.ee=JavaSE", "version=25");
            assertThat(manifest.getValue("Export-Package")).contains(name + ";version=");
            assertThat(manifest.getValue("Import-Package")).contains("org.jspecify.annotations;")
                    .contains("resolution:=optional");
            assertThat(jar.getEntry("module-info.class") == null)
                    .isEqualTo(manifest.getValue("Automatic-Module-Name") != null);
        }
    }

    @Test
    void libraries_inAFrameworkOfOsgi_areUsedByABundle(@TempDir Path directory) throws Exception {
        List<Path> libraries = List.of(jar("arena-core"), jar("arena-mapped"), jar("arena-mapped/sql"));
        Framework framework = ServiceLoader.load(FrameworkFactory.class)
                .findFirst()
                .orElseThrow()
                .newFramework(Map.of("org.osgi.framework.storage", directory.resolve("storage").toString(),
                        "felix.service.urlhandlers", "false"));
        framework.start();
        try {
            List<Bundle> bundles = new ArrayList<>();
            for (Path library : libraries) {
                bundles.add(framework.getBundleContext().installBundle(library.toUri().toString()));
            }
            bundles.add(framework.getBundleContext().installBundle(bundle(directory).toUri().toString()));
            for (Bundle bundle : bundles) {
                start(bundle);
            }
            ServiceReference<String> service = framework.getBundleContext().getServiceReference(String.class);
            assertThat(framework.getBundleContext().getService(service)).isEqualTo("Point[x=3, y=4]");
        } finally {
            framework.stop();
            framework.waitForStop(60_000);
        }
    }

    private static void start(Bundle bundle) throws BundleException {
        bundle.start();
        assertThat(bundle.getState()).as("%s", bundle).isEqualTo(Bundle.ACTIVE);
    }

    /// Makes the bundle of a user.
    private static Path bundle(Path directory) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Bundle-ManifestVersion", "2");
        attributes.putValue("Bundle-SymbolicName", "com.example.user");
        attributes.putValue("Bundle-Activator", UserBundle.class.getName());
        attributes.putValue("Import-Package", "org.osgi.framework,dev.arenakit,dev.arenakit.layout,"
                + "dev.arenakit.layout.type,dev.arenakit.mapped");
        Path jar = directory.resolve("user.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream classes = new JarOutputStream(file, manifest)) {
            for (Class<?> type : List.of(UserBundle.class, UserBundle.Point.class, UserBundle.PointView.class)) {
                String path = type.getName().replace('.', '/') + ".class";
                classes.putNextEntry(new JarEntry(path));
                classes.write(Files.readAllBytes(Path.of("target/test-classes", path)));
                classes.closeEntry();
            }
        }
        return jar;
    }
}
