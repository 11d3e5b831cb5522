package dev.arenakit.tool.serve;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Checks the header `Host` of requests.
///
/// A page of a hostile site can make its own name resolve to a loopback address, so that a browser on this machine takes
/// this server for that site, and gives the page what it reads. The header then has the name of the site.
final class ServeHosts {
    /// A name or an address, and a port.
    private static final Pattern HOST = Pattern.compile("(?<name>\\[[^\\]]*\\]|[^:]*)(?::\\d*)?");

    private ServeHosts() {}

    /// Returns the reason to refuse a request, or empty if it is accepted.
    ///
    /// @param hosts      the values of the header
    /// @param isLoopback whether this server is bound to a loopback address, whose names are known
    static Optional<String> refusal(List<String> hosts, boolean isLoopback) {
        if (hosts.size() != 1) {
            return Optional.of("The request needs one header Host");
        }
        return !isLoopback || isLoopback(hosts.getFirst())
                ? Optional.empty()
                : Optional.of("The header Host names another server: use localhost, 127.0.0.1 or [::1]");
    }

    private static boolean isLoopback(String host) {
        Matcher parts = HOST.matcher(host);
        try {
            return parts.matches() && (parts.group("name").equalsIgnoreCase("localhost")
                    || InetAddress.ofLiteral(parts.group("name")).isLoopbackAddress());
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
