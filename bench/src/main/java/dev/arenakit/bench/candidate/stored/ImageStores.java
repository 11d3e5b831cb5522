package dev.arenakit.bench.candidate.stored;

import dev.arenakit.mapped.ImageLongMap;
import dev.arenakit.mapped.ImageLongTree;
import dev.arenakit.mapped.InfiniteArena;
import java.nio.file.Path;

/// The map and the trees of this library in the image of an [InfiniteArena].
///
/// A change is in the mapping, and so survives the end of the process. Closing the arena forces the changes to the disk.
public final class ImageStores {
    private static final String NAME = "bench";

    private ImageStores() {}

    /// Opens or creates a map from longs to longs.
    ///
    /// @param directory  the directory of its files
    /// @param maxEntries ignored
    /// @return the map
    public static StoredLongMap longs(Path directory, long maxEntries) {
        InfiniteArena arena = open(directory);
        return new Longs(arena, arena.structures().longMap(NAME));
    }

    /// Opens or creates a tree from longs to longs.
    ///
    /// @param directory  the directory of its files
    /// @param maxEntries ignored
    /// @return the tree
    public static StoredTree tree(Path directory, long maxEntries) {
        InfiniteArena arena = open(directory);
        return new Tree(arena, arena.structures().longTree(NAME), () -> {});
    }

    /// Opens or creates a tree from longs to longs whose commit forces the changes to the disk.
    ///
    /// @param directory  the directory of its files
    /// @param maxEntries ignored
    /// @return the tree
    public static StoredTree forcedTree(Path directory, long maxEntries) {
        InfiniteArena arena = open(directory);
        return new Tree(arena, arena.structures().longTree(NAME), arena::force);
    }

    private static InfiniteArena open(Path directory) {
        return InfiniteArena.builder(directory.resolve("image")).openOrCreate();
    }

    private record Longs(InfiniteArena arena, ImageLongMap map) implements StoredLongMap {
        @Override
        public long get(long key) {
            return map.get(key, MISSING);
        }

        @Override
        public void put(long key, long value) {
            map.put(key, value);
        }

        @Override
        public boolean remove(long key) {
            return map.remove(key);
        }

        @Override
        public long sum() {
            long[] sum = {0};
            map.forEach((_, value) -> sum[0] += value);
            return sum[0];
        }

        @Override
        public void commit() {}

        @Override
        public void close() {
            arena.close();
        }
    }

    private static final class Tree implements StoredTree {
        private final InfiniteArena arena;
        private final ImageLongTree tree;
        private final ImageLongTree.Cursor cursor;
        private final Runnable committing;

        Tree(InfiniteArena arena, ImageLongTree tree, Runnable committing) {
            this.arena = arena;
            this.tree = tree;
            cursor = tree.cursor();
            this.committing = committing;
        }

        @Override
        public long get(long key) {
            return tree.get(key, MISSING);
        }

        @Override
        public void put(long key, long value) {
            tree.put(key, value);
        }

        @Override
        public boolean remove(long key) {
            return tree.remove(key);
        }

        @Override
        public long scan(long first, int limit) {
            long sum = 0;
            boolean isEntry = cursor.ceiling(first);
            for (int i = 0; i < limit && isEntry; i++) {
                sum += cursor.value();
                isEntry = cursor.next();
            }
            return sum;
        }

        @Override
        public long sum() {
            return scan(Long.MIN_VALUE, Integer.MAX_VALUE);
        }

        @Override
        public void commit() {
            committing.run();
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
