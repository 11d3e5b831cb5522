package dev.arenakit.examples.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// A client that asks for one sum, and checks it.
final class SumClient {
    private static final int NUMBERS = 500;

    private final SumServer server;
    private final HttpClient http;
    private final String text;
    private final String sum;

    /// @param id a number from which the body is made, so that each client has another body
    SumClient(SumServer server, HttpClient http, int id) {
        this.server = server;
        this.http = http;
        List<Long> numbers = LongStream.range(0, NUMBERS).mapToObj(i -> 1 + (id + 1) * i * 31 % 100_000).toList();
        text = numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
        sum = Long.toString(numbers.stream().mapToLong(Long::longValue).sum());
    }

    /// Sends a request, again if the pool is full, and checks the answer.
    ///
    /// @return the status: 200, or 503 if the pool is shut down
    int ask(String path) throws IOException, InterruptedException {
        HttpResponse<String> response;
        do {
            response = askOnce(path);
        } while (response.body().equals(SumServer.FULL));
        if (!response.body().equals(response.statusCode() == 200 ? sum : SumServer.SHUT_DOWN)) {
            throw new IllegalStateException("Answer is wrong: expected=" + sum + ", answer=" + response.body());
        }
        return response.statusCode();
    }

    HttpResponse<String> askOnce(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.uri(path))
                .POST(HttpRequest.BodyPublishers.ofString(text))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        server.awaitEnded();
        return response;
    }

    /// Sends a part of a request, and resets the connection.
    void abandon(String path) throws IOException, InterruptedException {
        begin(path).close();
        server.awaitEnded();
    }

    /// Sends a part of a request.
    PartialRequest begin(String path) throws IOException {
        return new PartialRequest(server.uri(path), text);
    }
}
