/** How a child of a stateful server is cleaned after a session. */
export type Reset =
  /** Its state is in its folder, so restoring the folder is enough. */
  | { readonly kind: 'folder' }
  /** Like `folder`, but the tools in `undoes` also change the memory of the process, which one call then resets. */
  | {
      readonly kind: 'folder-and-call';
      readonly tool: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly undoes: readonly string[];
    }
  /** State in the memory of the process. A child is reusable only after sessions that used nothing but `pureTools`. */
  | { readonly kind: 'kill'; readonly pureTools: readonly string[] };

/** What starts a server: the only command of an installed package, run by Node, or any other command. */
type Program = { readonly package: string; readonly nodeArgs?: readonly string[] } | { readonly command: string };

/** One MCP server that the gateway serves. */
export type ServerSpec = Program & {
  /** First segment of its path in the gateway. */
  readonly name: string;
  /** Its domain, one word. */
  readonly domain: string;
  /** Arguments of the command. `$work` stands for the child's work folder, here, in `nodeArgs` and in `env`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The client capabilities that the gateway declares when it connects; it answers the matching requests itself. */
  readonly clientCapabilities?: Readonly<Record<string, unknown>>;
  /** The folder whose content every session finds in its work folder. */
  readonly files?: string;
  /** What messages call the work folder, so that a path that one session was shown is valid in the next; itself by default. */
  readonly shownAs?: string;
  /** Served in MCP 2026-07-28 alone, which has no sessions; for a server without state. */
  readonly modern?: true;
  /** What calls of its tools do, where the server does not say it. */
  readonly effects?: Readonly<Record<string, 'reads'>>;
  /** Takes only requests with a token, which lives 60 seconds. */
  readonly oauth?: true;
  /** Absent for a server without state, whose one child serves every session. */
  readonly reset?: Reset;
};

/** The bundled servers, in the order in which they are listed and started. */
export const SERVERS: readonly ServerSpec[] = [
  { name: 'calc', domain: 'computing', package: '@coo-quack/calc-mcp' },
  { name: 'time', domain: 'time', package: 'time-mcp' },
  {
    name: 'files',
    domain: 'files',
    package: '@modelcontextprotocol/server-filesystem',
    args: ['$work'],
    reset: { kind: 'folder' },
  },
  {
    name: 'memory',
    domain: 'knowledge',
    package: '@modelcontextprotocol/server-memory',
    env: { MEMORY_FILE_PATH: '$work/memory.jsonl' },
    reset: { kind: 'folder' },
  },
  {
    name: 'everything',
    domain: 'protocol',
    package: '@modelcontextprotocol/server-everything',
    env: { GZIP_ALLOWED_DOMAINS: 'none.invalid' },
    clientCapabilities: { roots: {}, sampling: {}, elicitation: {} },
    reset: {
      kind: 'kill',
      pureTools: [
        'echo',
        'get-annotated-message',
        'get-env',
        'get-resource-links',
        'get-resource-reference',
        'get-roots-list',
        'get-structured-content',
        'get-sum',
        'get-tiny-image',
        'trigger-elicitation-request',
        'trigger-long-running-operation',
        'trigger-sampling-request',
      ],
    },
  },
  {
    name: 'thinking',
    domain: 'reasoning',
    package: '@modelcontextprotocol/server-sequential-thinking',
    env: { DISABLE_THOUGHT_LOGGING: 'true' },
    reset: { kind: 'kill', pureTools: [] },
  },
  { name: 'charts', domain: 'charts', package: 'mcp-echarts' },
  {
    name: 'git',
    domain: 'versioning',
    package: '@cyanheads/git-mcp-server',
    env: {
      GIT_BASE_DIR: '$work',
      GIT_SIGN_COMMITS: 'false',
      GIT_AUTHOR_NAME: 'Noor Visser',
      GIT_AUTHOR_EMAIL: 'noor@example.com',
      MCP_LOG_LEVEL: 'silent',
    },
    reset: {
      kind: 'folder-and-call',
      tool: 'git_set_working_dir',
      args: { path: 'almanac' },
      undoes: ['git_set_working_dir', 'git_clear_working_dir'],
    },
  },
  {
    name: 'diagrams',
    domain: 'diagrams',
    package: 'drawio-mcp',
    // It assigns the global `navigator`, which is read-only in Node since version 21. It also accepts any path, so Node
    // must keep it inside its folder.
    nodeArgs: ['--no-experimental-global-navigator', '--permission', '--allow-fs-read=*', '--allow-fs-write=$work'],
    reset: { kind: 'folder' },
  },
  {
    name: 'food',
    domain: 'food',
    package: 'howtocook-mcp',
    modern: true,
    effects: {
      mcp_howtocook_getAllRecipes: 'reads',
      mcp_howtocook_getRecipesByCategory: 'reads',
      mcp_howtocook_recommendMeals: 'reads',
      mcp_howtocook_whatToEat: 'reads',
      mcp_howtocook_getRecipeById: 'reads',
    },
  },
  {
    name: 'planning',
    domain: 'planning',
    package: '@kazuph/mcp-taskmanager',
    env: { TASK_MANAGER_FILE_PATH: '$work/tasks.json' },
    reset: { kind: 'folder' },
  },
  { name: 'tailwind', domain: 'styling', package: 'tailwindcss-mcp-server' },
  {
    name: 'scenarios',
    domain: 'finance',
    package: '@modelcontextprotocol/server-scenario-modeler',
    args: ['--stdio'],
  },
  {
    name: 'customers',
    domain: 'marketing',
    package: '@modelcontextprotocol/server-customer-segmentation',
    args: ['--stdio'],
    oauth: true,
  },
  { name: 'budget', domain: 'finance', package: '@modelcontextprotocol/server-budget-allocator', args: ['--stdio'] },
  { name: 'system', domain: 'system', package: '@modelcontextprotocol/server-system-monitor', args: ['--stdio'] },
];
