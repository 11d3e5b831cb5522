package dev.arenakit.sql.internal;

import dev.arenakit.internal.Memory;
import dev.arenakit.sql.SqlException;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbHeader;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

/// Reads the values of a column of a result, chunk by chunk.
public final class ResultVector {
    private static final int TEXT_BYTE_SIZE = 16;
    private static final int INLINE_LENGTH = 12;
    private static final long NANOS_PER_MICRO = 1000;
    private static final LocalDateTime EPOCH = LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC);

    private final DuckDbLibrary engine;
    private final ResultType type;
    private final ResultVector[] children;
    private boolean hasTimeTexts;
    private MemorySegment data = MemorySegment.NULL;
    /// The validity mask, or 0 if no value is NULL.
    private long validity;

    public ResultVector(DuckDbLibrary engine, ResultType type) {
        this.engine = engine;
        this.type = type;
        children = type.children().stream().map(child -> new ResultVector(engine, child)).toArray(ResultVector[]::new);
    }

    /// A time as text. All values of a column have the same number of digits.
    private record TimeText(String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    /// Returns times as objects from now on whose [Object#toString] has as many digits as their type.
    public void useTimeTexts() {
        hasTimeTexts = true;
        for (ResultVector child : children) {
            child.useTimeTexts();
        }
    }

    public void attach(long vector) {
        data = Memory.ALL.asSlice(engine.call(DuckDbFunction.VECTOR_GET_DATA, vector));
        validity = engine.call(DuckDbFunction.VECTOR_GET_VALIDITY, vector);
        switch (type.id()) {
            case DuckDbHeader.TYPE_LIST -> children[0]
                    .attach(engine.call(DuckDbFunction.LIST_VECTOR_GET_CHILD, vector));
            case DuckDbHeader.TYPE_ARRAY -> children[0]
                    .attach(engine.call(DuckDbFunction.ARRAY_VECTOR_GET_CHILD, vector));
            default -> {
                for (int i = 0; i < children.length; i++) {
                    children[i].attach(engine.call(DuckDbFunction.STRUCT_VECTOR_GET_CHILD, vector, i));
                }
            }
        }
    }

    public boolean isNull(long index) {
        return validity != 0 && (Memory.getLong(validity + (index >>> 6) * Long.BYTES) >>> index & 1) == 0;
    }

    private long bigint(long index) {
        return data.getAtIndex(JAVA_LONG, index);
    }

    /// Returns a value that is not NULL.
    ///
    /// @throws SqlException if this library does not read values of the type
    public Object value(long index) {
        return switch (type.id()) {
            case DuckDbHeader.TYPE_BOOLEAN -> data.get(JAVA_BYTE, index) != 0;
            case DuckDbHeader.TYPE_FLOAT -> data.getAtIndex(JAVA_FLOAT, index);
            case DuckDbHeader.TYPE_DOUBLE -> data.getAtIndex(JAVA_DOUBLE, index);
            case DuckDbHeader.TYPE_VARCHAR -> text(index);
            case DuckDbHeader.TYPE_BLOB -> bytes(index);
            case DuckDbHeader.TYPE_DECIMAL -> new BigDecimal(new BigInteger(integer(type.stored(), index).toString()),
                    type.scale());
            case DuckDbHeader.TYPE_ENUM -> type.names().get(integer(type.stored(), index).intValue());
            case DuckDbHeader.TYPE_LIST -> list(children[0], bigint(2 * index), bigint(2 * index + 1));
            case DuckDbHeader.TYPE_ARRAY -> list(children[0], index * type.length(), type.length());
            case DuckDbHeader.TYPE_STRUCT -> struct(index);
            case DuckDbHeader.TYPE_UUID -> new UUID(huge(index).shiftRight(Long.SIZE).longValue() ^ Long.MIN_VALUE,
                    bigint(2 * index));
            case DuckDbHeader.TYPE_DATE, DuckDbHeader.TYPE_TIME, DuckDbHeader.TYPE_TIMESTAMP,
                    DuckDbHeader.TYPE_TIMESTAMP_S, DuckDbHeader.TYPE_TIMESTAMP_MS, DuckDbHeader.TYPE_TIMESTAMP_NS,
                    DuckDbHeader.TYPE_TIMESTAMP_TZ ->
                time(index);
            default -> integer(type.id(), index);
        };
    }

    /// @throws SqlException if Java's classes cannot represent the value: infinity, 24:00, a year beyond a billion
    private Object time(long index) {
        boolean isDate = type.id() == DuckDbHeader.TYPE_DATE;
        long number = isDate ? data.getAtIndex(JAVA_INT, index) : bigint(index);
        try {
            if (Math.abs(number) != (isDate ? Integer.MAX_VALUE : Long.MAX_VALUE)) {
                Temporal time = finiteTime(number);
                return hasTimeTexts && !isDate ? new TimeText(text(time)) : time;
            }
        } catch (DateTimeException _) {
            // Java has no equivalent of the engine's value.
        }
        throw new SqlException("Time has no equivalent in Java: value=" + number
                + "; cast it to varchar in the query");
    }

    private String text(Temporal time) {
        int digits = switch (type.id()) {
            case DuckDbHeader.TYPE_TIMESTAMP_S -> 0;
            case DuckDbHeader.TYPE_TIMESTAMP_MS -> 3;
            case DuckDbHeader.TYPE_TIMESTAMP_NS -> 9;
            default -> 6;
        };
        String pattern = (time instanceof LocalTime ? "" : "uuuu-MM-dd'T'") + "HH:mm:ss"
                + (digits == 0 ? "" : "." + "S".repeat(digits)) + (time instanceof Instant ? "'Z'" : "");
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC).format(time);
    }

    private Temporal finiteTime(long number) {
        return switch (type.id()) {
            case DuckDbHeader.TYPE_DATE -> LocalDate.ofEpochDay(number);
            case DuckDbHeader.TYPE_TIME -> LocalTime.ofNanoOfDay(number * NANOS_PER_MICRO);
            case DuckDbHeader.TYPE_TIMESTAMP_S -> EPOCH.plusSeconds(number);
            case DuckDbHeader.TYPE_TIMESTAMP_MS -> EPOCH.plus(number, ChronoUnit.MILLIS);
            case DuckDbHeader.TYPE_TIMESTAMP_NS -> EPOCH.plusNanos(number);
            case DuckDbHeader.TYPE_TIMESTAMP_TZ -> Instant.EPOCH.plus(number, ChronoUnit.MICROS);
            default -> EPOCH.plus(number, ChronoUnit.MICROS);
        };
    }

    /// Returns an integer of up to 64 bits as a `Long`, unless it is unsigned and too large, and any other integer as a
    /// `BigInteger`.
    private Number integer(int id, long index) {
        return switch (id) {
            case DuckDbHeader.TYPE_TINYINT -> (long) data.get(JAVA_BYTE, index);
            case DuckDbHeader.TYPE_UTINYINT -> data.get(JAVA_BYTE, index) & 0xffL;
            case DuckDbHeader.TYPE_SMALLINT -> (long) data.getAtIndex(JAVA_SHORT, index);
            case DuckDbHeader.TYPE_USMALLINT -> data.getAtIndex(JAVA_SHORT, index) & 0xffffL;
            case DuckDbHeader.TYPE_INTEGER -> (long) data.getAtIndex(JAVA_INT, index);
            case DuckDbHeader.TYPE_UINTEGER -> data.getAtIndex(JAVA_INT, index) & 0xffffffffL;
            case DuckDbHeader.TYPE_BIGINT -> bigint(index);
            case DuckDbHeader.TYPE_UBIGINT -> bigint(index) >= 0
                    ? (Number) bigint(index)
                    : new BigInteger(Long.toUnsignedString(bigint(index)));
            case DuckDbHeader.TYPE_HUGEINT -> huge(index);
            case DuckDbHeader.TYPE_UHUGEINT -> huge(index).signum() < 0
                    ? huge(index).add(BigInteger.TWO.pow(2 * Long.SIZE))
                    : huge(index);
            default -> throw new SqlException("Values of this type are not read: type="
                    + ResultType.name(id) + "; cast them to varchar in the query");
        };
    }

    private BigInteger huge(long index) {
        return BigInteger.valueOf(bigint(2 * index + 1))
                .shiftLeft(Long.SIZE)
                .add(new BigInteger(Long.toUnsignedString(bigint(2 * index))));
    }

    String text(long index) {
        return new String(bytes(index), StandardCharsets.UTF_8);
    }

    private byte[] bytes(long index) {
        long at = data.address() + index * TEXT_BYTE_SIZE;
        int length = Memory.getInt(at);
        long from = length <= INLINE_LENGTH ? at + Integer.BYTES : Memory.getLong(at + Long.BYTES);
        return Memory.segment(from, length).toArray(JAVA_BYTE);
    }

    private static List<@Nullable Object> list(ResultVector elements, long first, long count) {
        List<@Nullable Object> list = new ArrayList<>(Math.toIntExact(count));
        for (long i = first; i < first + count; i++) {
            list.add(elements.isNull(i) ? null : elements.value(i));
        }
        return Collections.unmodifiableList(list);
    }

    private Map<String, @Nullable Object> struct(long index) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (int i = 0; i < children.length; i++) {
            String name = type.names().get(i);
            // The members of a row have no names. SQL counts them from 1.
            members.put(name.isEmpty() ? String.valueOf(i + 1) : name,
                    children[i].isNull(index) ? null : children[i].value(index));
        }
        return Collections.unmodifiableMap(members);
    }
}
