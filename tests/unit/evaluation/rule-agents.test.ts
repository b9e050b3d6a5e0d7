import { expect, test } from 'vitest';
import { agentChoice, storedAgent } from '#core/evaluation/config.ts';
import { sortAgentsByHeadlineMean } from '#core/evaluation/figure-texts.ts';
import {
  agentNameInGroup,
  chooseReportedAgents,
  namesOfRuleAgents,
  ruleAgentsNoteOrNull,
} from '#core/evaluation/rule-agents.ts';
import { agentResult } from '../../client/records.ts';

const model = {
  baseUrl: 'https://models.example.com/v1',
  model: 'm-1',
  key: { kind: 'deployment' },
  promptPricePerMTok: 0,
  completionPricePerMTok: 0,
};
const stored = (name: string, choice: object, more: object = {}) =>
  storedAgent.parse({ ...agentChoice.parse({ name, ...choice }), ...more });
const ofModel = { loop: 'function-calling', model: 'm-1' };
const deployed = stored('deployed', ofModel, { model });
const own = stored('own', ofModel, { model: { ...model, key: { kind: 'own', encrypted: 'x' } } });
const forgotten = stored('forgotten', ofModel, { model: { ...model, key: { kind: 'forgotten' } } });
const nobody = stored('nobody', { loop: 'null', policy: 'call-everything' });
const person = stored('person', { loop: 'external' });

test('null agents always follow rules, and models of the deployment where it is offline; no others do', () => {
  const all = [deployed, own, forgotten, nobody, person];
  expect(namesOfRuleAgents(all, false)).toEqual(['nobody']);
  expect(namesOfRuleAgents(all, true)).toEqual(['deployed', 'nobody']);
});

test('a report on tools reads the agents that follow no rules, and all where there is no other', () => {
  expect(chooseReportedAgents([deployed, nobody], false)).toEqual({ names: ['deployed'], offline: false });
  expect(chooseReportedAgents([deployed, nobody, person], true)).toEqual({ names: ['person'], offline: false });
  expect(chooseReportedAgents([deployed, nobody], true)).toEqual({ names: ['deployed', 'nobody'], offline: true });
  expect(chooseReportedAgents([nobody], false)).toEqual({ names: ['nobody'], offline: true });
});

test('tables have rule agents as one group after all others, also one that scores more', () => {
  const scored = (name: string, value: number) => {
    const agent = agentResult(name, value);
    return { ...agent, scores: { ...agent.scores, success: { ...agent.scores.success, mean: value } } };
  };
  const agents = [scored('blind', 0.9), scored('weak', 0.1), scored('lucky', 0.5), scored('good', 0.7)];
  const results = { agents, protocol: 'sgvef', ruleAgents: ['blind', 'lucky'] } as const;
  const ordered = sortAgentsByHeadlineMean({ ...results, agents, ruleAgents: [...results.ruleAgents] });
  expect(ordered.map(({ name }) => agentNameInGroup(name, results))).toEqual([
    'good',
    'weak',
    'blind (rules)',
    'lucky (rules)',
  ]);
});

test('a comparison with agents of rules says that it is no evidence', () => {
  expect(ruleAgentsNoteOrNull(undefined)).toBeNull();
  expect(ruleAgentsNoteOrNull(['a'])).toBe(
    'a follows rules in place of a model: the difference says nothing about models or about words.',
  );
  expect(ruleAgentsNoteOrNull(['a', 'b'])).toMatch(/^a and b follow rules/);
});
