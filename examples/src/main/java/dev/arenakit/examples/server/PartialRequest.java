package dev.arenakit.examples.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;

import static java.nio.charset.StandardCharsets.US_ASCII;

/// A request whose first half the server has received.
final class PartialRequest implements AutoCloseable {
    private final Socket socket = new Socket();
    private final BufferedReader reader;
    private final byte[] body;

    /// Sends the head and half of the body. After the constructor, the server is certain to handle the request.
    PartialRequest(URI uri, String text) throws IOException {
        body = text.getBytes(US_ASCII);
        try {
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral(uri.getHost()), uri.getPort()));
            reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
            String head = "POST " + uri.getPath()
                    + " HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
                    + body.length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(US_ASCII));
            expect("HTTP/1.1 100 Continue");
            socket.getOutputStream().write(body, 0, body.length / 2);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /// Sends the rest, and waits for the answer.
    void finish() throws IOException {
        socket.getOutputStream().write(body, body.length / 2, body.length - body.length / 2);
        expect("HTTP/1.1 200 OK");
    }

    private void expect(String line) throws IOException {
        String found;
        do {
            found = reader.readLine();
        } while (found != null && !found.startsWith("HTTP/")); // Headers of the previous answer.
        if (!line.equals(found)) {
            throw new IOException("The answer is another one: expected=" + line + ", found=" + found);
        }
    }

    /// Resets the connection.
    @Override
    public void close() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }
}
