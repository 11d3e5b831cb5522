package dev.arenakit.examples.structures;

import dev.arenakit.MallocArena;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.Ref;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.util.StringJoiner;

/// Lists whose links are in the tasks themselves: a task moves from one list to another without an allocation.
final class TaskListExample {
    private static final RecordMapper<Task> TASKS = RecordMapper.of(Task.class);

    record Task(long id, int priority, Ref<Task> next) {}

    private final MemorySegment tasks;
    private Ref<Task> ready = Ref.none();
    private Ref<Task> waiting = Ref.none();

    private TaskListExample(MemorySegment tasks) {
        this.tasks = tasks;
        for (long i = tasks.byteSize() / TASKS.byteSize() - 1; i >= 0; i--) {
            TASKS.setAtIndex(tasks, i, new Task(i, (int) (i * 7 % 5), ready));
            ready = TASKS.refAtIndex(i);
        }
    }

    /// Runs the example.
    ///
    /// @param args none
    public static void main(String[] args) {
        run(System.out);
    }

    static void run(PrintStream out) {
        try (MallocArena arena = MallocArena.ofConfined()) {
            TaskListExample lists = new TaskListExample(TASKS.allocate(arena, 6));
            lists.suspend();
            lists.suspend();
            out.println("ready: " + lists.ids(lists.ready) + "; waiting: " + lists.ids(lists.waiting));
            out.println("priorities of all: " + (lists.priorities(lists.ready) + lists.priorities(lists.waiting)));
        }
    }

    /// Moves the first ready task to the list of waiting tasks.
    private void suspend() {
        Ref<Task> moved = ready;
        Task task = moved.follow(tasks);
        ready = task.next();
        TASKS.set(tasks, moved.offsetIn(tasks), new Task(task.id(), task.priority(), waiting));
        waiting = moved;
    }

    private String ids(Ref<Task> first) {
        StringJoiner ids = new StringJoiner(", ");
        for (Ref<Task> at = first; !at.isNone(); at = at.follow(tasks).next()) {
            ids.add(Long.toString(at.follow(tasks).id()));
        }
        return ids.toString();
    }

    /// Adds the priorities in a loop over offsets, which creates no objects.
    private long priorities(Ref<Task> first) {
        long sum = 0;
        for (long at = first.offsetIn(tasks); at >= 0;) {
            Task task = TASKS.get(tasks, at);
            sum += task.priority();
            at = task.next().offsetIn(tasks);
        }
        return sum;
    }
}
