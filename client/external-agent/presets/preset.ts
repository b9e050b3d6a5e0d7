/** What a command-line agent gets for one attempt. */
export interface PresetAttempt {
  readonly request: string;
  /** The attempt's MCP server, and the token that it wants as a bearer token. */
  readonly mcp: { readonly url: string; readonly token: string };
  readonly model: PresetModel;
  /** Whether it keeps its own tools, such as a shell. */
  readonly ownTools: boolean;
}

/** How an agent reaches its model through the model gateway. */
export interface PresetModel {
  readonly name: string;
  readonly urls: { readonly openai: string; readonly anthropic: string; readonly gemini: string };
  readonly token: string;
}

/** How a program is started for one attempt. */
export interface PresetStart {
  /** Files by their paths below the attempt's own folder, where `home` is its home and `work` the folder that it works in. */
  readonly files: Readonly<Record<string, string>>;
  readonly arguments: readonly string[];
  /** Beside PATH, HOME and the folder for temporary files, which is all that it gets of the environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
}

/** How one command-line agent is started, connected and read. */
export interface Preset {
  /** What --cli calls it. */
  readonly name: string;
  /** The command that is looked for on PATH. */
  readonly program: string;
  /** A command that installs it. */
  readonly install: string;
  /** Where its model is asked if nobody says otherwise, and which variable usually holds the key; null if it has no usual place. */
  readonly endpoint: { readonly baseUrl: string; readonly keyVariable: string } | null;
  /** Its model if nobody names one. */
  readonly model: string | null;
  /** What it is asked for its version with. */
  readonly versionArguments: readonly string[];
  start(attempt: PresetAttempt): PresetStart;
  /** Returns the answer in what it printed; null if there is none, which counts as a crash. */
  readAnswer(printed: string): string | null;
}

/** Returns the server of an attempt as most configurations write it. */
export const bearerHeader = (token: string): { readonly Authorization: string } => ({
  Authorization: `Bearer ${token}`,
});

/** Parses JSON that a program printed; undefined if it is none. */
export function parsePrintedJson(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch {
    return undefined;
  }
}
