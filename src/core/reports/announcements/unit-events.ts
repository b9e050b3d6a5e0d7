import type { EventBody } from '../events.ts';
import type { Unit } from '#core/units/unit.ts';

/** Returns the events of a commit on a unit: at most two. */
export function listUnitChangeEvents(before: Unit, after: Unit): EventBody[] {
  const events: EventBody[] = [];
  const { id } = after;
  if (after.drawn > before.drawn) events.push({ type: 'unit.redrawn', unit: id, draw: after.drawn });
  if (after.grounding.state === 'failed' && before.grounding.state !== 'failed') {
    const { code, detail } = after.grounding;
    events.push({ type: 'grounding.failed', unit: id, code, detail });
  }
  if (before.pair === null && after.pair !== null) {
    events.push({ type: 'unit.written', unit: id, chain: after.pair.chain });
  }
  const audit = after.audits[before.audits.length];
  // A wording that returns keeps the audit that it had.
  if (audit !== undefined && before.stage.kind === 'audit' && audit !== after.earlierExecution?.audit) {
    const unsolved = audit.findings.filter(({ verdict }) => verdict === 'no').length;
    events.push({ type: 'unit.audited', unit: id, score: audit.score, unsolved, next: after.stage.kind });
  }
  for (const side of ['source', 'followUp'] as const) {
    const execution = after.executions[side];
    if (execution === null || before.stage.kind !== 'execution' || before.stage.side !== side) continue;
    const failures = execution.calls.filter(({ ok }) => !ok).length;
    events.push({ type: 'unit.executed', unit: id, side, calls: execution.calls.length, failures });
  }
  if (after.stage.kind === 'waiting')
    events.push({ type: 'review.awaited', unit: id, score: after.audits.at(-1)?.score ?? 0 });
  if (after.stage.kind === 'done') {
    const { status, reason } = after.stage;
    events.push({ type: 'unit.ended', unit: id, probe: after.probe, status, reason });
  }
  return events;
}
