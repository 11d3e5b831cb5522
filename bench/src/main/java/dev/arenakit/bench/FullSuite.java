package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.candidate.BlockWorkload;
import dev.arenakit.bench.candidate.Workloads;
import dev.arenakit.bench.micro.AllocateAndFree;
import dev.arenakit.bench.micro.AllocateAndFreeSmall;
import dev.arenakit.bench.micro.Budgets;
import dev.arenakit.bench.micro.Concurrent;
import dev.arenakit.bench.micro.Conversion;
import dev.arenakit.bench.micro.DebugModes;
import dev.arenakit.bench.micro.Detach;
import dev.arenakit.bench.micro.Downcall;
import dev.arenakit.bench.micro.Escaping;
import dev.arenakit.bench.micro.FixedBlocks;
import dev.arenakit.bench.micro.Frames;
import dev.arenakit.bench.micro.GroupedClose;
import dev.arenakit.bench.micro.HandOff;
import dev.arenakit.bench.micro.KeptBlock;
import dev.arenakit.bench.micro.LeakLevels;
import dev.arenakit.bench.micro.LiveArenas;
import dev.arenakit.bench.micro.Mapped;
import dev.arenakit.bench.micro.MappedNames;
import dev.arenakit.bench.micro.MixedUse;
import dev.arenakit.bench.micro.NativeCall;
import dev.arenakit.bench.micro.OneBlock;
import dev.arenakit.bench.micro.RemoteFree;
import dev.arenakit.bench.micro.SharedArena;
import dev.arenakit.bench.micro.Strings;
import dev.arenakit.bench.micro.Transfers;
import dev.arenakit.bench.micro.Windows;
import java.time.Duration;
import java.util.List;

import static dev.arenakit.bench.Suites.blocks;
import static dev.arenakit.bench.Suites.cells;
import static dev.arenakit.bench.Suites.sessions;
import static dev.arenakit.bench.Suites.threads;
import static dev.arenakit.bench.candidate.Candidates.BUFFER_STACK;
import static dev.arenakit.bench.candidate.Candidates.FREE_LISTS;
import static dev.arenakit.bench.candidate.Candidates.FREE_LISTS_SHARED;
import static dev.arenakit.bench.candidate.Candidates.JEMALLOC;
import static dev.arenakit.bench.candidate.Candidates.LWJGL_ALLOC;
import static dev.arenakit.bench.candidate.Candidates.LWJGL_STACK;
import static dev.arenakit.bench.candidate.Candidates.MALLOC;
import static dev.arenakit.bench.candidate.Candidates.MALLOC_CHECKED;
import static dev.arenakit.bench.candidate.Candidates.MALLOC_RAW;
import static dev.arenakit.bench.candidate.Candidates.MALLOC_SHARED;
import static dev.arenakit.bench.candidate.Candidates.MIMALLOC;
import static dev.arenakit.bench.candidate.Candidates.NETTY_ADAPTIVE;
import static dev.arenakit.bench.candidate.Candidates.NETTY_POOLED;
import static dev.arenakit.bench.candidate.Candidates.OF_AUTO;
import static dev.arenakit.bench.candidate.Candidates.OF_CONFINED;
import static dev.arenakit.bench.candidate.Candidates.OF_CONFINED_POOL;
import static dev.arenakit.bench.candidate.Candidates.OF_SHARED;
import static dev.arenakit.bench.candidate.Candidates.SLAB;
import static dev.arenakit.bench.candidate.Candidates.SLAB_BOUNDED;
import static dev.arenakit.bench.candidate.Candidates.SLAB_BOUNDED_UNZEROED;
import static dev.arenakit.bench.candidate.Candidates.SLAB_SHARED;
import static dev.arenakit.bench.candidate.Candidates.SLAB_UNZEROED;
import static dev.arenakit.bench.candidate.Candidates.SLICING;

/// The suite of all candidates.
final class FullSuite {
    /// Allocators of small blocks.
    private static final String[] SMALL_ALLOCATORS = {"malloc", "mimalloc", "jemalloc", "raw", "rawShared", "blocks",
            "blocksShared"};

