package dev.arenakit.bench.candidate;

import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import dev.arenakit.bench.candidate.peer.NettyBuffers;
import dev.arenakit.bench.candidate.peer.PeerArena;
import dev.arenakit.bench.candidate.peer.UnavailableException;
import io.netty.buffer.ByteBufAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.CompilerControl;

/// The factories of the built-in arenas.
///
/// They are records, since the compiler trusts the fields of a record to be constant. Their methods are forced inline,
/// since C2 does not inline a method that it has already compiled to much code, and the call would be measured.
final class ArenaFactories {
    /// Size of the block of an arena with a fixed size.
    static final long STACK_SIZE = 64 * 1024;

    private ArenaFactories() {}

    record OfConfined() implements ArenaFactory {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return Arena.ofConfined();
        }
    }

    record OfConfinedPool() implements ArenaFactory {
        // The first JDK whose confined arenas have a pool.
        private static final int NEEDED = 28;

        /// Checks that this JVM has the pool. Without the pool, the figure would describe the usual arena.
        OfConfinedPool {
            if (Runtime.version().feature() < NEEDED
                    || !ManagementFactory.getRuntimeMXBean().getInputArguments().contains(JvmArgs.CONFINED_POOL_64K)) {
                throw new UnavailableException("Confined arenas have no pool of 64 KiB: jdk=" + Runtime.version()
                        + "; measure with JDK " + NEEDED + " or newer and " + JvmArgs.CONFINED_POOL_64K);
            }
        }

        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return Arena.ofConfined();
        }
    }

    record OfShared() implements ArenaFactory {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return Arena.ofShared();
        }
    }

    record OfAuto() implements ArenaFactory {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return new Collected(Arena.ofAuto());
        }
    }

    record OfFrames(JdkInternals.Frames frames) implements ArenaFactory {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return frames.push();
        }
    }

    record Malloc() implements ArenaFactory {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return MallocArena.ofConfined();
        }
    }

    record MallocShared() implements ArenaFactory {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return MallocArena.ofShared();
        }
    }

    record Built(MallocArena.Builder builder) implements ArenaFactory {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return builder.build();
        }
    }

    record FreeLists(FreeListArena.Builder builder) implements ArenaFactory {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return builder.build();
        }
    }

    record Pooled(SlabPool pool) implements ArenaFactory {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return pool.openConfined();
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    record PooledShared(SlabPool pool) implements ArenaFactory {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return pool.openShared();
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    record OfNetty(ByteBufAllocator allocator) implements ArenaFactory {
        /// Checks that Netty uses Unsafe. Without Unsafe, its buffers have no address.
        OfNetty {
            NettyBuffers.requireUnsafe();
        }

        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return new PeerArena(new NettyBuffers(allocator));
        }
    }

    /// An automatic arena, which cannot be closed. Here, `close` does nothing, and the garbage collector closes the
    /// arena.
    private record Collected(Arena arena) implements Arena {
        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            return arena.allocate(byteSize, byteAlignment);
        }

        @Override
        public MemorySegment.Scope scope() {
            return arena.scope();
        }

        @Override
        public void close() {}
    }

}
