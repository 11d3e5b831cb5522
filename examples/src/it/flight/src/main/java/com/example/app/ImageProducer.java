package com.example.app;

import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.arrow.flight.BackpressureStrategy;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Sends the structs of an image. A ticket is the name of an allocation.
final class ImageProducer extends NoOpFlightProducer {
    /// A client that has accepted no batch for this time is dropped.
    private static final long LIMIT_MILLIS = 60_000;

    private final Path base;
    private final BufferAllocator allocator;

    ImageProducer(Path base, BufferAllocator allocator) {
        this.base = base;
        this.allocator = allocator;
    }

    @Override
    public void getStream(CallContext context, Ticket ticket, ServerStreamListener listener) {
        // Flight tells in this thread that a client accepts more.
        Thread.startVirtualThread(() -> send(ticket, listener));
    }

    private void send(Ticket ticket, ServerStreamListener listener) {
        String name = new String(ticket.getBytes(), UTF_8);
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofShared()) {
            Allocation allocation = image.find(name).orElse(null);
            StructType type = allocation == null ? null : image.type(allocation).orElse(null);
            if (type == null) {
                listener.error(CallStatus.NOT_FOUND.withDescription("no table: name=" + name).toRuntimeException());
                return;
            }
            send(type, image.segment(allocation, arena), listener);
        } catch (IOException | CompletionException e) {
            listener.error(CallStatus.INTERNAL.withCause(e).withDescription(String.valueOf(e)).toRuntimeException());
        }
    }

    /// Another thread writes the structs to a pipe as a stream of Arrow, and this thread makes vectors of it.
    private void send(StructType type, MemorySegment structs, ServerStreamListener listener) throws IOException {
        Pipe pipe = Pipe.open();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(type, structs, pipe.sink()),
                Thread::startVirtualThread);
        BackpressureStrategy client = new BackpressureStrategy.CallbackBackpressureStrategy();
        client.register(listener);
        try (ArrowStreamReader reader = new ArrowStreamReader(Channels.newInputStream(pipe.source()), allocator)) {
            listener.start(reader.getVectorSchemaRoot(), reader);
            while (reader.loadNextBatch()
                    && client.waitForListener(LIMIT_MILLIS) == BackpressureStrategy.WaitResult.READY) {
                listener.putNext();
            }
        } finally {
            // The reader has closed the pipe, so that the writer ends. It must not use the segment any more.
            writing.join();
        }
        listener.completed();
    }

    private static void write(StructType type, MemorySegment structs, Pipe.SinkChannel pipe) {
        try (pipe) {
            ArrowIpc.write(pipe, type, structs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
