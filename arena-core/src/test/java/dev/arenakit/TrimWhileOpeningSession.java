package dev.arenakit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// A main class that trims a pool while two threads open and close arenas, until the slabs have been taken from their
/// threads several hundred times. In the interpreter, the steps of opening an arena are far apart.
final class TrimWhileOpeningSession {
    private static final int TRIMS = 300;

    public static void main(String[] args) throws InterruptedException {
        SlabPool pool = SlabPool.builder().slabByteSize(1024).build();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong sessions = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                long own = 0;
                while (!stop.get()) {
                    pool.openConfined().close();
                    own++;
                }
                sessions.addAndGet(own);
            }));
        }
        for (int trims = 0; trims < TRIMS;) {
            if (pool.trim() > 0) {
                trims++;
            }
        }
        stop.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(sessions.get() == pool.stats().opens() ? "every arena counted" : pool.stats());
        pool.close();
    }
}
