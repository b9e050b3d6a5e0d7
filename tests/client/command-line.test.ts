import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { strategyName } from '#core/exploration/config.ts';
import { verbGroups } from '../../client/guide.ts';
import { programOrVerbHelpText, wrappedLines } from '../../client/command-line/help.ts';
import { findNamedVerb, parseLineToVerbOrHelp } from '../../client/command-line/parse-line.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { program } from '../../client/program.ts';

const argv = (line: string): string[] =>
  Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, word]) => quoted ?? word ?? '');

/** What a line was read as: the verb, its words, and the options that were given. */
function read(line: string) {
  const request = parseLineToVerbOrHelp(argv(line), program);
  if (request.kind === 'help') return { help: request.commands.map(({ verb }) => verb) };
  const { command, given } = request;
  const words = command.operands.flatMap((operand) => given.operandWords(operand));
  const options = [...program.common, ...command.options].map(
    (option) => [option.name, given.parseOptionValue(option)] as const,
  );
  const isGiven = ([, value]: readonly [string, unknown]): boolean =>
    value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  return { verb: command.verb, words, options: Object.fromEntries(options.filter(isGiven)) };
}

test.each([
  ['servers list', { verb: 'servers list', words: [], options: {} }],
  ['--json servers list --url http://x', { verb: 'servers list', words: [], options: { json: true, url: 'http://x' } }],
  [
    "servers add calc http://x/mcp --domain computing --header 'A: 1' --header 'B:  2:3'",
    {
      verb: 'servers add',
      words: ['calc', 'http://x/mcp'],
      options: {
        domain: 'computing',
        header: [
          ['A', '1'],
          ['B', '2:3'],
        ],
      },
    },
  ],
  ['catalogs create --server a --server b', { verb: 'catalogs create', words: [], options: { server: ['a', 'b'] } }],
  [
    'explore --catalog c --strategy gve --seed 0 --rounds 7 --batch 5 --stop probe --target 0.9 --review accept --detach',
    {
      verb: 'explore',
      words: [],
      options: {
        catalog: 'c',
        strategy: 'gve',
        seed: 0,
        rounds: 7,
        batch: 5,
        stop: 'probe',
        target: 0.9,
        review: 'accept',
        detach: true,
      },
    },
  ],
  [
    'explore --catalog=c --name=--odd --seconds 90',
    { verb: 'explore', words: [], options: { catalog: 'c', name: '--odd', seconds: 90_000 } },
  ],
  [
    'units exp --status accepted --round 3 --tool a/b',
    { verb: 'units', words: ['exp'], options: { status: 'accepted', round: 3, tool: 'a/b' } },
  ],
  [
    'explore --catalog c --knowledge kn --namespace facts --review wait --review-timeout 1.5',
    {
      verb: 'explore',
      words: [],
      options: { catalog: 'c', knowledge: 'kn', namespace: 'facts', review: 'wait', 'review-timeout': 1_500 },
    },
  ],
  ['units exp --origin evolved', { verb: 'units', words: ['exp'], options: { origin: 'evolved' } }],
  [
    'evolve exp --target 90 --batch 5 --min-yield 0 --batches 9 --tokens 1000 --cost 0.5 --seconds 60 --seed 0 --detach',
    {
      verb: 'evolve',
      words: ['exp'],
      options: {
        target: 90,
        batch: 5,
        'min-yield': 0,
        batches: 9,
        tokens: 1_000,
        cost: 0.5,
        seconds: 60_000,
        seed: 0,
        detach: true,
      },
    },
  ],
  [
    'reviews list exp --state decided --origin explored --tool a/b',
    { verb: 'reviews list', words: ['exp'], options: { state: 'decided', origin: 'explored', tool: 'a/b' } },
  ],
  ['reviews show exp u', { verb: 'reviews show', words: ['exp', 'u'], options: {} }],
  ['reviews approve exp u', { verb: 'reviews approve', words: ['exp', 'u'], options: {} }],
  [
    "reviews reject exp u --reason 'nobody asks that'",
    { verb: 'reviews reject', words: ['exp', 'u'], options: { reason: 'nobody asks that' } },
  ],
  [
    "reviews edit exp u --source 'one way' --follow-up 'another way'",
    { verb: 'reviews edit', words: ['exp', 'u'], options: { source: 'one way', 'follow-up': 'another way' } },
  ],
  ['reviews agreement exp', { verb: 'reviews agreement', words: ['exp'], options: {} }],
  [
    'benchmarks freeze a b c --private-share 0.2',
    { verb: 'benchmarks freeze', words: ['a', 'b', 'c'], options: { 'private-share': 0.2 } },
  ],
  [
    'benchmarks export b --out f --split public',
    { verb: 'benchmarks export', words: ['b'], options: { out: 'f', split: 'public' } },
  ],
  [
    'evaluate --benchmark b --agent a=m --agent b=x/y=z --trials 3 --sample 60 --split all --mounting max-scale --no-judges --concurrency 2 --seed 0 --detach',
    {
      verb: 'evaluate',
      words: [],
      options: {
        benchmark: 'b',
        agent: [
          { name: 'a', model: 'm' },
          { name: 'b', model: 'x/y=z' },
        ],
        trials: 3,
        sample: 60,
        split: 'all',
        mounting: { kind: 'max-scale' },
        'no-judges': true,
        concurrency: 2,
        seed: 0,
        detach: true,
      },
    },
  ],
  [
    'evaluate --benchmark b --agent a=m --writes 5 --seconds 2.5 --tokens 9 --cost 0.5',
    {
      verb: 'evaluate',
      words: [],
      options: {
        benchmark: 'b',
        agent: [{ name: 'a', model: 'm' }],
        writes: 5,
        seconds: 2_500,
        tokens: 9,
        cost: 0.5,
      },
    },
  ],
  [
    'evaluate --benchmark b --prompted-calling-agent a=m',
    {
      verb: 'evaluate',
      words: [],
      options: { benchmark: 'b', 'prompted-calling-agent': [{ name: 'a', model: 'm', loop: 'prompted-calling' }] },
    },
  ],
  [
    'evaluate --benchmark b --agent a=m --agent b=m --agent-mounting a=oracle --agent-mounting b=distractors:5 --mounting standard:64,20000',
    {
      verb: 'evaluate',
      words: [],
      options: {
        benchmark: 'b',
        agent: [
          { name: 'a', model: 'm' },
          { name: 'b', model: 'm' },
        ],
        'agent-mounting': [
          { name: 'a', mounting: { kind: 'oracle' } },
          { name: 'b', mounting: { kind: 'distractors', servers: 5 } },
        ],
        mounting: { kind: 'standard', tools: 64, schemaTokens: 20_000 },
      },
    },
  ],
  [
    'evaluate --benchmark b --tool-search-agent a=m --routed-tools 3 --shown-tool files/read --shown-tool files/list',
    {
      verb: 'evaluate',
      words: [],
      options: {
        benchmark: 'b',
        'tool-search-agent': [{ name: 'a', model: 'm', loop: 'tool-search' }],
        'routed-tools': 3,
        'shown-tool': ['files/read', 'files/list'],
      },
    },
  ],
  ['compare evl_1 a b', { verb: 'compare', words: ['evl_1', 'a', 'b'], options: {} }],
  [
    "attempts run evl_1 --agent mine --command './agent --verbose' --parallel 4 --keep-going",
    {
      verb: 'attempts run',
      words: ['evl_1'],
      options: { agent: 'mine', command: './agent --verbose', parallel: 4, 'keep-going': true },
    },
  ],
  ['recordings export rec_1 --out f', { verb: 'recordings export', words: ['rec_1'], options: { out: 'f' } }],
  ['recordings import f', { verb: 'recordings import', words: ['f'], options: {} }],
  ['watch -- -odd-id', { verb: 'watch', words: ['-odd-id'], options: {} }],
  ['watch --help', { help: ['watch'] }],
  ['help watch', { help: ['watch'] }],
  ['watch -h', { help: ['watch'] }],
  ['catalogs --help', { help: ['catalogs create', 'catalogs list', 'catalogs show'] }],
])('parses %s', (line, expected) => {
  expect(read(line)).toEqual(expected);
});

