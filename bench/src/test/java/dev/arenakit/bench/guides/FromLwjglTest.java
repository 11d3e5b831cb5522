package dev.arenakit.bench.guides;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.peer.Lwjgl;
import dev.arenakit.bench.candidate.peer.UnavailableException;
import dev.arenakit.layout.IntField;
import dev.arenakit.layout.View;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.layout.annotation.Members;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.linux.FOwnerEx;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memAlloc;
import static org.lwjgl.system.MemoryUtil.memByteBuffer;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.system.MemoryUtil.memGetLong;

/// Runs both columns of the section "LWJGL" of `docs/migration.md`.
class FromLwjglTest {
    @AutoClose
    private static final SlabPool POOL = SlabPool.create();
    private static final ViewMapper<Owner> OWNERS = ViewMapper.of(MethodHandles.lookup(), Owner.class);
    private static final IntField PID = OWNERS.intField("pid");

    @Members({"type", "pid"})
    interface Owner extends View {
        int type();

        void type(int value);

        int pid();

        void pid(int value);
    }

    @BeforeAll
    static void load() {
        try {
            Lwjgl.load();
        } catch (UnavailableException e) {
            abort(e.getMessage());
        }
    }

    @Test
    void rows_areTested() throws IOException {
        Guide.section("LWJGL", FromLwjglTest.class).assertRowsAreTested();
    }

    @Test
    void stack_isAnArena() {
        int there;
        try (MemoryStack stack = stackPush()) {
            IntBuffer ints = stack.mallocInt(3);
            there = ints.put(2, 42).get(2);
            assertThatThrownBy(() -> stack.mallocInt(1 << 15)).isInstanceOf(OutOfMemoryError.class);
        }
        MemorySegment ints;
        try (SlabArena arena = POOL.openConfined()) {
            ints = arena.allocate(JAVA_INT, 3);
            ints.setAtIndex(JAVA_INT, 2, 42);
            assertThat(ints.getAtIndex(JAVA_INT, 2)).isEqualTo(there);
            assertThat(arena.allocate(JAVA_INT, 1 << 15).byteSize()).isEqualTo(1 << 17);
        }
        assertThatThrownBy(() -> ints.getAtIndex(JAVA_INT, 2)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void push_isAFrame() {
        long there;
        try (MemoryStack stack = stackPush()) {
            try (MemoryStack inner = stack.push()) {
                there = memGetLong(inner.ncalloc(8, 8, 1));
            }
        }
        try (SlabArena arena = POOL.openConfined()) {
            try (SlabArena inner = arena.pushFrame()) {
                assertThat(inner.allocate(JAVA_LONG).get(JAVA_LONG, 0)).isEqualTo(there);
                assertThatThrownBy(() -> arena.allocate(8)).isInstanceOf(IllegalStateException.class);
            }
            assertThat(arena.allocate(8).byteSize()).isEqualTo(8);
        }
    }

    @Test
    void struct_isAView() {
        try (MemoryStack stack = stackPush(); SlabArena arena = POOL.openConfined()) {
            ByteBuffer there;
            {
                FOwnerEx owner = FOwnerEx.calloc(stack);
                owner.type(1).pid(7);
                there = memByteBuffer(owner.address(), FOwnerEx.SIZEOF);
            }
            Owner owner = OWNERS.view(OWNERS.allocate(arena, 1), 0);
            owner.type(1);
            owner.pid(7);
            assertThat(owner.segment().mismatch(MemorySegment.ofBuffer(there))).isEqualTo(-1);
            FOwnerEx same = FOwnerEx.create(owner.segment().address());
            assertThat(same.pid()).isEqualTo(7);
        }
    }

    @Test
    void element_isAnIndex() {
        try (MemoryStack stack = stackPush(); SlabArena arena = POOL.openConfined()) {
            int there;
            {
                FOwnerEx.Buffer owners = FOwnerEx.calloc(10, stack);
                owners.get(3).pid(7);
                there = owners.get(3).pid();
            }
            MemorySegment owners = OWNERS.allocate(arena, 10);
            PID.setAtIndex(owners, 3, 7);
            assertThat(PID.getAtIndex(owners, 3)).isEqualTo(there);
            assertThat(owners.byteSize()).isEqualTo(10L * FOwnerEx.SIZEOF);
        }
    }

    @Test
    @SuppressWarnings("restricted")
    void block_isFreedOnce() {
        long there;
        {
            ByteBuffer block = memAlloc(64);
            long address = memAddress(block);
            memByteBuffer(address, 64).put(0, (byte) 42);
            there = block.get(0);
            memFree(block);
        }
        try (MallocArena blocks = MallocArena.ofConfined()) {
            MemorySegment block = blocks.allocate(64);
            long address = block.address();
            MemorySegment.ofAddress(address).reinterpret(64).asByteBuffer().put(0, (byte) 42);
            assertThat(block.asByteBuffer().get(0)).isEqualTo((byte) there);
            blocks.free(block);
            assertThatThrownBy(() -> blocks.free(block)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
