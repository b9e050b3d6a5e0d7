import { runEvents } from '../run-events.ts';
import { runParams } from '../run-params.ts';
import { visibleSubmission } from './find.ts';

export const followSubmission = runEvents({
  resource: 'submissions',
  summary: 'Follow a submission',
  path: '/v1/submissions/{id}',
  params: runParams,
  find: (c, params) => visibleSubmission(c, runParams.parse(params).id),
  end: 'Once it is published, rejected or withdrawn the stream ends with an event `end`.',
});