test('an empty command line shows the help', () => {
  expect(read('')).toEqual({ help: program.commands.map(({ verb }) => verb) });
});

test.each([
  ['wach e', 'there is no verb "wach e"; did you mean "watch"?'],
  ['servers lst', 'there is no verb "servers lst"; did you mean "servers list"?'],
  ['catalogs', 'there is no verb "catalogs"; there are: catalogs create, catalogs list, catalogs show'],
  [
    'catalogs frobnicate',
    'there is no verb "catalogs frobnicate"; there are: catalogs create, catalogs list, catalogs show',
  ],
  ['zzzzzzzz', 'there is no verb "zzzzzzzz"'],
  [
    'watch',
    'run is missing: the id of an exploration, an evaluation, an evolution or a submission, such as exp_..., evl_..., exp_.../evolutions/1 or sub_...; the line is: watch <run>',
  ],
  [
    "watch ''",
    'run is missing: the id of an exploration, an evaluation, an evolution or a submission, such as exp_..., evl_..., exp_.../evolutions/1 or sub_...; the line is: watch <run>',
  ],
  ['watch a b', '"b" is one word too many; the line is: watch <run>'],
  ['watch a --detach', '"watch" has no option --detach; it has --url, --key, --json, --help'],
  ['explore --catlog c', '"explore" has no option --catlog; did you mean --catalog?'],
  ['explore', '--catalog ID is missing: the catalog whose tools are explored'],
  ['explore --catalog', '--catalog wants a value: --catalog ID'],
  [
    'explore --catalog --json',
    '--catalog wants a value, and --json looks like an option; if it is the value, write --catalog=--json',
  ],
  ['explore --catalog a --catalog b', '--catalog was given 2 times; once is enough'],
  ['explore --catalog c --detach=no', '--detach takes no value'],
  ['explore --catalog c -r 3', 'there is no option -r; options have two hyphens'],
  ['explore --catalog c --rounds many', '--rounds "many": give a number'],
  ['explore --catalog c --rounds 1.5', '--rounds "1.5": give a whole number'],
  ['explore --catalog c --rounds 0', '--rounds "0": give a number of at least 1'],
  ['explore --catalog c --seed -1', '--seed "-1": give a number of at least 0'],
  ['explore --catalog c --target 1.1', '--target "1.1": give a number of at most 1'],
  ['explore --catalog c --strategy best', `--strategy "best": give one of ${strategyName.options.join(', ')}`],
  ['evaluate --agent a=m', '--benchmark ID is missing: the benchmark whose units the agents get'],
  [
    'servers add a http://x --domain Ünique',
    '--domain "Ünique": lower-case letters, digits, spaces and hyphens, at most 40',
  ],
  [
    'servers add a http://x --domain d --header nope',
    '--header "nope": give a name, a colon and a value, such as "Authorization: Bearer abc"',
  ],
  ['evaluate --benchmark b --agent a', '--agent "a": give a name, "=" and a model, such as "careful=gpt-5"'],
  ['evaluate --benchmark b --agent a=', '--agent "a=": give a name, "=" and a model, such as "careful=gpt-5"'],
  [
    'evaluate --benchmark b --agent A=m',
    '--agent "A=m": lower-case letters, digits, dots, hyphens and underscores, at most 60',
  ],
  ['evaluate --benchmark b --agent a=m --trials 0', '--trials "0": give a number of at least 1'],
  ['evaluate --benchmark b --agent a=m --trials 1000', '--trials "1000": give a number of at most 20'],
  [
    'evaluate --benchmark b --agent a=m --mounting all',
    '--mounting "all": give one of oracle, standard, standard:TOOLS,TOKENS, distractors:SERVERS or max-scale',
  ],
  [
    'evaluate --benchmark b --agent a=m --agent-mounting a',
    '--agent-mounting "a": give the name of an agent, "=" and a mounting, such as "careful=oracle"',
  ],
  ['attempts run e --agent a --command c --parallel 51', '--parallel "51": give a number of at most 50'],
  ['explore --catalog c --review later', '--review "later": give one of park, wait, accept, reject'],
  ['explore --catalog c --review-timeout 0.5', '--review-timeout "0.5": give a number of at least 1000'],
  ['explore --catalog c --namespace a/b', '--namespace "a/b": letters, digits, dots, - and _'],
  ['evolve e --min-yield 2', '--min-yield "2": give a number of at most 1'],
  ['evolve e --target 0.5', '--target "0.5": give a whole number'],
  [
    'evolve',
    'exploration is missing: the id of an exploration that is over, such as exp_...; the line is: evolve <exploration> [options]',
  ],
  ['reviews list e --state shut', '--state "shut": give one of open, decided'],
  ['reviews reject e u', '--reason TEXT is missing: why nobody should use the unit'],
  ["reviews reject e u --reason ' '", '--reason " ": give at least 1 character'],
  ['reviews edit e u --source a', '--follow-up TEXT is missing: the new follow-up request'],
  [
    'reviews approve e',
    'unit is missing: the id of a unit in review, such as r0001-u00; the line is: reviews approve <exploration> <unit>',
  ],
  ['units e --round 0', '--round "0": give a number of at least 1'],
  [
    'benchmarks freeze',
    'exploration is missing: the ids of explorations over one catalog, ended or paused; the line is: benchmarks freeze <exploration>... [options]',
  ],
])('%s is refused: %s', (line, message) => {
  expect(() => read(line)).toThrow(new UsageError(message));
});

