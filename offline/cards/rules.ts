import type { Card, Output } from './card.ts';

const CONNECTORS = [' then ', ', and ', ' afterwards', ' finally ', ' next, ', '; '];

/** Returns what is wrong with one card by itself, in words; empty for a valid card. */
export function listFlawsOfCard(card: Card): string[] {
  const flaws: string[] = [];
  const say = (flaw: string): void => void flaws.push(`${card.tool}: ${flaw}`);
  const slots = Object.keys(card.slots);
  const name = card.tool.slice(card.tool.indexOf('/') + 1);
  if (card.phrases.length < 3) say('fewer than three phrases');
  for (const phrase of card.phrases) {
    const named = listSlotsInPhrase(phrase);
    for (const slot of slots) if (!named.includes(slot)) say(`"${phrase}" lacks {${slot}}`);
    for (const slot of named) if (!slots.includes(slot)) say(`"${phrase}" names the unknown slot {${slot}}`);
    if (new Set(named).size !== named.length) say(`"${phrase}" names a slot twice`);
    if (/[.!?]$/.test(phrase) || phrase !== phrase.trim()) say(`"${phrase}" ends badly`);
    if (!/^[a-z]/.test(phrase)) say(`"${phrase}" does not begin in lower case`);
    if (phrase.includes('"')) say(`"${phrase}" contains a double quote`);
    if (/\}\s*\{/.test(phrase)) say(`"${phrase}" has two slots side by side`);
    if (listWordsOfPhrase(phrase).includes(name)) say(`"${phrase}" contains the tool's name`);
    for (const connector of CONNECTORS) if (phrase.includes(connector)) say(`"${phrase}" contains "${connector}"`);
  }
  for (const [slot, { samples, kind }] of Object.entries(card.slots)) {
    if (kind === '') say(`{${slot}} has no kind`);
    if (samples.length < 2) say(`{${slot}} has fewer than two samples`);
    if (card.constants !== undefined && slot in card.constants) say(`{${slot}} is a constant as well`);
    for (const sample of samples) {
      if (typeof sample === 'string' && /["\n]/.test(sample)) say(`a sample of {${slot}} cannot be quoted`);
    }
  }
  for (const { pick, noun } of card.gives) {
    if (!/^(the|its|today's) /.test(noun)) say(`"${noun}" has no article`);
    if ('pattern' in pick && !hasOneCapturingGroup(pick.pattern)) say(`the pattern of "${noun}" has no group`);
  }
  return flaws;
}

/** Returns what is wrong between cards: nouns and wordings that two of them share. */
export function listFlawsBetweenCards(cards: Iterable<Card>): string[] {
  const flaws: string[] = [];
  const nouns = new Map<string, string>();
  const shapes = new Map<string, string>();
  const claim = (taken: Map<string, string>, key: string, tool: string): void => {
    const other = taken.get(key);
    if (other !== undefined) flaws.push(`${tool} and ${other} share "${key}"`);
    taken.set(key, tool);
  };
  for (const card of cards) {
    for (const { noun } of card.gives) claim(nouns, noun, card.tool);
    for (const phrase of card.phrases) claim(shapes, phrase.replace(/\{\w+\}/g, '{}'), card.tool);
  }
  return flaws;
}

/** Returns the value of an output in the text of a result; undefined if it is missing. */
export function extractOutputValue(pick: Output['pick'], text: string): string | undefined {
  if ('whole' in pick) return text.trim();
  if ('pattern' in pick) return new RegExp(pick.pattern).exec(text)?.[1];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const step of pick.path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = new Map<string, unknown>(Object.entries(value)).get(step);
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** Returns the arguments of a call: the constants, and each slot's value in its template. */
export function makeArgumentsOfCard(card: Card, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const args: Record<string, unknown> = { ...card.constants };
  for (const [slot, { argument }] of Object.entries(card.slots)) {
    args[slot] = argument === undefined ? values[slot] : fillArgumentTemplate(argument, values[slot]);
  }
  return args;
}

function fillArgumentTemplate(template: unknown, value: unknown): unknown {
  if (template === '$value') return value;
  if (Array.isArray(template)) return template.map((part) => fillArgumentTemplate(part, value));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, part]) => [key, fillArgumentTemplate(part, value)]));
}

function listSlotsInPhrase(phrase: string): string[] {
  return [...phrase.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

function listWordsOfPhrase(phrase: string): string[] {
  return phrase.replace(/\{\w+\}/g, ' ').split(/[^\w-]+/);
}

function hasOneCapturingGroup(pattern: string): boolean {
  return new RegExp(`${pattern}|`).exec('')?.length === 2;
}
