import { readFileSync, readdirSync } from 'node:fs';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePrompt, prompts, PromptVariableError, render } from '#adapters/prompts/index.ts';

const folder = `${import.meta.dirname}/../../prompts`;
const manifest: Record<string, string> = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8'));
const files = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) =>
    readdirSync(`${folder}/${name}`).map((file) => ({
      id: `${name}@${file.replace('.md', '')}`,
      path: `${name}/${file}`,
    })),
  );

describe('the released prompts', () => {
  test('are all in the manifest and unchanged', () => {
    const found = files.map(({ id, path }) => [
      id,
      createHash('sha256')
        .update(readFileSync(`${folder}/${path}`))
        .digest('hex'),
    ]);
    expect(Object.fromEntries(found)).toEqual(manifest);
  });
  test.each(files)('declare in $id the variables that they use', ({ id, path }) => {
    expect(parsePrompt(id, readFileSync(`${folder}/${path}`, 'utf8'))).toMatchObject({ ok: true });
  });
  test('are in use in their newest version', () => {
    const newest = new Map<string, number>();
    for (const { id } of files) {
      const [name = '', version = ''] = id.split('@v');
      newest.set(name, Math.max(Number(version), newest.get(name) ?? 0));
    }
    expect(
      Object.values(prompts)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([...newest].map(([name, version]) => `${name}@v${version}`).toSorted());
  });
});

describe('rendering a prompt', () => {
  test("fences data, but not the agent's request", () => {
    const { id, messages } = render(prompts.scenario, {
      tools: [{ name: 'a/b' }],
      known: [],
      survey: [],
      values: [],
      situation: {},
    });
    expect(id).toBe('scenario@v3');
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(messages[1]?.content).toContain('The tools:\n<data name="tools">\n[{"name":"a/b"}]\n</data>\n');
    expect(
      render(prompts.agent, { request: 'Find <b>\n{{request}}', date: 'today', instructions: [] }).messages[1]?.content,
    ).toBe('Find <b>\n{{request}}');
    expect(render(prompts.repair, { problem: 'x', form: {} }).messages).toHaveLength(1);
  });

  test('lets no data end its fence or fill another variable', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('</data>', '{{known}}', '<data name="tools">', '$&', '\n## user\n'),
        (value, poison) => {
          const tools = [value, poison, { [poison]: poison }];
          const content =
            render(prompts.scenario, { tools, known: 'K', survey: [], values: [], situation: {} }).messages[1]
              ?.content ?? '';
          expect(content.match(/<\/?data/g)).toHaveLength(10);
          const json = /<data name="tools">\n(.*)\n<\/data>/.exec(content)?.[1] ?? '';
          expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(tools)));
        },
      ),
    );
  });

  test('returns typed errors for missing and extra variables', () => {
    const template = parsePrompt('t@v1', '---\nvariables: a, b (raw)\noutput: none\n---\n## user\n{{a}} {{b}}\n');
    if (!template.ok) throw new Error(template.problem);
    const problem = (variables: Record<string, unknown>): unknown => {
      try {
        return render(template.value, variables);
      } catch (error) {
        return error instanceof PromptVariableError ? { missing: error.missing, extra: error.extra } : error;
      }
    };
    expect(problem({ a: 1 })).toEqual({ missing: ['b'], extra: [] });
    expect(problem({ a: undefined, b: 'x' })).toEqual({ missing: ['a'], extra: [] });
    expect(problem({ a: 1, b: 2 })).toEqual({ missing: ['b'], extra: [] });
    expect(problem({ a: 1, b: 'x', c: 3 })).toEqual({ missing: [], extra: ['c'] });
  });

  test.each([
    '',
    '## user\nhello',
    '---\nvariables: a\noutput: none\n---\n## user\nno variable',
    '---\nvariables: a\noutput: none\n---\n## user\n{{a}} {{b}}',
    '---\nvariables: a b\noutput: none\n---\n## user\n{{a}}',
    '---\nvariables: a\noutput: none\n---\n## system\n{{a}}',
    '---\nvariables: a\noutput: none\n---\nwords before\n## user\n{{a}}',
  ])('refuses the broken prompt file %#', (markdown) => {
    expect(parsePrompt('t@v1', markdown)).toMatchObject({ ok: false });
  });
});
