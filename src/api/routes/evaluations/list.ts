import { datedList } from '../dated-list.ts';

export const listEvaluations = datedList({
  kind: 'evaluation',
  summary: 'List the evaluations, oldest first',
  item: 'ListedRun',
  description: 'A page of runs',
});
