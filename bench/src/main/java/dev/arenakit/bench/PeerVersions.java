package dev.arenakit.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lwjgl.Version;

/// The versions of the libraries that the arenas and structures are compared with.
///
/// The versions are read from the class path, which may differ from the pom.
final class PeerVersions {
    private static final Pattern JAR = Pattern.compile("-(\\d[^/]*)\\.jar!");

    private static final List<Peer> PEERS = List.of(
            new Peer("Netty", "io/netty/buffer/ByteBuf", "io.netty/netty-buffer"),
            new Peer("Agrona", "org/agrona/DirectBuffer", "org.agrona/agrona"),
            new Peer("fastutil", "it/unimi/dsi/fastutil/Hash", "it.unimi.dsi/fastutil"),
            new Peer("Eclipse Collections", "org/eclipse/collections/impl/factory/Maps",
                    "org.eclipse.collections/eclipse-collections"),
            new Peer("Chronicle Map", "net/openhft/chronicle/map/ChronicleMap", "net.openhft/chronicle-map"),
            new Peer("MapDB", "org/mapdb/DB", "org.mapdb/mapdb"));

    private PeerVersions() {}

    /// A library.
    ///
    /// @param type     path of a class of the library
    /// @param artifact path of the library among the files that Maven puts into jars
    private record Peer(String name, String type, String artifact) {
        Optional<String> version() {
            return fromPom().or(this::fromJar).or(() -> ofBuild(name)).map(version -> name + " " + version);
        }

        private Optional<String> fromPom() {
            try (InputStream stream = PeerVersions.class.getResourceAsStream(
                    "/META-INF/maven/" + artifact + "/pom.properties")) {
                if (stream == null) {
                    return Optional.empty();
                }
                Properties properties = new Properties();
                properties.load(stream);
                return Optional.ofNullable(properties.getProperty("version"));
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        /// Returns the version in the name of the library's jar; empty if its classes are in the jar of the benchmarks.
        private Optional<String> fromJar() {
            URL location = PeerVersions.class.getResource("/" + type + ".class");
            return Optional.ofNullable(location)
                    .map(url -> JAR.matcher(url.toString()))
                    .filter(Matcher::find)
                    .map(matcher -> matcher.group(1));
        }
    }

    /// Returns the version that the jar of the benchmarks was built with, for a library whose own jar does not contain
    /// its version.
    static Optional<String> ofBuild(String name) {
        try (InputStream stream = PeerVersions.class.getResourceAsStream("peers.properties")) {
            Properties properties = new Properties();
            properties.load(Objects.requireNonNull(stream, "peers.properties"));
            return Optional.ofNullable(properties.getProperty(name));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// Returns names and versions in one line. Unknown versions are left out.
    static String describe() {
        return "LWJGL " + Version.VERSION_MAJOR + "." + Version.VERSION_MINOR + "." + Version.VERSION_REVISION
                + PEERS.stream()
                        .flatMap(peer -> peer.version().stream())
                        .map(peer -> ", " + peer)
                        .collect(Collectors.joining());
    }
}
