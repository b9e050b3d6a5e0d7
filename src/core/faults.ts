import { z } from 'zod';

export const faultCode = z.enum([
  'unreachable',
  'timeout',
  'http-status',
  'rate-limited',
  'malformed-protocol',
  'connection-lost',
  'address-forbidden',
  /** A replay of recorded answers has none for this call. */
  'replay-miss',
  /** A stage failed for a reason of ours, however often it was tried, and its unit or case was set aside. */
  'internal',
]);
export type FaultCode = z.infer<typeof faultCode>;

/** The way to a server or model broke. It counts neither for nor against an agent. */
export const infrastructureFault = z.object({
  /** `service` is Sextant itself. */
  where: z.enum(['server', 'model', 'service']),
  /** The server's name, the model's role, or the stage that Sextant failed at. */
  name: z.string(),
  code: faultCode,
  /** One line for a person, free of secrets. */
  detail: z.string(),
});
export type InfrastructureFault = Readonly<z.infer<typeof infrastructureFault>>;
