import { z } from 'zod';

/** Most candidate tools of one set: the writer reads the schemas of all of them. */
const mostCandidates = 50;

const samplingFields = z.strictObject({
  /** How strongly tools with many calls are avoided while tools are covered; 0 means not at all (lambda of the paper). */
  lambda: z.number().min(0).max(100).default(0.5),
  /** Number of tools that are drawn by inverse frequency: uniform in this range. */
  drawMin: z.int().min(2).max(mostCandidates).default(3),
  drawMax: z.int().min(2).max(mostCandidates).default(6),
  /** Number of servers that are drawn afterwards: uniform between 1 and this (M_max of the paper). */
  serversMax: z.int().min(1).max(mostCandidates).default(3),
  /** Maximum number of tools of each of these servers (k of the paper). */
  toolsPerServerMax: z.int().min(1).max(mostCandidates).default(4),
});

/** How candidate tools are drawn. Source: SGVEF-Loop, section 4.1, which leaves the values open; these are ours. */
export const samplingParameters = samplingFields
  .refine(({ drawMin, drawMax }) => drawMin <= drawMax, {
    message: 'drawMin is at most drawMax',
    path: ['drawMax'],
  })
  .refine(
    ({ serversMax, toolsPerServerMax }) => {
      const largest = serversMax * toolsPerServerMax;
      return largest >= 2 && largest <= mostCandidates;
    },
    { message: `serversMax times toolsPerServerMax is from 2 to ${mostCandidates}`, path: ['toolsPerServerMax'] },
  );
export type SamplingParameters = Readonly<z.infer<typeof samplingParameters>>;

export const defaultSampling: SamplingParameters = samplingParameters.parse({});
