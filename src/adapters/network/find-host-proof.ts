import { userAgent } from '#adapters/network/implementation.ts';
import { makeTxtQuery, readTxtAnswer, type DnsProblem } from '#core/catalog/hosts/dns-message.ts';
import { hasProofLine, type HostRecord } from '#core/catalog/hosts/proof.ts';
import type { ProofPlace } from '#core/catalog/hosts/standing.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import type { Admission } from './admission.ts';
import { findGuardError, makeGuardedFetch, type FetchLike } from './guarded-fetch.ts';

/** Most of what a file of tokens, or the answer of a resolver, may have. */
const [maxFileBytes, maxAnswerBytes] = [16 * 1024, 64 * 1024];
const timeoutMs = 5_000;
const dnsType = 'application/dns-message';

interface ProofOptions {
  readonly admission: Admission;
  /** The resolver's address (RFC 8484). */
  readonly resolver: string;
  /** Whether the resolver may have a private address. */
  readonly allowLocal: boolean;
}

type Sought = Pick<HostRecord, 'line' | 'file' | 'record'>;

/**
 * Looks for the line that proves a host: first in DNS, so that the host need not be asked, then in its file. Returns where it is, or
 * what was found in its place. Rejects only with PlatformErrors.
 */
export async function findHostProof(sought: Sought, options: ProofOptions): Promise<Result<ProofPlace, string>> {
  const inDns = await fetchDnsTxtRecords(sought.record, options);
  if (inDns.ok && hasProofLine(inDns.value, sought.line)) return ok('dns');
  const inFile = await fetchProofFileLines(sought.file, options);
  if (inFile.ok && hasProofLine(inFile.value, sought.line)) return ok('file');
  const dns = inDns.ok
    ? `it has ${formatCountWithNoun(inDns.value.length, 'TXT record')}, none with the line`
    : inDns.problem;
  const file = inFile.ok ? 'it has no such line' : inFile.problem;
  return err(`DNS ${sought.record}: ${dns}. ${sought.file}: ${file}`);
}

const formatCountWithNoun = (count: number, noun: string): string =>
  count === 1 ? `1 ${noun}` : `${count || 'no'} ${noun}s`;

async function fetchDnsTxtRecords(name: string, options: ProofOptions): Promise<Result<string[], string>> {
  const query = makeTxtQuery(name);
  if (query === null) return err('the name is too long for DNS');
  const address = new URL(options.resolver);
  address.searchParams.set('dns', query.toBase64({ alphabet: 'base64url', omitPadding: true }));
  const { admission, allowLocal } = options;
  const fetch = makeGuardedFetch({ admission, allowLocal, maxBytes: maxAnswerBytes, timeoutMs });
  const answered = await fetchDocumentOfType(fetch, address, dnsType);
  if (!answered.ok) return err(`the resolver gives no answer: ${answered.problem}`);
  const read = readTxtAnswer(new Uint8Array(await answered.value.arrayBuffer()));
  return read.ok ? read : err(dnsProblemText(read.problem));
}

function dnsProblemText(problem: DnsProblem): string {
  switch (problem.reason) {
    case 'malformed':
      return 'the answer of the resolver is no DNS message';
    case 'cut':
      return 'the answer of the resolver is cut';
    case 'code':
      return `the resolver answers with the code ${problem.code}`;
  }
}

/** The file is always asked of a public host over https, wherever the host's server is. */
async function fetchProofFileLines(address: string, { admission }: ProofOptions): Promise<Result<string[], string>> {
  const fetch = makeGuardedFetch({ admission, allowLocal: false, maxBytes: maxFileBytes, timeoutMs });
  const answered = await fetchDocumentOfType(fetch, new URL(address), 'text/plain');
  return answered.ok ? ok((await answered.value.text()).split('\n')) : answered;
}

/** Asks for a document of a type, and follows no redirect: it could lead to somebody else's. */
async function fetchDocumentOfType(fetch: FetchLike, address: URL, type: string): Promise<Result<Response, string>> {
  try {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { accept: type, 'user-agent': userAgent },
    });
    const given = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'no type';
    if (response.status === 200 && given === type) return ok(response);
    await response.body?.cancel();
    if (response.status !== 200) return err(`HTTP status ${response.status}`);
    return err(`it is ${/^[\w.+/-]{1,60}$/.test(given) ? given : 'of another type'}, not ${type}`);
  } catch (error) {
    const refused = findGuardError(error);
    if (refused === undefined) throw error;
    return err(refused.message);
  }
}
