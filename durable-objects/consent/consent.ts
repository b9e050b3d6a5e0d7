import { DurableObject } from 'cloudflare:workers';
import { redeemCode, renewTokens, revokeTokens } from '#adapters/mcp/oauth/consent-tokens.ts';
import { findOAuthRefusal } from '#adapters/mcp/oauth/refusal.ts';
import type { TokenFault } from '#adapters/mcp/oauth/tokens.ts';
import type { AccessToken } from '#adapters/mcp/oauth/token-endpoint.ts';
import { Admission } from '#adapters/network/admission.ts';
import { findGuardError, makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { encryptSecret } from '#adapters/secrets/encryption.ts';
import { decryptStoredSecretOrThrow } from '#adapters/secrets/stored-secret.ts';
import { settingsSchema } from '#adapters/settings.ts';
import type { StoredConsentAuth } from '#core/catalog/server-auth.ts';
import { explainAnswerProblem, readAuthorizationAnswer } from '#core/catalog/consent/answer.ts';
import {
  consentEncryptionContext,
  consentSecrets,
  grantedTokens,
  makeConsentAuth,
  makeConsentRecord,
  type AskedConsent,
  type ConsentRecord,
  type ConsentSecrets,
  type GrantedTokens,
  noSuchConsent,
} from '#core/catalog/consent/consent.ts';
import { refuse } from '#core/values/errors.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import { ConsentStore, type StoredConsent } from './consent-store.ts';

/** How long a consent is kept that no server uses, in milliseconds. */
const unusedMs = 3_600_000;
const maxAnswerBytes = 256 * 1024;

/**
 * One consent of a person: how it was asked for, and the tokens that the authorization server gave. All isolates ask here for tokens, and
 * those that want a renewed one at the same time share it, because a refresh token may be used only once.
 */
export class Consent extends DurableObject {
  readonly #storage: DurableObjectStorage;
  readonly #store: ConsentStore;
  #renewing: Promise<Result<AccessToken, TokenFault>> | null = null;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#store = new ConsentStore(state.storage);
  }

  /** Stores what is asked for, with its secrets encrypted. Idempotent. */
  async create(asked: AskedConsent, secrets: string): Promise<ConsentRecord> {
    const standing = { state: 'waiting', problem: null, server: null, until: null } as const;
    if (this.#store.read() === null) {
      this.#store.create({ asked, standing, secrets });
      await this.#storage.setAlarm(Date.parse(asked.expiresAt) + unusedMs);
    }
    return makeConsentRecord(asked, standing, Date.now());
  }

  /** Returns the consent if it belongs to the workspace. */
  describe(workspace: string): Result<ConsentRecord> {
    const found = this.#store.read();
    if (found === null || found.asked.workspace !== workspace) return refuse('not-found', noSuchConsent);
    return ok(makeConsentRecord(found.asked, found.standing, Date.now()));
  }

  /** Returns what a person is asked, as long as nobody has answered. */
  readQuestion(): Result<AskedConsent> {
    const found = this.#store.read();
    if (found === null) return refuse('not-found', 'there is no such consent; it may have been removed');
    if (found.standing.state !== 'waiting') return refuse('consent-needed', 'this consent was answered before');
    const { state } = makeConsentRecord(found.asked, found.standing, Date.now());
    return state === 'waiting' ? ok(found.asked) : refuse('consent-needed', tooLate);
  }

  /**
   * Notes that a person continues from the page, as loaded in the browser with this tag: the answer has to come from there. Each loading is
   * good for one time. Returns what the person agrees to.
   */
  continueFromPage(browser: string): Result<AskedConsent> {
    const question = this.readQuestion();
    if (!question.ok) return question;
    if (this.#store.readBrowser() === browser)
      return refuse('consent-needed', 'somebody has continued from it already');
    this.#store.writeBrowser(browser);
    return question;
  }

  /**
   * Takes the answer of the authorization server, once: exchanges its code for tokens and keeps them. `query` is that of the callback,
   * `browser` the tag of where it came from. Returns why there are no tokens, in words.
   */
  async takeAnswer(query: string, browser: string): Promise<Result<ConsentRecord, string>> {
    const question = this.readQuestion();
    const found = this.#store.read();
    if (!question.ok || found === null) return err(question.ok ? tooLate : question.problem.detail);
    const { asked } = found;
    this.#store.writeStanding({ ...found.standing, state: 'answered' });
    const code =
      this.#store.readBrowser() === browser
        ? readAuthorizationAnswer(asked, new URLSearchParams(query))
        : err({ reason: 'another-browser' } as const);
    if (!code.ok) return err(this.#recordFailedConsent(explainAnswerProblem(code.problem, asked)));
    try {
      const tokens = await redeemCode(await this.#decryptSecretsAndMakeFetch(found), code.value);
      await this.#encryptAndStoreTokens(asked, tokens);
    } catch (error) {
      return err(this.#recordFailedConsent(makeTokenFaultOrRethrow(error).detail));
    }
    const given = this.#store.read();
    return given === null ? err(tooLate) : ok(makeConsentRecord(asked, given.standing, Date.now()));
  }

  /**
   * Gives the consent to a server of its workspace at its address; the same server may take it again. Returns what the server keeps.
   */
  async claimForServer(workspace: string, server: string, url: string): Promise<Result<StoredConsentAuth>> {
    const found = this.#store.read();
    if (found === null || found.asked.workspace !== workspace) return refuse('consent-needed', noSuchConsent);
    const { asked, standing } = found;
    const { state, problem } = makeConsentRecord(asked, standing, Date.now());
    if (state !== 'given') return refuse('consent-needed', problem ?? `the consent is ${state}`);
    if (asked.url !== url) return refuse('consent-needed', `the consent was given for ${asked.url} alone`);
    if (standing.server !== null && standing.server !== server)
      return refuse('consent-needed', `the server ${standing.server} has the consent; give another one`);
    this.#store.writeStanding({ ...standing, server });
    await this.#storage.deleteAlarm();
    return ok(makeConsentAuth(asked));
  }

  /** Takes the consent from a server that was not registered after all. */
  async release(server: string): Promise<void> {
    const found = this.#store.read();
    if (found?.standing.server !== server) return;
    this.#store.writeStanding({ ...found.standing, server: null });
    await this.withdrawLater();
  }

  /** Returns a token other than `spent`, a renewed one if need be; or says why there is none. */
  async giveToken(spent: string | null): Promise<Result<AccessToken, TokenFault>> {
    const present = await this.#readToken(spent);
    if (present !== null) return present;
    this.#renewing ??= this.#renew(spent).finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  /** Returns the present token, or why there will be none; null if it has to be renewed. */
  async #readToken(spent: string | null): Promise<Result<AccessToken, TokenFault> | null> {
    const found = this.#store.read();
    const tokens = found === null ? null : await this.#readAndDecryptTokens(found.asked);
    if (found === null || tokens === null) return err(makeConsentNeededFault('the consent was withdrawn'));
    const { state, problem } = found.standing;
    if (state === 'lost') return err(makeConsentNeededFault(problem ?? 'it was lost'));
    return tokens.accessToken !== spent && tokens.untilMs > Date.now() ? ok(accessTokenOfTokens(tokens)) : null;
  }

  async #renew(spent: string | null): Promise<Result<AccessToken, TokenFault>> {
    // Another caller may have renewed it since this one looked.
    const present = await this.#readToken(spent);
    if (present !== null) return present;
    const found = this.#store.read();
    const tokens = found === null ? null : await this.#readAndDecryptTokens(found.asked);
    if (found === null || tokens === null) return err(makeConsentNeededFault('the consent was withdrawn'));
    const { asked } = found;
    if (tokens.refreshToken === null)
      return err(makeConsentNeededFault(`the authorization server ${asked.issuer} gave nothing to renew it with`));
    try {
      const renewed = await renewTokens(await this.#decryptSecretsAndMakeFetch(found), tokens.refreshToken);
      await this.#encryptAndStoreTokens(asked, renewed);
      return ok(accessTokenOfTokens(renewed));
    } catch (error) {
      const { isForGood, ...fault } = makeTokenFaultOrRethrow(error);
      if (!isForGood) return err(fault);
      const { standing } = this.#store.read() ?? found;
      this.#store.writeStanding({ ...standing, state: 'lost', problem: fault.detail });
      return err(makeConsentNeededFault(fault.detail));
    }
  }

  /** Keeps the consent for attempts under way while another one replaces it; then it is withdrawn. */
  async withdrawLater(): Promise<void> {
    if (this.#store.read() !== null) await this.#storage.setAlarm(Date.now() + unusedMs);
  }

  /** Forgets the consent, and revokes its tokens where the authorization server offers that. Idempotent. */
  async withdraw(): Promise<void> {
    await this.#renewing;
    const found = this.#store.read();
    const tokens = found === null ? null : await this.#readAndDecryptTokens(found.asked);
    const open = found === null ? null : await this.#decryptSecretsAndMakeFetch(found);
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
    if (open === null || tokens === null) return;
    try {
      await revokeTokens(open, tokens);
    } catch (error) {
      // Nobody has the tokens any more, and they run out. The owner of the deployment may want to know.
      const reason = error instanceof Error ? error.name : 'unknown';
      console.error(JSON.stringify({ event: 'not-revoked', issuer: open.asked.issuer, reason }));
    }
  }

  /** Removes what nobody uses. */
  override async alarm(): Promise<void> {
    await this.withdraw();
  }

  /** Stores tokens; the alarm of one that nobody uses stays. */
  async #encryptAndStoreTokens(asked: AskedConsent, tokens: GrantedTokens): Promise<void> {
    const { ENCRYPTION_KEY: key } = settingsSchema.parse(this.env);
    const sealed = await encryptSecret(key, JSON.stringify(tokens), consentEncryptionContext(asked));
    if (!sealed.ok) throw new Error('the encryption key is not usable');
    const found = this.#store.read();
    // It may have been withdrawn in the meantime.
    if (found === null) return;
    const until = tokens.refreshToken === null ? new Date(tokens.untilMs).toISOString() : null;
    this.#store.writeTokens(sealed.value, { ...found.standing, state: 'given', problem: null, until });
  }

  #recordFailedConsent(problem: string): string {
    const found = this.#store.read();
    if (found !== null) this.#store.writeStanding({ ...found.standing, state: 'failed', problem });
    return problem;
  }

  async #readAndDecryptTokens(asked: AskedConsent): Promise<GrantedTokens | null> {
    const sealed = this.#store.readTokens();
    return sealed === null ? null : grantedTokens.parse(JSON.parse(await this.#decrypt(sealed, asked)));
  }

  async #decryptSecretsAndMakeFetch({ asked, secrets }: StoredConsent): Promise<{
    readonly asked: AskedConsent;
    readonly secrets: ConsentSecrets;
    readonly fetch: FetchLike;
  }> {
    const { ALLOW_LOCAL_SERVERS: allowLocal } = settingsSchema.parse(this.env);
    return {
      asked,
      secrets: consentSecrets.parse(JSON.parse(await this.#decrypt(secrets, asked))),
      fetch: makeGuardedFetch({ admission: new Admission(), allowLocal, maxBytes: maxAnswerBytes }),
    };
  }

  #decrypt(envelope: string, asked: AskedConsent): Promise<string> {
    return decryptStoredSecretOrThrow(settingsSchema.parse(this.env), envelope, consentEncryptionContext(asked));
  }
}

const tooLate = 'the time for this consent is over; ask for another one';

const accessTokenOfTokens = ({ accessToken, untilMs }: GrantedTokens): AccessToken => ({ value: accessToken, untilMs });

const makeConsentNeededFault = (why: string): TokenFault => ({
  code: 'http-status',
  status: 401,
  detail: `somebody has to consent again (\`servers consent\`): ${why}`,
});

/** Says what a failure means; rethrows what is a defect of ours. */
function makeTokenFaultOrRethrow(error: unknown): TokenFault & { readonly isForGood: boolean } {
  const refused = findOAuthRefusal(error);
  if (refused !== undefined) {
    const { code, message: detail, status = null, isForGood } = refused;
    return { code, detail, status, isForGood };
  }
  const guard = findGuardError(error);
  if (guard?.code !== 'address-forbidden') throw error;
  return { code: guard.code, detail: guard.message, status: null, isForGood: false };
}
