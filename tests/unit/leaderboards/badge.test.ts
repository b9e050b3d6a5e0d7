import { expect, test } from 'vitest';
import { rankBadgeSvg } from '#core/leaderboards/badge.ts';
import { entryWith } from '../../support/entries.ts';

test('a badge shows the name, the rank and two figures', () => {
  const svg = rankBadgeSvg(entryWith({ name: 'Agent' }), { rank: 2, of: 17, tied: false });
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="22"/);
  expect(svg).toContain('>Sextant</text>');
  expect(svg).toContain('>Agent</text>');
  expect(svg).toContain('>rank 2 of 17 (service), success 0.500, chain 0.500</text>');
});

test('a badge shows the figures on the private units if the entry ranks by them', () => {
  const { scores } = entryWith({}, [0.25, 0.25]);
  const entry = entryWith({ private: { units: 2, attempts: 16, notEvaluated: 0, scores, gap: {} } }, [0.75, 0.75]);
  expect(rankBadgeSvg(entry, { rank: 1, of: 3, tied: false })).toContain('(service), success 0.250, chain 0.250<');
});

test('a badge marks a shared rank', () => {
  expect(rankBadgeSvg(entryWith({}), { rank: 1, of: 3, tied: true })).toContain(
    '>rank 1 of 3 (service), tied, success 0.500',
  );
});

test('a name is cut and escaped, and cannot break out of the picture', () => {
  const svg = rankBadgeSvg(entryWith({ name: `"><script>alert(1)</script>${'x'.repeat(60)}` }), {
    rank: 1,
    of: 1,
    tied: false,
  });
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;xx…');
  expect(svg).not.toContain('xxx');
  const marked = rankBadgeSvg(entryWith({ name: 'a\u0007b\u202Ec' }), { rank: 1, of: 1, tied: false });
  expect(marked).toContain('a␇b␦c');
});

test('a missing score is shown as a dash', () => {
  expect(rankBadgeSvg(entryWith({}, []), { rank: 1, of: 1, tied: false })).toContain('success –, chain –');
});
