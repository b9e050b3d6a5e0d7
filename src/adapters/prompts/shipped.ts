// Written by `npm run prompts`: the newest version of each prompt.
import agent from '#prompts/agent/v2.md' with { type: 'text' };
import agentCode from '#prompts/agent-code/v1.md' with { type: 'text' };
import agentFinal from '#prompts/agent-final/v1.md' with { type: 'text' };
import agentPlanning from '#prompts/agent-planning/v2.md' with { type: 'text' };
import agentPrompted from '#prompts/agent-prompted/v2.md' with { type: 'text' };
import agentRouting from '#prompts/agent-routing/v2.md' with { type: 'text' };
import agentSummary from '#prompts/agent-summary/v1.md' with { type: 'text' };
import agentToolSearch from '#prompts/agent-tool-search/v1.md' with { type: 'text' };
import answerForm from '#prompts/answer-form/v1.md' with { type: 'text' };
import attackPayloads from '#prompts/attack-payloads/v1.md' with { type: 'text' };
import audit from '#prompts/audit/v4.md' with { type: 'text' };
import catalogPairs from '#prompts/catalog-pairs/v3.md' with { type: 'text' };
import chainScenario from '#prompts/chain-scenario/v1.md' with { type: 'text' };
import fuzzyRequest from '#prompts/fuzzy-request/v1.md' with { type: 'text' };
import judgeAttempt from '#prompts/judge-attempt/v1.md' with { type: 'text' };
import judgeBackRequests from '#prompts/judge-back-requests/v2.md' with { type: 'text' };
import judgeCoverage from '#prompts/judge-coverage/v2.md' with { type: 'text' };
import judgeFailure from '#prompts/judge-failure/v2.md' with { type: 'text' };
import judgeNoticing from '#prompts/judge-noticing/v1.md' with { type: 'text' };
import judgeOutcome from '#prompts/judge-outcome/v1.md' with { type: 'text' };
import judgePlan from '#prompts/judge-plan/v2.md' with { type: 'text' };
import judgeRefusal from '#prompts/judge-refusal/v1.md' with { type: 'text' };
import judgeRelevance from '#prompts/judge-relevance/v2.md' with { type: 'text' };
import judgeRubric from '#prompts/judge-rubric/v1.md' with { type: 'text' };
import judgeSuccess from '#prompts/judge-success/v1.md' with { type: 'text' };
import metamorphicPair from '#prompts/metamorphic-pair/v4.md' with { type: 'text' };
import negativeAudit from '#prompts/negative-audit/v1.md' with { type: 'text' };
import negativePair from '#prompts/negative-pair/v1.md' with { type: 'text' };
import preflight from '#prompts/preflight/v1.md' with { type: 'text' };
import proposeWording from '#prompts/propose-wording/v1.md' with { type: 'text' };
import refine from '#prompts/refine/v4.md' with { type: 'text' };
import repair from '#prompts/repair/v2.md' with { type: 'text' };
import scenario from '#prompts/scenario/v3.md' with { type: 'text' };
import serverSummary from '#prompts/server-summary/v1.md' with { type: 'text' };
import siblingAudit from '#prompts/sibling-audit/v1.md' with { type: 'text' };
import siblingPair from '#prompts/sibling-pair/v1.md' with { type: 'text' };
import simulatedUser from '#prompts/simulated-user/v1.md' with { type: 'text' };
import taskQuality from '#prompts/task-quality/v1.md' with { type: 'text' };
import toolCategories from '#prompts/tool-categories/v1.md' with { type: 'text' };
import variant from '#prompts/variant/v3.md' with { type: 'text' };
import { parseShippedPromptOrThrow } from './parse-shipped.ts';

