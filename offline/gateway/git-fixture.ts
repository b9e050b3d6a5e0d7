import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The address of the fixture's remotes; git is told to look for them in the work folder. */
const REMOTES = 'https://git.example.com/harbour/';

type Run = (
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
) => Promise<unknown>;
type Files = Readonly<Record<string, string>>;

const README = '# Almanac\n\nTide tables and harbour notes for small boats.\n';
const TIDES = 'port,high_water,metres\nCuxhaven,05:12,3.4\nVlissingen,03:48,4.1\nDelfzijl,11:05,3.0\n';

/** Branches of `atlas`, each one commit ahead of its start, without conflicts between them. */
const ATLAS_BRANCHES = ['rivers', 'lakes', 'peaks', 'islands', 'coasts', 'passes', 'forests', 'deserts', 'plains'];

/** The configuration of git in a child's home: the committer, and the location of the remotes. */
export function gitConfig(work: string): string {
  return [
    '[user]\n\tname = Noor Visser\n\temail = noor@example.com',
    '[init]\n\tdefaultBranch = main',
    '[gc]\n\tauto = 0',
    '[advice]\n\tdetachedHead = false',
    `[url "${join(work, 'remotes')}/"]\n\tinsteadOf = ${REMOTES}\n`,
  ].join('\n');
}

/**
 * Builds two repositories and their remotes. `almanac` has a tag, four branches, a staged, an unstaged and two untracked
 * changes, and its remote is one commit ahead. `atlas` is clean, has ten branches, and is one commit ahead of its remote.
 * All hashes are the same on every machine.
 */
export async function buildRepositoriesOrWarn(root: string, run: Run): Promise<void> {
  const home = `${root}-home`;
  await mkdir(home, { recursive: true });
  await writeFile(join(home, '.gitconfig'), gitConfig(root));
  try {
    const builder = new Builder(root, home, run);
    await buildAlmanac(builder);
    await buildAtlas(builder);
  } catch (error) {
    await Promise.all(
      ['almanac', 'atlas', 'remotes'].map((name) => rm(join(root, name), { recursive: true, force: true })),
    );
    process.stderr.write(
      `The git server has no repository to work on, its calls will fail: ${gitFailureText(error)}\n`,
    );
  }
  await rm(home, { recursive: true, force: true });
}

function gitFailureText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT')
    return 'git is not installed or not on PATH. Install it and start again.';
  return error.message.split('\n')[0];
}

async function buildAlmanac(builder: Builder): Promise<void> {
  const git = await builder.createRepositoriesAndReturnGit('almanac');
  const commit = (day: number, message: string, files: Files): Promise<void> =>
    builder.writeAndCommitAll('almanac', day, message, files);
  await commit(2, 'Start the almanac', { 'README.md': README });
  await commit(4, 'Add tide tables for three ports', { 'data/tides.csv': TIDES });
  await commit(9, 'Describe the north harbour', {
    'notes/north-harbour.md': '# North harbour\n\nCall on channel 12 before entering.\n',
    'notes/checklist.md': '- charts\n- radio\n- flares\n',
  });
  await git('tag', 'v1.0.0');
  await commit(16, 'Explain the columns of the tide tables', {
    'README.md': `${README}\nHeights are metres above chart datum.\n`,
  });
  await git('push', '--quiet', '--set-upstream', 'origin', 'main');
  await commit(20, 'Add emergency numbers', { 'notes/emergency.md': '# Emergency\n\nCoast guard: channel 16.\n' });
  await git('push', '--quiet', 'origin', 'main');
  await git('reset', '--quiet', '--hard', 'HEAD~1');
  await git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  for (const [index, name] of ['moorings', 'lighthouses', 'ferries'].entries()) {
    await git('checkout', '--quiet', '-b', name, 'main');
    await commit(21 + index, `Draft a page on ${name}`, {
      [`notes/${name}.md`]: `# Notes on ${name}\n\nTo be written.\n`,
    });
  }
  await git('checkout', '--quiet', 'main');
  await builder.packRepository('almanac');
  await builder.writeFilesOfRepository('almanac', { 'data/ports.csv': 'port,country\nCuxhaven,DE\nVlissingen,NL\n' });
  await git('add', '--all');
  await builder.writeFilesOfRepository('almanac', {
    'notes/checklist.md': '- charts\n- radio\n- flares\n- life jackets\n',
    'notes/ideas.txt': 'A page on sunrise times.\n',
    'notes/wind.txt': 'Ask the weather office for last year.\n',
  });
}

async function buildAtlas(builder: Builder): Promise<void> {
  const git = await builder.createRepositoriesAndReturnGit('atlas');
  await builder.writeAndCommitAll('atlas', 3, 'Start the atlas', {
    'README.md': '# Atlas\n\nHand-drawn maps of the coast.\n',
  });
  await git('push', '--quiet', '--set-upstream', 'origin', 'main');
  for (const [index, name] of ATLAS_BRANCHES.entries()) {
    await git('checkout', '--quiet', '-b', name, 'main');
    await builder.writeAndCommitAll('atlas', 5 + index, `Map the ${name}`, {
      [`maps/${name}.md`]: `# Map of the ${name}\n`,
    });
  }
  await git('checkout', '--quiet', 'main');
  await builder.writeAndCommitAll('atlas', 18, 'Add a legend', {
    'legend.md': '- dashed line: footpath\n- dotted line: ferry\n',
  });
  await builder.packRepository('atlas');
}

class Builder {
  readonly #root: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #run: Run;

  constructor(root: string, home: string, run: Run) {
    this.#root = root;
    this.#run = run;
    this.#env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  }

  /** Creates an empty repository and its remote, and returns git in it. */
  async createRepositoriesAndReturnGit(name: string): Promise<(...args: string[]) => Promise<unknown>> {
    const cwd = join(this.#root, name);
    const bare = join(this.#root, 'remotes', `${name}.git`);
    await mkdir(cwd, { recursive: true });
    await mkdir(bare, { recursive: true });
    const init = ['init', '--quiet', '--template=', '--initial-branch=main'];
    await this.#run('git', init, { cwd, env: this.#env });
    await this.#run('git', [...init, '--bare'], { cwd: bare, env: this.#env });
    await this.#run('git', ['remote', 'add', 'origin', `${REMOTES}${name}.git`], { cwd, env: this.#env });
    return (...args) => this.#run('git', args, { cwd, env: this.#env });
  }

  async writeFilesOfRepository(name: string, files: Files): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.#root, name, path);
      await mkdir(join(file, '..'), { recursive: true });
      await writeFile(file, content);
    }
  }

  async writeAndCommitAll(name: string, day: number, message: string, files: Files): Promise<void> {
    await this.writeFilesOfRepository(name, files);
    const date = `2026-03-${String(day).padStart(2, '0')}T09:30:00Z`;
    const env = { ...this.#env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const cwd = join(this.#root, name);
    await this.#run('git', ['add', '--all'], { cwd, env });
    await this.#run('git', ['commit', '--quiet', '-m', message], { cwd, env });
  }

  /** Keeps the number of files small, because each session starts with a copy of them. */
  async packRepository(name: string): Promise<void> {
    for (const repository of [name, join('remotes', `${name}.git`)]) {
      await this.#run('git', ['gc', '--quiet'], { cwd: join(this.#root, repository), env: this.#env });
    }
  }
}
