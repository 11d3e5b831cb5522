package dev.arenakit.diagnostics;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.SlabPool;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.pool.DetachedSlabs;
import dev.arenakit.testing.Threads;
import java.lang.invoke.MethodHandles;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Leak detection of arenas that change hands.
@Tag("full")
class ParcelLeakTest {
    private static final long SLAB = 4096;

    private final FoundLeaks found = new FoundLeaks();

    private LeakDetection detection(LeakDetection.Level level) {
        LeakDetection detection = level == LeakDetection.Level.ALL ? LeakDetection.ALL : LeakDetection.SAMPLED;
        return detection.listener(found::add);
    }

    private SlabPool pool(LeakDetection.Level level) {
        return SlabPool.builder().slabByteSize(SLAB).leakDetection(detection(level)).build();
    }

    private static SlabParcel detach(SlabPool pool) {
        SlabArena arena = FoundLeaks.watched(pool::openConfined);
        for (int i = 0; i < 6; i++) {
            arena.allocate(1000);
        }
        return arena.detach();
    }

    @ParameterizedTest
    @EnumSource
    void parcelThatNobodyAttaches_isReportedWithThePlaceOfDetach(LeakDetection.Level level) {
        SlabPool pool = pool(level);
        drop(pool);
        assertThat(found.await(1)).singleElement().satisfies(leak -> {
            assertThat(leak.reason()).isEqualTo(Leak.Reason.UNREACHABLE);
            assertThat(leak.arena()).isEqualTo("parcel of a SlabPool");
            assertThat(leak.byteSize()).isEqualTo(2 * SLAB);
            assertThat(leak.stack().getFirst().toString()).contains("ParcelLeakTest.detach");
        });
    }

    /// A method of its own, so that nothing refers to the parcel afterwards.
    private static void drop(SlabPool pool) {
        assertThat(detach(pool)).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void parcelOfATerminatedThread_isNotReportedAndCanBeAttached(LeakDetection.Level level) {
        List<Long> before = watched();
        SlabPool pool = pool(level);
        SlabParcel[] parcel = new SlabParcel[1];
        assertThat(Threads.thrownBy(() -> parcel[0] = detach(pool))).isNull();
        LeakDetector.check();
        parcel[0].attach().close();
        assertThat(found.settle()).isEmpty();
        assertThat(watched()).isSubsetOf(before);
        pool.close();
    }

    @ParameterizedTest
    @EnumSource
    void attachedArenaLeftOpenByAThread_isReportedWithThatThread(LeakDetection.Level level) {
        SlabPool pool = pool(level);
        SlabParcel parcel = detach(pool);
        long[] thread = new long[1];
        assertThat(Threads.thrownBy(() -> {
            thread[0] = Thread.currentThread().threadId();
            parcel.attach().allocate(8);
        })).isNull();
        LeakDetector.check();
        assertThat(found.all()).singleElement().satisfies(leak -> {
            assertThat(leak.reason()).isIn(Leak.Reason.THREAD_ENDED, Leak.Reason.UNREACHABLE);
            assertThat(leak.arena()).isEqualTo("confined arena of a SlabPool");
            assertThat(leak.threadId()).isEqualTo(thread[0]);
        });
    }

    @ParameterizedTest
    @EnumSource
    void poolThatIsClosed_namesTheParcel(LeakDetection.Level level) {
        SlabPool pool = pool(level);
        SlabParcel parcel = detach(pool);
        assertThatIllegalStateException().isThrownBy(pool::close)
                .withMessageContaining("openArenas=1, watched=[")
                .withMessageContaining("ParcelLeakTest.detach");
        assertThat(found.all()).extracting(Leak::reason).isEqualTo(List.of(Leak.Reason.POOL_CLOSE));
        parcel.close();
        pool.close();
    }

    @ParameterizedTest
    @EnumSource
    void parcelsThatAreAttachedOrClosed_areNotReported(LeakDetection.Level level) {
        try (SlabPool pool = SlabPool.builder()
                .slabByteSize(SLAB)
                .leakDetection(detection(level).longestOpen(Duration.ofMinutes(5)))
                .build()) {
            for (int i = 0; i < 100; i++) {
                SlabParcel parcel = detach(pool);
                if (i % 2 == 0) {
                    parcel.attach().close();
                } else {
                    parcel.close();
                }
            }
            assertThat(found.settle()).isEmpty();
        }
    }

    /// The thread of the failed call has neither the parcel nor an arena: after its end, nothing is lost.
    @Test
    void attach_whenTheWatchOfTheParcelCannotBeEnded_watchesNothingInItsPlace() throws ReflectiveOperationException {
        // Other tests leave arenas open on purpose.
        List<Long> before = watched();
        SlabPool pool = pool(LeakDetection.Level.ALL);
        SlabParcel parcel = detach(pool);
        Reference<?> followed = replaceFollowed(parcel, new Unclearable());
        assertThat(Threads.thrownBy(parcel::attach)).isInstanceOf(StackOverflowError.class);
        LeakDetector.check();
        assertThat(found.all()).isEmpty();
        replaceFollowed(parcel, followed);
        parcel.attach().close();
        assertThat(watched()).isSubsetOf(before);
        pool.close();
    }

    private static List<Long> watched() {
        return LeakDetector.open()
                .stream()
                .filter(it -> it.arena().endsWith("of a SlabPool"))
                .map(Leak::number)
                .toList();
    }

    private static Reference<?> replaceFollowed(SlabParcel parcel, Reference<?> reference)
            throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        LeakWatch watched = (LeakWatch) MethodHandles.privateLookupIn(DetachedSlabs.class, lookup)
                .findVarHandle(DetachedSlabs.class, "watched", LeakWatch.class)
                .get((DetachedSlabs) parcel);
        return (Reference<?>) MethodHandles.privateLookupIn(LeakWatch.class, lookup)
                .findVarHandle(LeakWatch.class, "followed", Reference.class)
                .getAndSet(watched, reference);
    }

    /// What the end of the watch calls last.
    private static final class Unclearable extends PhantomReference<Object> {
        Unclearable() {
            super(new Object(), new ReferenceQueue<>());
        }

        @Override
        public void clear() {
            throw new StackOverflowError("from a test");
        }
    }
}
