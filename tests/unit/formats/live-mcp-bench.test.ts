import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publishedTasks, splitNumberedLines } from '#core/benchmarks/formats/live-mcp-bench/tasks.ts';
import { publishedServer } from '#core/benchmarks/formats/live-mcp-bench/described-servers.ts';
import { parseVerdictStrictly, parseVerdictAsPublished } from '#core/benchmarks/formats/live-mcp-bench/verdict.ts';

describe('a published verdict', () => {
  it.each([
    ['success', 'success'],
    ['failure', 'failure'],
    [' "Success". ', 'success'],
    ['**failure**', 'failure'],
    ['Thoughts: The agent successfully made the file, but not the chart.\nStatus: "failure"', 'failure'],
    ['Thoughts: one call ended in failure, and the next one gave the answer.\nStatus: success', 'success'],
    ['Status: **failure**', 'failure'],
    ['{"reason": "the failure of one call is no failure of the task", "status": "success"}', 'success'],
  ] as const)('%j is read as %s', (text, verdict) => {
    expect(parseVerdictStrictly(text)).toBe(verdict);
  });

  it.each([
    '',
    'The agent successfully failed.',
    'Status: success\nStatus: failure',
    'Status: partial success',
    'success or failure?',
    'unsuccessful',
    'I would say that it is a success.',
  ])('%j is unparsed, neither success nor failure', (text) => {
    expect(parseVerdictStrictly(text)).toBe('unparsed');
  });

  it('is read by the published evaluator as success wherever the letters stand', () => {
    expect(parseVerdictAsPublished('The agent was unsuccessful.\nStatus: failure')).toBe('success');
    expect(parseVerdictAsPublished('failure')).toBe('failure');
  });

  it('is read in the same way whatever prose without a verdict stands before it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.constantFrom('success', 'failure'), (prose, verdict) => {
        fc.pre(!/status/i.test(prose));
        expect(parseVerdictStrictly(`${prose}\nStatus: "${verdict}"`)).toBe(verdict);
      }),
    );
  });
});

describe('a published task', () => {
  const task = {
    task_id: 't1',
    Question: ' Make a chart of the prices in /data/prices.csv. ',
    answers: 'file /out/chart.png',
    category: 'Office',
    file_name: '/data/prices.csv',
    'Annotator Metadata': {
      Steps: '1. Read the file,\nthe whole of it.\n2) Draw the chart.\n\n',
      'Number of steps': '2',
      Tools: '1. read_file\n2. draw_chart',
      'Number of tools': '2',
    },
  };

  it('keeps its request, and its steps and tools as lists', () => {
    expect(publishedTasks.parse([task])).toEqual([
      {
        id: 't1',
        request: 'Make a chart of the prices in /data/prices.csv.',
        answer: 'file /out/chart.png',
        category: 'Office',
        file: '/data/prices.csv',
        steps: ['Read the file, the whole of it.', 'Draw the chart.'],
        tools: ['read_file', 'draw_chart'],
      },
    ]);
  });

  it('needs nothing but an id and a request', () => {
    expect(publishedTasks.parse([{ task_id: 't', Question: 'Go.' }])[0]).toMatchObject({ steps: [], tools: [] });
  });

  it('is refused with the place of what is wrong', () => {
    const read = publishedTasks.safeParse([task, { ...task, Question: '' }]);
    expect(read.error?.issues[0]?.path).toEqual([1, 'Question']);
  });

  it('never has an empty item in a list of numbered lines', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(splitNumberedLines(text).every((item) => item.trim() === item && item !== '')).toBe(true);
      }),
    );
  });
});

describe('a published server', () => {
  it('is read with all of its tools, and with values that Python wrote as texts', () => {
    const tool = {
      name: 'find',
      description: null,
      inputSchema: { additionalProperties: 'False' },
      annotations: 'None',
    };
    const server = {
      name: 'Maps',
      description: 'Finds places.',
      category: 'Location',
      tools: { maps: { server_name: 'maps', tools: [tool] }, more: { tools: [{ ...tool, name: 'route' }] } },
    };
    expect([server, { name: 'Empty', tools: null }].map((each) => publishedServer.parse(each))).toEqual([
      {
        name: 'Maps',
        description: 'Finds places.',
        category: 'Location',
        ownName: 'maps',
        tools: [
          { name: 'find', description: '', inputSchema: tool.inputSchema },
          { name: 'route', description: '', inputSchema: tool.inputSchema },
        ],
      },
      { name: 'Empty', description: '', category: '', ownName: 'Empty', tools: [] },
    ]);
  });
});
