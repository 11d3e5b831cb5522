package dev.arenakit.sql.internal;

import dev.arenakit.sql.SqlResult;
import dev.arenakit.sql.StructSql;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/// What the command needs of an engine beside the public methods.
public final class CommandAccess {
    private static final MethodHandle STREAM = find("stream");

    private CommandAccess() {}

    /// Executes a statement whose rows the engine computes while [SqlResult#next] asks for them, so that a result of any
    /// size needs little memory. Tables of segments cannot be read.
    ///
    /// @return the result, whose method `next` also throws a [dev.arenakit.sql.SqlException] if the engine fails between
    ///         two rows; the caller closes it before the next statement
    /// @throws dev.arenakit.sql.SqlException if the statement fails before its first row
    public static SqlResult stream(StructSql sql, String statement) {
        return call(STREAM, sql, statement);
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

    /// The methods are not public, because they are no part of the contract of the class.
    private static MethodHandle find(String name) {
        try {
            return MethodHandles.privateLookupIn(StructSql.class, MethodHandles.lookup())
                    .findVirtual(StructSql.class, name, MethodType.methodType(SqlResult.class, String.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Method is missing: name=" + name, e);
        }
    }
}
