import { z } from 'zod';
import { signedRecord, type RecordContent } from '../record.ts';
import { hasValidSignature } from '../signature.ts';
import { failedCheck, passedCheck, skippedCheck, type Check } from './check.ts';

/**
 * A signed record in a file. The signature covers everything in it, including fields that this version does not know.
 */
const signedText = z.strictObject({ record: z.unknown(), signature: z.string(), publicKey: z.string() });

/** A record as far as it could be read, with the checks made on it. */
export interface ReadRecord {
  readonly record: RecordContent | null;
  /** The text that was signed. */
  readonly signed: unknown;
  readonly checks: readonly Check[];
}

/**
 * Reads a signed record and checks its signature. `publicKeys` are the service's keys, base64, from a source that the
 * reader trusts.
 */
export async function readRecordAndCheckSignature(
  json: unknown,
  publicKeys: readonly string[] | null,
): Promise<ReadRecord> {
  const text = signedText.safeParse(json);
  const whole = signedRecord.safeParse(json);
  if (!text.success || !whole.success) {
    const [issue] = (text.error ?? whole.error)?.issues ?? [];
    const where = issue?.path.join('.') ?? '';
    const detail = `it is no signed record: ${where === '' ? 'the file' : where}: ${issue?.message ?? 'of another form'}`;
    return { record: null, signed: null, checks: [failedCheck('form', detail)] };
  }
  const authentic = await hasValidSignature(text.data);
  return {
    record: whole.data.record,
    signed: text.data.record,
    checks: [
      authentic
        ? passedCheck('signature', 'the record is what the holder of its key signed')
        : failedCheck(
            'signature',
            'the record is not what the holder of its key signed: record, signature or key was changed',
          ),
      checkSigningKey(whole.data.publicKey, publicKeys),
    ],
  };
}

function checkSigningKey(own: string, known: readonly string[] | null): Check {
  if (known === null)
    return skippedCheck(
      'key',
      `the key is the one that the record brings along; compare it with the service's: ${own}`,
    );
  return known.includes(own)
    ? passedCheck('key', `the key is ${known.length === 1 ? 'the' : 'a'} one that was given`)
    : failedCheck('key', `the record was signed with the key ${own}, and ${known.join(', ')} was given`);
}