/** The prompts in use, by purpose. */
export const prompts = {
  agent: parseShippedPromptOrThrow('agent@v2', agent, ['request', 'date', 'instructions']),
  agentCode: parseShippedPromptOrThrow('agent-code@v1', agentCode, ['request', 'date', 'instructions', 'how', 'tools']),
  agentFinal: parseShippedPromptOrThrow('agent-final@v1', agentFinal, ['request', 'rounds']),
  agentPlanning: parseShippedPromptOrThrow('agent-planning@v2', agentPlanning, [
    'request',
    'tools',
    'limits',
    'date',
    'instructions',
  ]),
  agentPrompted: parseShippedPromptOrThrow('agent-prompted@v2', agentPrompted, [
    'request',
    'tools',
    'date',
    'instructions',
  ]),
  agentRouting: parseShippedPromptOrThrow('agent-routing@v2', agentRouting, ['request', 'date']),
  agentSummary: parseShippedPromptOrThrow('agent-summary@v1', agentSummary, [
    'request',
    'call',
    'longResult',
    'characters',
  ]),
  agentToolSearch: parseShippedPromptOrThrow('agent-tool-search@v1', agentToolSearch, ['request', 'date']),
  answerForm: parseShippedPromptOrThrow('answer-form@v1', answerForm, ['form']),
  attackPayloads: parseShippedPromptOrThrow('attack-payloads@v1', attackPayloads, []),
  audit: parseShippedPromptOrThrow('audit@v4', audit, ['tools', 'pair', 'facts', 'survey', 'values']),
  catalogPairs: parseShippedPromptOrThrow('catalog-pairs@v3', catalogPairs, [
    'tools',
    'count',
    'relations',
    'survey',
    'values',
    'situations',
  ]),
  chainScenario: parseShippedPromptOrThrow('chain-scenario@v1', chainScenario, [
    'tools',
    'executed',
    'servers',
    'survey',
    'values',
    'situation',
  ]),
  fuzzyRequest: parseShippedPromptOrThrow('fuzzy-request@v1', fuzzyRequest, ['request', 'tools', 'kept', 'earlier']),
  judgeAttempt: parseShippedPromptOrThrow('judge-attempt@v1', judgeAttempt, [
    'request',
    'goals',
    'calls',
    'leftOut',
    'response',
  ]),
  judgeBackRequests: parseShippedPromptOrThrow('judge-back-requests@v2', judgeBackRequests, ['response', 'count']),
  judgeCoverage: parseShippedPromptOrThrow('judge-coverage@v2', judgeCoverage, ['intents', 'response']),
  judgeFailure: parseShippedPromptOrThrow('judge-failure@v2', judgeFailure, ['tool', 'call']),
  judgeNoticing: parseShippedPromptOrThrow('judge-noticing@v1', judgeNoticing, [
    'request',
    'calls',
    'changed',
    'response',
  ]),
  judgeOutcome: parseShippedPromptOrThrow('judge-outcome@v1', judgeOutcome, ['request', 'truth', 'response']),
  judgePlan: parseShippedPromptOrThrow('judge-plan@v2', judgePlan, ['requests']),
  judgeRefusal: parseShippedPromptOrThrow('judge-refusal@v1', judgeRefusal, ['request', 'response']),
  judgeRelevance: parseShippedPromptOrThrow('judge-relevance@v2', judgeRelevance, [
    'request',
    'response',
    'calls',
    'leftOut',
  ]),
  judgeRubric: parseShippedPromptOrThrow('judge-rubric@v1', judgeRubric, [
    'request',
    'task',
    'dependencies',
    'tools',
    'rounds',
    'leftOut',
    'response',
    'rubric',
  ]),
  judgeSuccess: parseShippedPromptOrThrow('judge-success@v1', judgeSuccess, [
    'request',
    'goals',
    'calls',
    'leftOut',
    'response',
  ]),
  metamorphicPair: parseShippedPromptOrThrow('metamorphic-pair@v4', metamorphicPair, [
    'tools',
    'scenario',
    'facts',
    'relation',
    'survey',
    'values',
  ]),
  negativeAudit: parseShippedPromptOrThrow('negative-audit@v1', negativeAudit, ['tools', 'others', 'pair']),
  negativePair: parseShippedPromptOrThrow('negative-pair@v1', negativePair, [
    'tools',
    'others',
    'relation',
    'survey',
    'situation',
  ]),
  preflight: parseShippedPromptOrThrow('preflight@v1', preflight, ['word']),
  proposeWording: parseShippedPromptOrThrow('propose-wording@v1', proposeWording, [
    'tools',
    'siblings',
    'confusions',
    'attempts',
  ]),
  refine: parseShippedPromptOrThrow('refine@v4', refine, [
    'tools',
    'pair',
    'facts',
    'diagnosis',
    'relation',
    'survey',
    'values',
  ]),
  repair: parseShippedPromptOrThrow('repair@v2', repair, ['problem', 'form']),
  scenario: parseShippedPromptOrThrow('scenario@v3', scenario, ['tools', 'known', 'survey', 'values', 'situation']),
  serverSummary: parseShippedPromptOrThrow('server-summary@v1', serverSummary, ['server', 'tools']),
  siblingAudit: parseShippedPromptOrThrow('sibling-audit@v1', siblingAudit, [
    'tools',
    'siblings',
    'pair',
    'survey',
    'values',
  ]),
  siblingPair: parseShippedPromptOrThrow('sibling-pair@v1', siblingPair, [
    'tools',
    'siblings',
    'relation',
    'survey',
    'values',
    'situation',
  ]),
  simulatedUser: parseShippedPromptOrThrow('simulated-user@v1', simulatedUser, ['request', 'question', 'fields']),
  taskQuality: parseShippedPromptOrThrow('task-quality@v1', taskQuality, [
    'tools',
    'task',
    'dependencies',
    'survey',
    'values',
  ]),
  toolCategories: parseShippedPromptOrThrow('tool-categories@v1', toolCategories, ['categories', 'tools']),
  variant: parseShippedPromptOrThrow('variant@v3', variant, [
    'kind',
    'seeds',
    'tools',
    'known',
    'survey',
    'values',
    'situation',
  ]),
};
