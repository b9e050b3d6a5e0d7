import { budget } from './budget.ts';
import { calc } from './calc.ts';
import type { Card } from './card.ts';
import { charts } from './charts.ts';
import { customers } from './customers.ts';
import { diagrams } from './diagrams.ts';
import { everything } from './everything.ts';
import { files } from './files.ts';
import { food } from './food.ts';
import { git } from './git.ts';
import { memory } from './memory.ts';
import { planning } from './planning.ts';
import { scenarios } from './scenarios.ts';
import { system } from './system.ts';
import { tailwind } from './tailwind.ts';
import { thinking } from './thinking.ts';
import { time } from './time.ts';

/** Every card, by `server/tool`. */
export const cards: ReadonlyMap<string, Card> = new Map(
  [
    ...[calc, time, files, memory, everything, thinking, charts, git].flat(),
    ...[diagrams, food, planning, tailwind, scenarios, customers, budget, system].flat(),
  ].map((card) => [card.tool, card]),
);
