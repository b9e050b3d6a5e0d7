import type { FaultCode, InfrastructureFault } from '#core/models/faults.ts';
import type { FailureClass, FailureVerdict } from './failure.ts';
import { excerptChars, type Step } from './trace.ts';

type ServerFault = Pick<InfrastructureFault, 'name' | 'code' | 'detail' | 'status'>;

/**
 * Returns the class of a call to which the server gave no usable answer, by the kind of the fault. A time-out leaves the
 * result unknown; a refusal by HTTP status has the class that the same status has inside an error text. Source:
 * SGVEF-Loop, appendix C, Table 6.
 */
export const failureVerdictOfServerFault = ({
  code,
  status,
}: Pick<ServerFault, 'code' | 'status'>): FailureVerdict => ({
  source: 'rule',
  class: code === 'http-status' ? (classByStatus.get(status ?? 0) ?? 'network-instability') : classByCode[code],
  rule: status === undefined ? `fault-${code}` : `fault-http-${status}`,
});

/** Returns what the agent is told about such a call, inside and outside; the step keeps the same text. */
export const spoiltCallText = ({ name, detail }: Pick<ServerFault, 'name' | 'detail'>): string => `${name}: ${detail}`;

/** Returns whether a fault keeps an attempt from being evaluated, regardless of its other calls: what it saw was not the world that it should see, to which the model belongs that plays the user. */
export const doesFaultBreakAttempt = ({ code, where }: Pick<InfrastructureFault, 'code' | 'where'>): boolean =>
  code === 'replay-miss' || code === 'not-isolated' || code === 'not-proven' || where === 'model';

/** Returns what a step keeps of a call to which the server gave no usable answer. */
export const makeStepPartsOfSpoiltCall = (
  fault: InfrastructureFault,
): Pick<Step, 'outcome' | 'text' | 'cause' | 'failure'> => ({
  outcome: 'failure',
  text: spoiltCallText(fault).slice(0, excerptChars),
  cause: 'environment',
  failure: failureVerdictOfServerFault(fault),
});

/**
 * Returns the fault that keeps an attempt with these steps from being evaluated: a recording without an answer, a server
 * that others used or that was not reset, a host that the deployment spares, or servers of which none could be connected to. Null if any server answered, which is when the others are part of the
 * world.
 */
export function findFaultThatBreaksAttemptOrNull(steps: readonly Step[]): InfrastructureFault | null {
  const faults = steps.flatMap(({ outcome, fault }) => (outcome === 'fault' && fault !== null ? [fault] : []));
  const breaking = faults.find(doesFaultBreakAttempt);
  if (breaking !== undefined || steps.every(({ sha256 }) => sha256 === null)) return breaking ?? faults[0] ?? null;
  return null;
}

/** Returns the steps of an attempt that is evaluated: calls that no server could take at first are spoilt like others. */
export const stepsWithFaultsAsFailures = (steps: readonly Step[]): Step[] =>
  steps.map((step) =>
    step.outcome === 'fault' && step.fault !== null ? { ...step, ...makeStepPartsOfSpoiltCall(step.fault) } : step,
  );

const classByCode: Readonly<Record<Exclude<FaultCode, 'http-status'>, FailureClass>> = {
  timeout: 'asynchronous-indeterminacy',
  unreachable: 'network-instability',
  'connection-lost': 'network-instability',
  'malformed-protocol': 'network-instability',
  'rate-limited': 'service-scope-limitation',
  'out-of-credit': 'service-scope-limitation',
  'address-forbidden': 'access-policy-rejection',
  'not-connected': 'service-scope-limitation',
  'not-allowed': 'service-scope-limitation',
  'not-isolated': 'resource-contention',
  'not-proven': 'service-scope-limitation',
  'replay-miss': 'network-instability',
  internal: 'network-instability',
};

/** Every other status is a network instability. */
const classByStatus: ReadonlyMap<number, FailureClass> = new Map([
  [401, 'authentication-deficit'],
  [402, 'service-scope-limitation'],
  [403, 'access-policy-rejection'],
  [408, 'asynchronous-indeterminacy'],
  [409, 'resource-contention'],
  [423, 'resource-contention'],
  [451, 'access-policy-rejection'],
]);

/** Returns the text that replaces a result that is longer than we accept. */
export const tooLargeResultText = (bytes: number): string => `result larger than ${bytes} bytes`;

/** Returns the text that replaces a result that is nested deeper than we accept. */
export const tooDeepResultText = (levels: number): string => `result nested deeper than ${levels} levels`;

/** Returns the text that replaces the result of a task that its server cancelled. */
export const cancelledTaskText = (message: string): string =>
  message === '' ? 'task cancelled by the server' : `task cancelled by the server: ${message}`;

/** Returns whether a text replaces a result that we did not accept, or that the server did not give. */
export const isOurTextForUnusableResult = (text: string): boolean =>
  /^result (?:larger than \d+ bytes|nested deeper than \d+ levels)$|^task cancelled by the server(?:$|: )/.test(text);
