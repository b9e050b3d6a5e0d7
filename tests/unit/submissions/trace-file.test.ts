import { expect, test } from 'vitest';
import { maxResponseChars } from '#core/evaluation/claim.ts';
import { agentConfiguration } from '#core/evaluation/config.ts';
import { traceHeader, traceLine } from '#core/leaderboards/submissions/trace-file.ts';
import { allAttempts, header, sealedFile } from '../../support/trace-file.ts';

const limits = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`limit-${n}`, n]));

test('a configuration names at most 20 limits, because every entry of the agent contains it', () => {
  const { configuration } = header;
  expect(agentConfiguration.safeParse({ ...configuration, limits: limits(20) }).success).toBe(true);
  expect(agentConfiguration.safeParse({ ...configuration, limits: limits(21) }).success).toBe(false);
  const crowded = { ...header, configuration: { ...configuration, limits: limits(21) } };
  expect(traceHeader.safeParse(crowded).error?.issues).toMatchObject([{ path: ['configuration', 'limits'] }]);
});

test('a response in a file may be as long as one sent to the service, and no longer', async () => {
  const [line] = (await sealedFile(header, await allAttempts())).lines;
  const saying = (chars: number) => ({ ...line, trace: { ...line?.trace, finalText: 'x'.repeat(chars) } });
  expect(traceLine.safeParse(saying(maxResponseChars)).success).toBe(true);
  expect(traceLine.safeParse(saying(maxResponseChars + 1)).error?.issues).toMatchObject([
    { path: ['trace', 'finalText'] },
  ]);
});
