import { datedList } from '../dated-list.ts';

export const listExplorations = datedList({
  kind: 'exploration',
  summary: 'List the explorations, oldest first',
  item: 'ListedRun',
  description: 'A page of runs',
});
