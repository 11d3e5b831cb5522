package dev.arenakit.layout;

import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Value;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class RecordMapperEnumTest {
    enum Operator {
        PLUS {
            @Override
            int apply(int a, int b) {
                return a + b;
            }
        },
        MINUS {
            @Override
            int apply(int a, int b) {
                return a - b;
            }
        };

        abstract int apply(int a, int b);
    }

    record Program(Operator first, @Length(2) Operator[] rest) {}

    @Members({"first", "rest"})
    interface ProgramView {
        Operator first();

        @Length(2)
        Operator rest(long index);
    }

    @Test
    void set_arrayOfConstantsWithBodies_isReadBack() {
        RecordMapper<Program> mapper = RecordMapper.of(Program.class);
        MemorySegment segment = MemorySegment.ofArray(new int[3]);

        mapper.setAtIndex(segment, 0, new Program(Operator.MINUS, new Operator[]{Operator.PLUS, Operator.MINUS}));

        Program read = mapper.getAtIndex(segment, 0);
        assertThat(read.first().apply(5, 3)).isEqualTo(2);
        assertThat(read.rest()).containsExactly(Operator.PLUS, Operator.MINUS);
        assertThat(segment.toArray(ValueLayout.JAVA_INT)).containsExactly(1, 0, 1);
        ProgramView view = ViewMapper.of(ProgramView.class).viewAtIndex(segment, 0);
        assertThat(List.of(view.first(), view.rest(0), view.rest(1)))
                .containsExactly(Operator.MINUS, Operator.PLUS, Operator.MINUS);
    }

    enum State {
        @Value(-1)
        INVALID, NEW, OPEN, @Otherwise
        UNKNOWN, CLOSED, @Value(10)
        LOST, FOUND
    }

    record Session(State state) {}

    @Test
    void type_constantsWithoutValue_areCountedOnAsInC() {
        RecordMapper<Session> mapper = RecordMapper.of(Session.class);
        EnumType state = (EnumType) mapper.type().members().getFirst().type();
        assertThat(state.constants()).extracting(EnumType.Constant::value).containsExactly(-1L, 0L, 1L, 3L, 10L, 11L);
        StructType parsed = LayoutText.parse("""
                #pragma layout 2
                enum State { INVALID = -1, NEW, OPEN, UNKNOWN = @otherwise, CLOSED = 3, LOST = 10, FOUND, };
                struct Session { enum State state; };
                """);
        assertThat(mapper.type()).isEqualTo(parsed);

        MemorySegment segment = MemorySegment.ofArray(new int[]{-1, 0, 1, 3, 10, 11, 2});
        assertThat(IntStream.range(0, 7).mapToObj(i -> mapper.getAtIndex(segment, i).state())).containsExactly(
                State.INVALID, State.NEW, State.OPEN, State.CLOSED, State.LOST, State.FOUND, State.UNKNOWN);
        mapper.setAtIndex(segment, 0, new Session(State.FOUND));
        assertThat(segment.get(ValueLayout.JAVA_INT, 0)).isEqualTo(11);
    }

    enum Last {
        @Value(Long.MAX_VALUE)
        LARGEST, @Otherwise
        OTHER, NEXT
    }

    record OfLast(@ByteSize(8) Last last) {}

    @Test
    void of_constantAfterTheLargestLong_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> RecordMapper.of(OfLast.class))
                .withMessageContainingAll("Constant exceeds a long", "constant=NEXT; add @Value to it");
    }

    enum Lowest {
        @Value(Long.MIN_VALUE)
        LOWEST, NEXT
    }

    record OfLowest(@ByteSize(8) Lowest lowest) {}

    @Test
    void type_constantAfterTheLowestLong_isTheNextOne() {
        EnumType lowest = (EnumType) RecordMapper.of(OfLowest.class).type().members().getFirst().type();
        assertThat(lowest.constants().getLast().value()).isEqualTo(Long.MIN_VALUE + 1);
    }

    enum Protocol {
        @Value(0x0800)
        IPV4, @Value(0x0806)
        ARP, @Value(0x86DD)
        IPV6, @Value(Integer.MIN_VALUE)
        LOWEST, @Value(0)
        NONE
    }

    record Frame(Protocol protocol) {}

    @Test
    void get_valuesFarFromEachOther_areFoundAndOthersRefused() {
        RecordMapper<Frame> mapper = RecordMapper.of(Frame.class);
        MemorySegment segment = MemorySegment.ofArray(new int[1]);

        for (Protocol protocol : Protocol.values()) {
            mapper.setAtIndex(segment, 0, new Frame(protocol));
            assertThat(mapper.getAtIndex(segment, 0).protocol()).isEqualTo(protocol);
        }
        segment.set(ValueLayout.JAVA_INT, 0, 0x0801);
        assertThatIllegalArgumentException().isThrownBy(() -> mapper.getAtIndex(segment, 0))
                .withMessageContaining("component=protocol, value=2049, known=[2048, 2054, 34525, -2147483648, 0]");
    }
}
