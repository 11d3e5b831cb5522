package dev.arenakit.tool.sql;

import dev.arenakit.sql.SqlException;
import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;

/// Executes statements and commands that the user types or that a file contains.
final class SqlRunner {
    private static final List<String> FORMS = List.of("table", "csv", "json");

    private final Streams streams;
    private final SqlSession session;
    private final SqlCatalog catalog;
    private final SqlDotCommands commands;
    private SqlForm form;
    private boolean hasQuit;

    SqlRunner(SqlSession session, SqlForm form) {
        this.session = session;
        this.form = form;
        streams = session.streams();
        catalog = new SqlCatalog(session);
        commands = new SqlDotCommands(session, catalog);
    }

    SqlCatalog catalog() {
        return catalog;
    }

    /// Whether a command has ended the prompt.
    boolean hasQuit() {
        return hasQuit;
    }

    void quit() {
        hasQuit = true;
    }

    /// Sets the form of results.
    ///
    /// @return whether there is such a form
    boolean setForm(String name) {
        if (!FORMS.contains(name)) {
            streams.report("no form '" + name + "'; use one of " + String.join(", ", FORMS));
            return false;
        }
        form = SqlForm.of(name, streams);
        return true;
    }

    /// Executes one command, or several statements until a statement fails.
    ///
    /// @param isTimed whether the numbers of rows and the times are printed
    /// @return whether the command or all statements have succeeded
    boolean execute(String text, boolean isTimed) throws IOException {
        boolean isFine = SqlDotCommands.isDotCommand(text)
                ? executeCommand(text)
                : executeStatements(text, isTimed);
        if (!isFine && isTimed && session.cancellation().isCancelled()) {
            streams.report("interrupted");
        }
        return isFine;
    }

    private boolean executeCommand(String text) throws IOException {
        try {
            boolean isFine = commands.execute(text, this);
            streams.out().flush();
            session.cancellation().check();
            return isFine;
        } catch (SqlException | CancellationException e) {
            session.reportFailure(e);
            return false;
        }
    }

    private boolean executeStatements(String text, boolean isTimed) throws IOException {
        for (String statement : SqlStatementSplitter.split(text)) {
            long start = System.nanoTime();
            long rows = session.execute(statement, form);
            catalog.setChanged();
            if (rows < 0) {
                return false;
            }
            if (isTimed) {
                double seconds = (System.nanoTime() - start) / 1e9;
                streams.print(streams.styled(AnsiCodes.DIM, Counts.of(rows, "row") + " in "
                        + Math.round(seconds * 1e3) / 1e3 + " s") + "\n");
                streams.out().flush();
            }
        }
        return true;
    }
}