test('an option may take a value in one verb and none in another', () => {
  const verbs = ['check', 'results'].map((verb) => program.commands.find((command) => command.verb === verb));
  const [asked, flagged] = verbs.map((command) => command?.options.find(({ name }) => name === 'units'));
  expect([asked?.value, flagged?.value]).toEqual(['N', null]);
  expect(() => parseLineToVerbOrHelp(['check', 'a.json', '--units', '20'], program)).not.toThrow();
  expect(() => parseLineToVerbOrHelp(['--url', 'http://x', 'check', 'a.json', '--units', '20'], program)).not.toThrow();
  expect(() => parseLineToVerbOrHelp(['results', 'evl_1', '--units'], program)).not.toThrow();
  expect(() => parseLineToVerbOrHelp(['check', 'a.json', '--units'], program)).toThrow('--units wants a value');
});

test('every verb is in one group of the help, with an example that it takes and a page that exists', () => {
  const grouped = verbGroups.flatMap(({ verbs }) => Object.entries(verbs));
  expect(grouped.map(([verb]) => verb).toSorted()).toEqual(program.commands.map(({ verb }) => verb).toSorted());
  for (const [verb, [example, page]] of grouped) {
    const words = Array.from(example.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
    const request = parseLineToVerbOrHelp(words, program);
    expect(request.kind === 'run' ? request.command.verb : 'help').toBe(verb);
    const [file = '', anchor] = page.split('#');
    const text = readFileSync(join(import.meta.dirname, '../../docs', file), 'utf8');
    const anchors = Array.from(text.matchAll(/^#+ (.*)$/gm), ([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    if (anchor !== undefined) expect(anchors).toContain(anchor);
  }
});

test('the help on a verb ends with an example and the page that explains it', () => {
  const [watch] = program.commands.filter(({ verb }) => verb === 'watch');
  const help = watch === undefined ? '' : programOrVerbHelpText('sextant', 'About.', program, [watch], 40);
  expect(help.split('\n').slice(-2)).toEqual(['Example:  sextant watch exp_1', 'More:     docs/architecture.md']);
});

test('an indented line of a help is broken into lines that are indented further', () => {
  const verb = {
    verb: 'fly',
    about: 'Fly',
    more: 'Ways:\n  high: above the clouds and the wind',
    operands: [],
    options: [],
  };
  const command = { ...verb, run: () => Promise.resolve() };
  const help = programOrVerbHelpText('sextant', '', { commands: [command], common: [] }, [command], 26);
  expect(help).toContain('Ways:\n  high: above the clouds\n    and the wind');
});

test('a line that is wrong points to the help on its verb', () => {
  const verbOf = (line: string) => findNamedVerb(line.split(' '), program)?.verb;
  expect(verbOf('explore --stratgy x')).toBe('explore');
  expect(verbOf('servers add a b c d')).toBe('servers add');
  expect(verbOf('fly away')).toBeUndefined();
});

test('the help lists every verb, and the help on a verb lists every option', () => {
  const all = programOrVerbHelpText('sextant', 'About.', program, program.commands);
  for (const { verb } of program.commands) expect(all).toContain(`  ${verb}`);
  for (const command of program.commands) {
    const own = programOrVerbHelpText('sextant', 'About.', program, [command]);
    for (const { name } of [...command.options, ...program.common]) expect(own).toContain(`--${name}`);
    for (const { name } of command.operands) expect(own).toContain(`<${name}>`);
  }
});

test.each([20, 40])(
  'the help on a terminal of %s columns has what a verb does below it, broken between words',
  (width) => {
    const lines = programOrVerbHelpText('sextant', 'About.', program, program.commands, width).split('\n');
    const verb = lines.indexOf('  check');
    expect(verb).toBeGreaterThan(0);
    const about = lines.filter((line) => line.startsWith('      '));
    expect(about.length).toBeGreaterThan(program.commands.length);
    for (const line of about) if (line.trim().includes(' ')) expect(line.length).toBeLessThanOrEqual(width);
  },
);

test('a text is broken between words, and a word that is too long has a line of its own', () => {
  expect(wrappedLines('a bb ccc dddddddd e', 5)).toEqual(['a bb', 'ccc', 'dddddddd', 'e']);
});
