import { findWhetherValuePassedOn } from '#core/traces/disturbances/attempt-under-disturbance.ts';
import { scoreMark } from './disturbance-mark.ts';
import { makeTraceScorer } from './scorer.ts';

export const passedOn = makeTraceScorer({
  key: 'passedon',
  title: 'passed on',
  name: 'changed values passed on',
  question: 'Did the answer state a value as a fact that was changed on its way?',
  formula:
    'of the attempts in which a disturbance changed a value: 1 where the answer states it, in its own or another notation, without a word of doubt in the same sentence or one beside it; else 0',
  caveat: 'carelessness in every case: of some values nobody can see that they are wrong',
  range: [0, 1],
  direction: 'lower',
  source: "Sextant's own",
  needs: [],
  parts: [],
  brief: false,
  binary: false,
  score: scoreMark(findWhetherValuePassedOn),
});
