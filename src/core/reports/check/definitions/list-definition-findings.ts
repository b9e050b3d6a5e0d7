import type { CheckFinding } from '../finding.ts';
import type { ListedServer } from '../listed-tool.ts';
import { findBrokenSchema } from './broken-schema.ts';
import { findContradictedOptional } from './contradicted-optional.ts';
import { findContradictedValues } from './contradicted-values.ts';
import { findContradictedTitle } from './contradicted-title.ts';
import { findAnotherThing, findTautology, findVagueness } from './description-content.ts';
import { findHiddenCharacters, findHiddenInInstructions } from './hidden-characters.ts';
import { findUndeclaredEffect, listKnownFindings } from './known-findings.ts';
import { findLookAlikes, listLookAlikeNames } from './look-alikes.ts';
import { listMissingToolFindings } from './missing-tools.ts';
import { listOtherServerFindings } from './other-servers.ts';
import { findOrdersInInstructions, findOrdersToModel } from './orders-to-model.ts';
import { readServer, type ToolRule } from './read-tool.ts';
import { findRefusedDefaults, findRefusedExamples } from './schema-examples.ts';
import { findSecretArguments } from './secret-arguments.ts';
import { listSiblingFindings, listTwinFindings } from './twin-definitions.ts';
import { findUnclearArguments } from './unclear-arguments.ts';

/** The rules that look at one tool. */
const toolRules: readonly ToolRule[] = [
  findUndeclaredEffect,
  findHiddenCharacters,
  findLookAlikes,
  findOrdersToModel,
  findSecretArguments,
  findTautology,
  findVagueness,
  findAnotherThing,
  findUnclearArguments,
  findRefusedExamples,
  findRefusedDefaults,
  findContradictedOptional,
  findContradictedValues,
  findContradictedTitle,
  findBrokenSchema,
];

/**
 * Returns what the lists of servers show by themselves, before any call: at most one finding of a rule for each tool.
 */
export function listDefinitionFindings(servers: readonly ListedServer[]): CheckFinding[] {
  const read = servers.map(readServer);
  const found = read.flatMap((server) => {
    const twins = listTwinFindings(server);
    return [
      ...[findHiddenInInstructions(server), findOrdersInInstructions(server)].flatMap((each) => each ?? []),
      ...server.tools.flatMap((tool) => toolRules.flatMap((rule) => rule(tool, server) ?? [])),
      ...listLookAlikeNames(server),
      ...listOtherServerFindings(server, read),
      ...listMissingToolFindings(server, read),
      ...twins,
      ...listSiblingFindings(server, twins),
    ];
  });
  const broken = new Set(found.flatMap(({ rule, tool }) => (rule === 'schema-broken' ? [tool] : [])));
  // Who repairs the schema also repairs what endpoints refuse about it.
  const known = listKnownFindings(read).filter(({ rule, tool }) => rule !== 'schema-refused' || !broken.has(tool));
  return firstOfEachRule([...known, ...found]);
}

const firstOfEachRule = (findings: readonly CheckFinding[]): CheckFinding[] => {
  const seen = new Set<string>();
  return findings.filter(({ rule, server, tool }) => {
    const key = JSON.stringify([rule, server, tool]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};
