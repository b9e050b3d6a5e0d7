import { deriveEffect } from '#core/catalog/effect.ts';
import { listFindingsOfDefinitions } from '#core/reports/tool-report/definition-findings.ts';
import type { Finding } from '#core/reports/tool-report/record.ts';
import { describeToolDefinition } from '#core/reports/tool-report/tool-definition.ts';
import { findingBy, type CheckFinding } from '../finding.ts';
import { ruleIds, type RuleId, type Severity } from '../rules.ts';
import {
  findingOnTool,
  listedValuesOrNull,
  type ReadArgument,
  type ReadServer,
  type ReadTool,
  type ToolRule,
} from './read-tool.ts';
import { isOpaqueName } from './unclear-arguments.ts';

/** Returns what reports say of the same definitions, as findings of a check: the rules have the names of those findings. */
export function listKnownFindings(servers: readonly ReadServer[]): CheckFinding[] {
  const tools = new Map(
    servers.flatMap(({ name, tools: own }) => own.map((each): [string, ReadTool] => [`${name}/${each.name}`, each])),
  );
  const definitions = Array.from(tools, ([name, { definition }]) => {
    const { title, description, annotations, inputSchema } = definition;
    const described = { name, title, description, annotations, inputSchema };
    return describeToolDefinition({
      ...Object.fromEntries(Object.entries(described).filter(([, value]) => value !== undefined)),
      name,
      inputSchema,
    });
  });
  return listFindingsOfDefinitions(definitions).flatMap((finding) => {
    const rule = ruleOf(finding.kind);
    if (rule === null) return [];
    const { tool, sentence, evidence, proposal } = finding;
    const read = tool === null ? undefined : tools.get(tool);
    const severity = severityOf(finding, read);
    if (read === undefined)
      return [findingBy(rule, { server: servers[0]?.name ?? '', sentence, evidence, proposal, severity })];
    const others = finding.kind === 'description-shared' ? evidence : [];
    return [findingOnTool(rule, read, { sentence, evidence, proposal, severity, others })];
  });
}

const ruleOf = (kind: Finding['kind']): RuleId | null => ruleIds.find((id) => id === kind) ?? null;

function severityOf(finding: Finding, tool: ReadTool | undefined): Severity {
  if (finding.kind === 'definition-costly') return 'medium';
  // What Gemini takes changes often, and its clients rewrite schemas.
  if (finding.kind === 'schema-refused' && finding.severity === 'medium') return 'low';
  // The protocol has dots and slashes in names, and most clients replace them.
  if (finding.kind === 'name-refused' && tool !== undefined && /^[\w./-]{1,63}$/.test(tool.name)) return 'low';
  if (finding.kind === 'arguments-undescribed' && tool !== undefined && hasOpaqueArgument(tool)) return 'medium';
  return finding.severity;
}

/** Returns whether an argument that is required, or an object, has a name that says nothing, and no word of description either. */
const hasOpaqueArgument = ({ arguments: all }: ReadTool): boolean => {
  const top = all.filter(({ isTop }) => isTop);
  const isPlane = ['x', 'y'].every((axis) => top.some(({ name }) => name === axis));
  const isDescribedInside = ({ path }: ReadArgument): boolean =>
    all.some((each) => each.path.startsWith(`${path}.`) && each.description !== '');
  return top.some(
    (each) =>
      (each.required || (each.types.has('object') && !isDescribedInside(each))) &&
      each.description === '' &&
      isOpaqueName(each) &&
      !isExplained(each, isPlane),
  );
};

/** Listed values explain a word, and an axis explains the other; a letter alone stays one. */
const isExplained = (argument: ReadArgument, isPlane: boolean): boolean =>
  argument.name.length > 1 ? listedValuesOrNull(argument) !== null : isPlane && /^[xyz]$/.test(argument.name);

/** Finds a tool that does not say whether it only reads. */
export const findUndeclaredEffect: ToolRule = (tool) => {
  const { annotations } = tool.definition;
  if (typeof annotations?.['readOnlyHint'] === 'boolean') return null;
  if (deriveEffect({ name: tool.name, ...(annotations === undefined ? {} : { annotations }) }) !== 'unknown')
    return null;
  return findingOnTool('effect-undeclared', tool, {
    sentence: 'it does not say whether it only reads: clients have to ask before each call',
    proposal:
      'declare `readOnlyHint: true` if it changes nothing; otherwise `readOnlyHint: false` with `destructiveHint`',
  });
};
