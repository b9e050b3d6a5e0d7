import { describe, expect, it } from 'vitest';

import { deriveCategory } from '#core/catalog/category.ts';
import { toolNameWithoutServer, serverNameOfToolName } from '#core/catalog/tool.ts';
import { findFailurePatternOfDifferingCalls } from '#core/scoring/failure-patterns.ts';

const domains: Readonly<Record<string, string>> = {
  amap: 'travel',
  xhs: 'social media',
  bilibili: 'social media',
  hotnews: 'social media',
  yfinance: 'finance',
  nba: 'sports',
  web: 'browser',
};

const traitsOf = (...tools: readonly string[]) =>
  new Map(
    tools.map((tool) => {
      const server = serverNameOfToolName(tool);
      return [
        tool,
        { server, domain: domains[server] ?? 'x', category: deriveCategory({ name: toolNameWithoutServer(tool) }) },
      ];
    }),
  );

/** The pairs of Table 4 with the chains that their requests ask for. */
const table4 = [
  {
    pattern: 'incomplete-planning',
    chain: ['amap/maps_direction_transit_integrated', 'amap/maps_direction_driving', 'amap/maps_direction_walking'],
    source: [
      'amap/maps_direction_transit_integrated',
      'amap/maps_direction_driving',
      'amap/maps_around_search',
      'amap/maps_direction_walking',
    ],
    followUp: ['amap/maps_direction_driving', 'amap/maps_text_search', 'amap/maps_geo'],
  },
  {
    pattern: 'poor-noise-robustness',
    chain: ['yfinance/get_ticker_info', 'yfinance/get_ticker_news', 'nba/get_today_scoreboard'],
    source: ['amap/maps_weather', 'nba/get_today_scoreboard', 'yfinance/get_ticker_info', 'yfinance/get_ticker_news'],
    followUp: [
      'nba/get_today_scoreboard',
      'web/search',
      'yfinance/get_ticker_info',
      'amap/maps_geo',
      'yfinance/get_ticker_news',
    ],
  },
  {
    pattern: 'unstable-tool-selection',
    chain: ['xhs/xhs_search_note', 'bilibili/bilibili_search'],
    source: ['xhs/xhs_search_note', 'bilibili/bilibili_search', 'xhs/xhs_auth_status'],
    followUp: ['hotnews/get_hot_news', 'xhs/xhs_auth_status'],
  },
];

const traits = traitsOf(...table4.flatMap(({ chain, source, followUp }) => [...chain, ...source, ...followUp]));

describe('failure patterns', () => {
  it.each(table4)(
    'include $pattern of Table 4, whichever request comes first',
    ({ pattern, chain, source, followUp }) => {
      expect(findFailurePatternOfDifferingCalls(chain, [source, followUp], traits).pattern).toBe(pattern);
      expect(findFailurePatternOfDifferingCalls(chain, [followUp, source], traits).pattern).toBe(pattern);
    },
  );

  it('name what was skipped, what replaced it, and what was unnecessary', () => {
    const { lost, stray } = findFailurePatternOfDifferingCalls(
      ['xhs/xhs_search_note'],
      [['xhs/xhs_search_note', 'web/search'], ['hotnews/get_hot_news']],
      traits,
    );
    expect(lost).toEqual([{ tool: 'xhs/xhs_search_note', on: 1, replacedBy: 'hotnews/get_hot_news' }]);
    expect(stray).toEqual([
      { tool: 'web/search', on: 0 },
      { tool: 'hotnews/get_hot_news', on: 1 },
    ]);
  });

  const chain = ['yfinance/get_ticker_info', 'nba/get_today_scoreboard'];

  it.each([
    { name: 'equal traces', source: chain, followUp: chain },
    { name: 'another order and repeated calls', source: chain, followUp: [...chain.toReversed(), ...chain] },
    { name: 'the same tool lacking in both', source: chain.slice(1), followUp: chain.slice(1) },
    { name: 'the same extra tool in both', source: [...chain, 'web/search'], followUp: ['web/search', ...chain] },
    { name: 'two empty traces', source: [], followUp: [] },
  ])('include none for $name', ({ source, followUp }) => {
    expect(findFailurePatternOfDifferingCalls(chain, [source, followUp], traits).pattern).toBeNull();
  });

  it('include none for a single attempt, and compare more than two with each other', () => {
    expect(findFailurePatternOfDifferingCalls(chain, [['web/search']], traits)).toEqual({
      pattern: null,
      lost: [],
      stray: [],
    });
    const { pattern, lost } = findFailurePatternOfDifferingCalls(chain, [chain, chain, chain.slice(1)], traits);
    expect(pattern).toBe('incomplete-planning');
    expect(lost).toEqual([{ tool: 'yfinance/get_ticker_info', on: 2, replacedBy: null }]);
  });

  it('treat a trace without calls next to a full one as incomplete planning', () => {
    expect(findFailurePatternOfDifferingCalls(chain, [chain, []], traits).pattern).toBe('incomplete-planning');
  });

  it('treat a tool that does not exist as unnecessary, not as a substitute', () => {
    const invented = findFailurePatternOfDifferingCalls(chain, [chain, ['yfinance/get_ticker_info', 'score']], traits);
    expect(invented.pattern).toBe('incomplete-planning');
    const beside = findFailurePatternOfDifferingCalls(chain, [chain, [...chain, 'score']], traits);
    expect(beside.pattern).toBe('poor-noise-robustness');
  });
});
