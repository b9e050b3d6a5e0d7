import { resolve } from 'node:path';
import { agentName, modelName } from '#core/evaluation/config.ts';
import { overlaidToolName, overlayName } from '#core/evaluation/overlay/overlay.ts';
import { newProposal } from '#core/reports/wording-proposal/record.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import type { Command, Given } from '../command-line/command.ts';
import { endpointOptions, readEndpoint } from '../command-line/endpoint-options.ts';
import { noteNextStep } from '../command-line/next-step.ts';
import {
  makeSchemaNumberParser,
  makeSchemaTextParser,
  optionalOption,
  parseNonEmptyText,
  requiredOption,
} from '../command-line/options.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { proposalLines } from '../display/proposal-lines.ts';
import { requireWritable, writeFileAtomically } from '../files/atomic-file.ts';
import type { ProposalInput } from '../resources/evaluations.ts';

const evaluation = {
  name: 'evaluation',
  about: 'the id of an evaluation whose attempts show the trouble, such as evl_...',
};
const { seenShare, seed } = newProposal.shape;

const options = {
  out: requiredOption('out', 'FILE', 'where to write the overlay', parseNonEmptyText),
  name: optionalOption('name', 'NAME', 'what to call the overlay', makeSchemaTextParser(overlayName)),
  agent: optionalOption(
    'agent',
    'NAME',
    "only the attempts of this agent; those of all that read the servers' own wording without it",
    makeSchemaTextParser(agentName),
  ),
  tools: optionalOption(
    'tools',
    'TOOLS',
    'only these tools, such as notes/add,notes/append; those that agents had trouble with without it',
    parseToolNames,
  ),
  seenShare: optionalOption(
    'seen-share',
    'SHARE',
    describeWithDefault('about which share of the units the model sees; the wording is judged on others', seenShare),
    makeSchemaNumberParser(seenShare),
  ),
  seed: optionalOption('seed', 'N', describeWithDefault('draws these units', seed), makeSchemaNumberParser(seed)),
  model: optionalOption(
    'model',
    'MODEL',
    "the model that writes; the deployment's writer without it",
    makeSchemaTextParser(modelName),
  ),
  ...endpointOptions,
};

const proposeWording: Command = {
  verb: 'propose-wording',
  about: 'Have a model write new titles and descriptions for tools that agents had trouble with, as an overlay',
  more: [
    'The overlay says from which units it was written; "compare-wordings" leaves these out, and all that were evolved from them or they from.',
    'It asks one question, which costs tokens. Read the overlay before you publish its texts: a server can write to the model too.',
  ].join('\n'),
  operands: [evaluation],
  options: Object.values(options),
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(evaluation);
    const out = given.parseOptionValue(options.out);
    await requireWritable(out);
    const proposal = await client.evaluations.proposeWording(id, await readProposalOptions(given));
    await writeFileAtomically(out, [`${JSON.stringify(proposal.overlay, null, 2)}\n`]);
    output.writeAsJsonOrLines({ ...proposal, file: out }, () => [
      ...proposalLines(proposal, output.lineWidth),
      resolve(out),
    ]);
    noteNextStep(output, `compare-wordings --benchmark ${proposal.benchmark} --model MODEL --a original --b ${out}`);
  },
};

function parseToolNames(text: string): string[] {
  return text.split(',').map((name) => makeSchemaTextParser(overlaidToolName)(name.trim()));
}

async function readProposalOptions(given: Given): Promise<ProposalInput> {
  const [endpoint, model] = [await readEndpoint(given), given.parseOptionValue(options.model)];
  if (endpoint !== undefined && model === undefined)
    throw new UsageError('--base-url: name the model of this endpoint with --model');
  return {
    name: given.parseOptionValue(options.name),
    agent: given.parseOptionValue(options.agent),
    tools: given.parseOptionValue(options.tools),
    seenShare: given.parseOptionValue(options.seenShare),
    seed: given.parseOptionValue(options.seed),
    model,
    endpoint,
  };
}

/** The verb that has a model propose a wording. */
export const proposalCommands: readonly Command[] = [proposeWording];
