import { z } from 'zod';

export const faultCode = z.enum([
  'unreachable',
  'timeout',
  'http-status',
  'rate-limited',
  /** The model's account has no credit left, so waiting does not help. */
  'out-of-credit',
  'malformed-protocol',
  'connection-lost',
  'address-forbidden',
  /** The server is only described: nobody says where it runs. */
  'not-connected',
  /** The server's owner does not allow what the call does, or the catalog does not have its tool. */
  'not-allowed',
  /** The host had all requests of the day that it gets without a proof of ownership. */
  'not-proven',
  /** The server could not be reset for the attempt, or other attempts used it for too long. */
  'not-isolated',
  /** A replay has no recorded answer for this call. */
  'replay-miss',
  /** A stage failed repeatedly for a reason of ours, and its unit or case was set aside. */
  'internal',
]);
export type FaultCode = z.infer<typeof faultCode>;

/** An infrastructure failure between us and a server or model. */
export const infrastructureFault = z.object({
  /** `service` is Sextant itself. */
  where: z.enum(['server', 'model', 'service']),
  /** The server's name, the model's role, or the stage at which Sextant failed. */
  name: z.string(),
  code: faultCode,
  /** One line for a person, without secrets. */
  detail: z.string(),
  /** The HTTP status, if the server answered with one instead of a result. */
  status: z.int().optional(),
});
export type InfrastructureFault = Readonly<z.infer<typeof infrastructureFault>>;
