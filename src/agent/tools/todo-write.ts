/** Keeps the session's list of tasks. */
import * as z from "zod";
import type { Todo } from "../../core/reminders/reminder.ts";
import { defineTool, type Tool } from "./tool.ts";
import { told } from "./output.ts";

const input = z.strictObject({
  todos: z
    .array(
      z.strictObject({
        content: z.string().min(1),
        status: z.enum(["pending", "in_progress", "completed"]),
        activeForm: z.string().optional(),
      }),
    )
    .max(200),
});

export const todoWriteTool: Tool = defineTool<z.infer<typeof input>>({
  name: "TodoWrite",
  claims: ["note"],
  label: "Todos",
  show: ({ list }) => ({ todos: list("todos").map(shownTodo) }),
  input,
  describe: (prompts) => prompts("tools/todo-write"),
  claim: () => ({ access: { kind: "note" }, subjects: [{ rule: "TodoWrite" }] }),
  async run({ todos }, context) {
    await context.writeTodos(todos as readonly Todo[]);
    const done = String(todos.filter(({ status }) => status === "completed").length);
    return told(context.prompts("tools/todo-write/written", { done, total: String(todos.length) }));
  },
});

function shownTodo(todo: unknown): { readonly content: string; readonly status: string } {
  const { content, status } = Object(todo) as Readonly<Record<string, unknown>>;
  return { content: typeof content === "string" ? content : "", status: String(status) };
}
