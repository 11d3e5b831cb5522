package com.example.app;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.mapped.InfiniteArena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Serves the structs of an image through Arrow Flight, and reads them as a client.
public final class Main {
    /// A trade.
    public record Trade(long id, double price, @Length(8) String symbol) {}

    private static final RecordMapper<Trade> TRADES = RecordMapper.of(Trade.class);
    private static final int COUNT = 100_000;

    private Main() {}

    /// Runs the program. With a second argument, it only serves the image at that base, until it is killed.
    ///
    /// @param args a directory for the image; and the base of an image
    /// @throws Exception if the program fails
    public static void main(String[] args) throws Exception {
        Path base = args.length > 1 ? Path.of(args[1]) : makeImage(Path.of(args[0], "prices"));
        try (BufferAllocator allocator = new RootAllocator();
                FlightServer server = FlightServer.builder(allocator, Location.forGrpcInsecure("127.0.0.1", 0),
                        new ImageProducer(base, allocator)).build().start()) {
            if (args.length > 1) {
                System.out.println(server.getLocation().getUri());
                server.awaitTermination();
            }
            try (FlightClient client = FlightClient.builder(allocator, server.getLocation()).build()) {
                read(client, "trades");
                read(client, "orders");
            }
        }
    }

    private static Path makeImage(Path base) {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment trades = arena.names().allocate("trades", TRADES.type(), COUNT);
            for (int i = 0; i < COUNT; i++) {
                TRADES.setAtIndex(trades, i, new Trade(i, i * 0.5, i % 2 == 0 ? "ARNA" : "ARNB"));
            }
        }
        return base;
    }

    private static void read(FlightClient client, String name) throws Exception {
        try (FlightStream stream = client.getStream(new Ticket(name.getBytes(UTF_8)))) {
            long rows = 0;
            double sum = 0;
            String last = "";
            while (stream.next()) {
                VectorSchemaRoot root = stream.getRoot();
                Float8Vector prices = (Float8Vector) root.getVector("price");
                for (int i = 0; i < root.getRowCount(); i++) {
                    sum += prices.get(i);
                }
                rows += root.getRowCount();
                last = String.valueOf(((VarCharVector) root.getVector("symbol")).getObject(root.getRowCount() - 1));
            }
            System.out.println(name + ": rows=" + rows + ", sum=" + sum + ", last symbol=" + last);
        } catch (FlightRuntimeException e) {
            System.out.println(name + ": " + e.status().code() + ", " + e.status().description());
        }
    }
}
