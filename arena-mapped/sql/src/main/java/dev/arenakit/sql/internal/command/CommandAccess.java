package dev.arenakit.sql.internal.command;

import dev.arenakit.sql.SqlImage;
import dev.arenakit.sql.SqlResult;
import dev.arenakit.sql.StructSql;
import dev.arenakit.sql.internal.ImageSchema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;

/// What the command needs of an engine beside the public methods.
public final class CommandAccess {
    private static final MethodHandle STREAM = find("stream");
    private static final MethodHandle QUERY_NAMED = find("queryNamed");
    private static final MethodHandle COUNT = find(StructSql.class, "countStatements",
            MethodType.methodType(long.class, String.class));
    private static final MethodHandle SCHEMA = find(SqlImage.class, "imageSchema",
            MethodType.methodType(ImageSchema.class));

    private static final MethodHandle TIME_TEXTS = find(SqlResult.class, "useTimeTexts",
            MethodType.methodType(void.class));

    private CommandAccess() {}

    /// Executes a statement whose rows the engine computes while [SqlResult#next] asks for them, so that a result of
    /// any size needs little memory. Tables of segments cannot be read.
    ///
    /// @return the result, whose method `next` also throws a [dev.arenakit.sql.SqlException] if the engine fails between
    ///         two rows; the caller closes it before the next statement
    /// @throws dev.arenakit.sql.SqlException if the statement fails before its first row
    public static SqlResult stream(StructSql sql, String statement) {
        return call(STREAM, sql, statement);
    }

    /// Executes a query of the engine's catalog, which has only the tables of images that statements have named.
    ///
    /// @throws dev.arenakit.sql.SqlException if the query fails
    public static SqlResult queryNamed(StructSql sql, String query) {
        return call(QUERY_NAMED, sql, query);
    }

    /// Returns the number of statements in a text, without executing them.
    ///
    /// @throws dev.arenakit.sql.SqlException if the engine cannot parse the text
    public static long countStatements(StructSql sql, String text) {
        try {
            return (long) COUNT.invokeExact(sql, text);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    /// Makes a result return times as objects whose [Object#toString] has as many digits as their type.
    public static void useTimeTexts(SqlResult result) {
        try {
            TIME_TEXTS.invokeExact(result);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    /// Returns the tables of an image that no statement has named, with the names of their columns. The tables of one
    /// type have the same list.
    public static Map<String, List<String>> unnamedTables(SqlImage image) {
        return schema(image).unnamedTables();
    }

    /// Returns the names of allocations, by the names of their tables, if these are other names.
    public static Map<String, String> renamedTables(SqlImage image) {
        return schema(image).renamed();
    }

    private static ImageSchema schema(SqlImage image) {
        try {
            return (ImageSchema) SCHEMA.invokeExact(image);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    private static SqlResult call(MethodHandle method, StructSql sql, String statement) {
        try {
            return (SqlResult) method.invokeExact(sql, statement);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    private static MethodHandle find(String name) {
        return find(StructSql.class, name, MethodType.methodType(SqlResult.class, String.class));
    }

    /// The methods are not public, because they are no part of the contract of the class.
    private static MethodHandle find(Class<?> owner, String name, MethodType type) {
        try {
            return MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).findVirtual(owner, name, type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Method is missing: name=" + name, e);
        }
    }
}
