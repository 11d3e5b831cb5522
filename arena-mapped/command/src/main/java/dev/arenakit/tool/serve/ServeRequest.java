package dev.arenakit.tool.serve;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The head of a request.
///
/// @param target  the path and the query
/// @param urlHost the host if the first line has a URL, as for a proxy
/// @param hosts   the values of all headers `Host`; the other headers have no meaning here
record ServeRequest(String method, String target, Optional<String> urlHost, String version, List<String> hosts) {
    static final String VERSION = "HTTP/1.1";
    /// The version before, in which a reply ends with its connection.
    static final String OLD_VERSION = "HTTP/1.0";

    private static final Pattern LINE = Pattern
            .compile("(?<method>[!-~]+) (?<target>[!-~]+) (?<version>HTTP/\\d\\.\\d)");
    private static final Pattern URL = Pattern.compile("(?i:http)://(?<host>[^/?]*)(?<target>.*)");
    private static final Pattern HEADER = Pattern
            .compile("(?<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+):(?<value>[\\t -~\\x80-\\xff]*)");

    /// Parses a head.
    ///
    /// @param text its lines, without the empty line
    /// @throws IllegalArgumentException if it is malformed
    static ServeRequest of(String text) {
        String[] lines = text.split("\r\n", -1);
        Matcher line = LINE.matcher(lines[0]);
        if (!line.matches()) {
            throw new IllegalArgumentException("The first line of the request is malformed");
        }
        List<String> hosts = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            Matcher header = HEADER.matcher(lines[i]);
            if (!header.matches()) {
                throw new IllegalArgumentException("A header of the request is malformed: number=" + i);
            }
            if (header.group("name").toLowerCase(Locale.ROOT).equals("host")) {
                hosts.add(header.group("value").strip());
            }
        }
        String target = line.group("target");
        Optional<String> urlHost = Optional.empty();
        Matcher url = URL.matcher(target);
        if (url.matches()) {
            urlHost = Optional.of(url.group("host"));
            target = url.group("target").startsWith("/") ? url.group("target") : "/" + url.group("target");
        }
        return new ServeRequest(line.group("method"), target, urlHost, line.group("version"), hosts);
    }
}