    static final Suite SUITE = new Suite("full",
            "Nearly all benchmarks of arenas, all candidates", 5,
            Suite.WARM_UP,
            new Iterations(6, Duration.ofMillis(150)),
            cells(
                    CellGrid.of(OneBlock.class)
                            .every("written")
                            .every("byteSize")
                            .arenas(OF_CONFINED, MALLOC, MIMALLOC, JEMALLOC, SLAB, SLAB_UNZEROED, FREE_LISTS)
                            .methods("malloc", "mallocCritical", "calloc", "unsafe"),
                    blocks("first", "all").with("byteSize", "64", "4096", "65536")
                            .arenas(OF_SHARED, OF_AUTO, SLAB_BOUNDED, SLAB_BOUNDED_UNZEROED),
                    sessions(Workloads.builtInNames().toArray(String[]::new))
                            .arenas(OF_CONFINED, SLICING, BUFFER_STACK, MALLOC, SLAB, SLAB_UNZEROED, SLAB_BOUNDED,
                                    SLAB_BOUNDED_UNZEROED, MALLOC_RAW, NETTY_ADAPTIVE, NETTY_POOLED, LWJGL_ALLOC,
                                    LWJGL_STACK)
                            .methods("mallocCritical", "nettyAdaptive", "nettyAdaptiveEventLoop",
                                    "nettyAdaptiveNoUnsafe", "nettyPooled", "nettyPooledEventLoop",
                                    "nettyPooledNoUnsafe", "lwjglStack", "lwjglStackUnchecked", "lwjglStackBuffers",
                                    "lwjglAlloc"),
                    sessions(BlockWorkload.TEN)
                            .arenas(MALLOC_CHECKED, OF_CONFINED_POOL, OF_SHARED, MALLOC_SHARED, SLAB_SHARED),
                    CellGrid.of(Escaping.class)
                            .every("escape")
                            .with("workload", BlockWorkload.TEN, BlockWorkload.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_UNZEROED),
                    threads(Concurrent.OfTwo.class, BlockWorkload.TEN, BlockWorkload.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_UNZEROED, SLAB_BOUNDED_UNZEROED,
                                    MALLOC_RAW,
                                    NETTY_ADAPTIVE, LWJGL_ALLOC),
                    threads(Concurrent.OfFour.class, BlockWorkload.TEN).arenas(OF_CONFINED, MALLOC, SLAB, SLAB_UNZEROED,
                            MALLOC_RAW, NETTY_ADAPTIVE, LWJGL_ALLOC),
                    threads(Concurrent.OneVirtual.class, BlockWorkload.TEN).arenas(OF_CONFINED, MALLOC, SLAB,
                            SLAB_UNZEROED, MALLOC_RAW, NETTY_ADAPTIVE, LWJGL_ALLOC),
                    threads(Concurrent.TwoVirtual.class, BlockWorkload.TEN, BlockWorkload.HUNDRED_MIXED)
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_UNZEROED,
                                    MALLOC_RAW, NETTY_ADAPTIVE, LWJGL_ALLOC),
                    CellGrid.of(SharedArena.class)
                            .arenas(OF_SHARED, MALLOC_SHARED, SLAB_SHARED, FREE_LISTS_SHARED)
                            .methods("confined", "chunked"),
                    CellGrid.of(AllocateAndFree.class)
                            .every("byteSize")
                            .methods("mallocCritical", "malloc", "confined", "shared", "checked", "lwjgl",
                                    "nettyAdaptive", "nettyAdaptiveEventLoop", "nettyPooled", "nettyPooledEventLoop",
                                    "freeLists", "freeListsShared"),
                    CellGrid.of(AllocateAndFreeSmall.class).every("size").methods(SMALL_ALLOCATORS),
                    CellGrid.of(AllocateAndFreeSmall.OfTwo.class)
                            .with("size", "mixed")
                            .methods(SMALL_ALLOCATORS),
                    CellGrid.of(DebugModes.class)
                            .methods("plain", "faulty", "canaries", "guardPages", "blockFile", "lwjgl", "lwjglDebug"),
                    CellGrid.of(RemoteFree.class).methods("malloc", "local", "remote"),
                    CellGrid.of(HandOff.class)
                            .methods("malloc", "mimalloc", "jemalloc", "lwjgl", "mallocArena", "freeLists", "ofShared",
                                    "ofAuto", "nettyAdaptive", "nettyPooled", "none"),
                    CellGrid.of(KeptBlock.class)
                            .every("byteSize")
                            .methods("none", "array", "secondArena", "freeLists", "freeListsShared", "releaseFirst",
                                    "releaseLast"),
                    CellGrid.of(Frames.class).methods("open", "frame", "lwjgl", "lwjglUnchecked"),
                    CellGrid.of(Detach.class)
                            .every("byteSize")
                            .methods("open", "detach", "copy", "ofConfined", "shared", "ofShared"),
                    CellGrid.of(GroupedClose.class).methods("grouped", "shared", "ofShared"),
                    CellGrid.of(Budgets.class)
                            .every("blocks")
                            .methods("ofConfined", "ofConfinedRoot", "ofConfinedChild", "malloc", "mallocChild", "slab",
                                    "slabChild"),
                    CellGrid.of(LeakLevels.class)
                            .methods("slab", "slabSampled", "slabAll", "malloc", "mallocSampled", "mallocAll",
                                    "confined", "confinedSampled", "confinedAll", "netty", "nettySampled",
                                    "nettyAll"),
                    CellGrid.of(FixedBlocks.class)
                            .arenas(OF_CONFINED, BUFFER_STACK, MALLOC, SLAB, SLAB_UNZEROED)
                            .methods("lwjglStack", "lwjglStackUnchecked"),
                    CellGrid.of(MixedUse.class)
                            .with("workload", BlockWorkload.ONE, BlockWorkload.TEN)
                            .every("before")
                            .methods("confined", "slab", "mallocArena"),
                    CellGrid.of(Strings.class)
                            .every("characters")
                            .arenas(OF_CONFINED, MALLOC, SLAB, SLAB_UNZEROED)
                            .methods("malloc", "mallocCritical"),
                    CellGrid.of(NativeCall.class)
                            .every("function")
                            .arenas(OF_CONFINED, SLICING, BUFFER_STACK, MALLOC, SLAB, SLAB_UNZEROED)
                            .methods("reused"),
                    CellGrid.of(Downcall.class)
                            .methods("constant", "field", "critical", "address", "segment", "segmentAndField"),
                    CellGrid.of(Conversion.class)
                            .every("passed")
                            .methods("pointer", "object", "objectInArena"),
                    CellGrid.of(Transfers.class)
                            .every("direction")
                            .every("byteSize")
                            .methods("stream", "channel", "channelAndSegment", "pieces8K", "pieces64K", "pieces256K",
                                    "pieces1M", "array", "freshSegment", "freshPages", "freshConfined", "mapped"),
                    CellGrid.of(Mapped.class)
                            .with("byteSize", "100")
                            .methods("ofConfined", "chunkedConfined", "chunkedConfinedFull", "chunkedConfinedOff",
                                    "chunkedShared", "chunkedSharedFull", "chunkedSharedOff", "filePerAllocation"),
                    CellGrid.of(MappedNames.class).methods("ofConfined", "allocateAndFree", "find", "get"),
                    CellGrid.of(Windows.class)
                            .every("pages")
                            .methods("mapping", "confined", "shared", "sharedByTwo", "mapEach"),
                    CellGrid.of(LiveArenas.class)
                            .every("others")
                            .arenas(OF_CONFINED)
                            .methods("slab", "slabBounded"),
                    CellGrid.of(LiveArenas.On64.class)
                            .with("others", "1", "5000")
                            .arenas(OF_CONFINED)
                            .methods("slab", "slabBounded")),
            List.of());

    private FullSuite() {}
}
