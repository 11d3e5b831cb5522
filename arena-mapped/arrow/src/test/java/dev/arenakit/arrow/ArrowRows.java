package dev.arenakit.arrow;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.CDataDictionaryProvider;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.apache.arrow.vector.util.Text;
import org.jspecify.annotations.Nullable;

/// What arrow-java reads: the schema, and the rows of all batches.
///
/// @param batches the number of rows of each batch
record ArrowRows(Schema schema, List<List<@Nullable Object>> rows, List<Integer> batches) {
    static ArrowRows ofStream(byte[] bytes) {
        try (BufferAllocator allocator = new RootAllocator();
                ArrowReader reader = new ArrowStreamReader(new ByteArrayInputStream(bytes), allocator)) {
            return of(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ArrowRows ofFile(byte[] bytes) {
        try (BufferAllocator allocator = new RootAllocator();
                ArrowReader reader = new ArrowFileReader(new ByteArrayReadableSeekableByteChannel(bytes), allocator)) {
            return of(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ArrowRows of(ArrowStream stream) {
        return ofCStream(stream.address());
    }

    static ArrowRows ofCStream(long address) {
        try (BufferAllocator allocator = new RootAllocator();
                ArrowReader reader = Data.importArrayStream(allocator, ArrowArrayStream.wrap(address))) {
            return of(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ArrowRows of(ArrowExport export) {
        try (BufferAllocator allocator = new RootAllocator();
                CDataDictionaryProvider dictionaries = new CDataDictionaryProvider();
                VectorSchemaRoot root = Data.importVectorSchemaRoot(allocator,
                        ArrowArray.wrap(export.arrayAddress()), ArrowSchema.wrap(export.schemaAddress()),
                        dictionaries)) {
            Map<Long, Dictionary> byId = dictionaries.getDictionaryIds()
                    .stream()
                    .collect(Collectors.toMap(id -> id, dictionaries::lookup));
            List<List<@Nullable Object>> rows = new ArrayList<>();
            addRows(root, byId, rows);
            return new ArrowRows(root.getSchema(), rows, List.of(root.getRowCount()));
        }
    }

    private static ArrowRows of(ArrowReader reader) throws IOException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        List<Integer> batches = new ArrayList<>();
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        while (reader.loadNextBatch()) {
            batches.add(root.getRowCount());
            addRows(root, reader.getDictionaryVectors(), rows);
        }
        return new ArrowRows(root.getSchema(), rows, batches);
    }

    private static void addRows(VectorSchemaRoot batch, Map<Long, Dictionary> dictionaries,
            List<List<@Nullable Object>> rows) {
        for (int i = 0; i < batch.getRowCount(); i++) {
            List<@Nullable Object> row = new ArrayList<>();
            for (FieldVector vector : batch.getFieldVectors()) {
                row.add(value(vector, i, dictionaries));
            }
            rows.add(row);
        }
    }

    private static @Nullable Object value(FieldVector vector, int index, Map<Long, Dictionary> dictionaries) {
        if (vector.isNull(index)) {
            return null;
        }
        if (vector.getField().getDictionary() != null) {
            int at = Math.toIntExact(((BaseIntVector) vector).getValueAsLong(index));
            Dictionary dictionary = dictionaries.get(vector.getField().getDictionary().getId());
            return Objects.requireNonNull(dictionary).getVector().getObject(at).toString();
        }
        return switch (vector) {
            case UInt8Vector unsigned -> {
                BigInteger value = new BigInteger(Long.toUnsignedString(unsigned.get(index)));
                yield value.bitLength() < Long.SIZE ? value.longValue() : value;
            }
            case BaseIntVector integer -> integer.getValueAsLong(index);
            case ListVector list -> values(list.getDataVector(), list.getElementStartIndex(index),
                    list.getElementEndIndex(index), dictionaries);
            case FixedSizeListVector list -> values(list.getDataVector(), list.getElementStartIndex(index),
                    list.getElementEndIndex(index), dictionaries);
            case StructVector struct -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                struct.getChildrenFromFields()
                        .forEach(child -> members.put(child.getName(), value(child, index, dictionaries)));
                yield members;
            }
            default -> vector.getObject(index) instanceof Text text ? text.toString() : vector.getObject(index);
        };
    }

    private static List<@Nullable Object> values(FieldVector vector, int from, int to,
            Map<Long, Dictionary> dictionaries) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = from; i < to; i++) {
            values.add(value(vector, i, dictionaries));
        }
        return values;
    }
}
