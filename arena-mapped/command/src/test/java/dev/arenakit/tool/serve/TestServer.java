package dev.arenakit.tool.serve;

import dev.arenakit.tool.ToolRun;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/// A server in this process, and its clients.
final class TestServer implements Closeable {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ServeHandler server;

    TestServer(Duration stall, Path... targets) throws IOException {
        this(stall, List.of(targets));
    }

    TestServer(Duration stall, List<Path> targets) throws IOException {
        server = new ServeHandler(ToolRun.streams(OutputStream.nullOutputStream(), err), targets, stall,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    TestServer(Path... targets) throws IOException {
        this(ServeHandler.STALL, targets);
    }

    /// What the server has reported.
    String err() {
        return err.toString(UTF_8);
    }

    /// Waits until the server has reported a text.
    void awaitErr(String text) throws InterruptedException {
        while (!err().contains(text)) {
            Thread.sleep(5);
        }
    }

    URI uri(String path) throws IOException {
        return URI.create("http://127.0.0.1:" + server.address().getPort() + path);
    }

    HttpResponse<byte[]> send(String method, String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(uri(path)).method(method, HttpRequest.BodyPublishers.noBody()).build(),
                BodyHandlers.ofByteArray());
    }

    HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        return send("GET", path);
    }

    /// Sends a request as it is, and reads the reply up to the end of the connection.
    String raw(String request) throws IOException {
        try (Socket socket = connect(request)) {
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    /// Sends a request as it is, and reads no reply.
    Socket connect(String request) throws IOException {
        Socket socket = new Socket();
        // A client that does not read blocks the server after this many bytes, and those of the server's buffer.
        socket.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 12);
        socket.connect(server.address());
        socket.getOutputStream().write(request.getBytes(ISO_8859_1));
        return socket;
    }

    @Override
    public void close() throws IOException {
        server.close();
        client.close();
    }
}
