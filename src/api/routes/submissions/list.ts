import { datedList } from '../dated-list.ts';

export const listSubmissions = datedList({
  kind: 'submission',
  summary: 'List the submissions of the workspace, oldest first',
  item: 'ListedRun',
  description: 'A page of submissions',
});
