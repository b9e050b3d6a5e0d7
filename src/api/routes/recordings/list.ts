import { datedList } from '../dated-list.ts';

export const listRecordings = datedList({
  kind: 'recording',
  summary: 'List the recordings',
  item: 'RecordingSummary',
  description: 'A page of recordings',
});
