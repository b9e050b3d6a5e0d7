/** Returns the id of the evaluation that scores a submission; no workspace lists it, so nobody can read it by its id. */
export const evaluationIdOfSubmission = (submission: string): string =>
  `evl_${submission.slice(submission.indexOf('_') + 1)}`;
