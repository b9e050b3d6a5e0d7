import { z } from 'zod';

/** A task of MCP-Bench as its authors publish it (`tasks/*_runner_format.json`). */
const publishedTask = z
  .object({
    task_id: z.string().min(1).max(200),
    task_description: z.string().trim().min(1).max(20_000),
    fuzzy_description: z.string().trim().max(20_000).nullish(),
    dependency_analysis: z.string().trim().max(20_000).nullish(),
  })
  .transform((task) => ({
    id: task.task_id,
    request: task.task_description,
    /** Empty without one. */
    fuzzy: task.fuzzy_description ?? '',
    /** Empty if nobody says. */
    dependencies: task.dependency_analysis ?? '',
  }));

/** The tasks of one combination of servers. */
const publishedGroup = z
  .object({
    server_name: z.string().min(1).max(1_000),
    servers: z.array(z.string().min(1).max(100)).min(1).max(50).nullish(),
    combination_name: z.string().max(200).nullish(),
    tasks: z.array(z.unknown()).max(10_000),
  })
  .transform((group) => ({
    servers: group.servers ?? group.server_name.split('+').map((name) => name.trim()),
    category: group.combination_name ?? '',
    tasks: group.tasks,
  }));

/** A file of tasks, whose groups and tasks are parsed one by one. */
const publishedFile = z.object({ server_tasks: z.array(z.unknown()).max(10_000) });

export interface PublishedTask extends z.infer<typeof publishedTask> {
  /** The servers that it needs, by the names that their authors gave them. */
  readonly servers: readonly string[];
  readonly category: string;
}

/** What a file has: its tasks, and what in it could not be parsed, by place or id, with the reason. */
export interface ReadTasks {
  readonly tasks: readonly PublishedTask[];
  readonly unparsed: readonly string[];
}

/** Reads a file, task by task: one that is broken takes no other with it. Null if it has no list of groups. */
export function parsePublishedTasksOrNull(json: unknown): ReadTasks | null {
  const file = publishedFile.safeParse(json);
  if (!file.success) return null;
  const tasks: PublishedTask[] = [];
  const unparsed: string[] = [];
  for (const [place, given] of file.data.server_tasks.entries()) {
    const group = publishedGroup.safeParse(given);
    if (!group.success) unparsed.push(`server_tasks.${place}: ${firstIssueText(group.error)}`);
    else
      for (const [at, each] of group.data.tasks.entries()) {
        const task = publishedTask.safeParse(each);
        const { servers, category } = group.data;
        if (task.success) tasks.push({ ...task.data, servers, category });
        else unparsed.push(`server_tasks.${place}.tasks.${at}: ${firstIssueText(task.error)}`);
      }
  }
  return { tasks, unparsed };
}

const firstIssueText = ({ issues: [issue] }: z.ZodError): string =>
  `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim();
