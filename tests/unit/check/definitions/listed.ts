import { listDefinitionFindings } from '#core/reports/check/definitions/list-definition-findings.ts';
import type { CheckFinding } from '#core/reports/check/finding.ts';
import type { ListedTool } from '#core/reports/check/listed-tool.ts';
import type { RuleId } from '#core/reports/check/rules.ts';

type Properties = Readonly<Record<string, unknown>>;

/** A tool with these properties of its arguments, of which some are required. */
export const tool = (
  name: string,
  description: string,
  properties: Properties = {},
  { required = [], ...more }: Partial<Omit<ListedTool, 'inputSchema'>> & { readonly required?: readonly string[] } = {},
): ListedTool => ({
  name,
  description,
  inputSchema: { type: 'object', properties, ...(required.length === 0 ? {} : { required }) },
  ...more,
});

/** Returns the findings of a rule on a server with these tools. */
export const findingsOf = (rule: RuleId, tools: readonly ListedTool[], instructions?: string): CheckFinding[] =>
  listDefinitionFindings([{ name: 'shop', instructions, tools }]).filter((finding) => finding.rule === rule);

/** Returns the tools on which a rule has a finding. */
export const namesOf = (rule: RuleId, tools: readonly ListedTool[]): string[] =>
  findingsOf(rule, tools).map(({ tool: of }) => of ?? '');
