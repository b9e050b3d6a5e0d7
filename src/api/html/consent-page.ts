import { html } from 'hono/html';
import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import type { AskedConsent, ConsentRecord } from '#core/catalog/consent/consent.ts';
import type { Html } from './page-frame.ts';

/** A text from outside, as it is. */
const outsideTextHtml = (text: string): Html => html`<bdi>${showHiddenCharacters(text)}</bdi>`;

const consentFactsHtml = ({ url, issuer, scope }: Pick<AskedConsent, 'url' | 'issuer' | 'scope'>): Html =>
  html`<dt>Server</dt>
    <dd>${outsideTextHtml(url)}</dd>
    <dt>Authorization server</dt>
    <dd>${outsideTextHtml(issuer)}</dd>
    <dt>Scope</dt>
    <dd>${scope === null ? 'its usual one' : outsideTextHtml(scope)}</dd>`;

/** The form of a page of a consent, as loaded once. */
interface ConsentForm {
  /** Where it is sent to. */
  readonly action: string;
  readonly token: string;
  /** Why an earlier one did not count; null if there was none. */
  readonly problem: string | null;
}

/** What a person reads before they are sent to the authorization server. */
export const consentQuestionHtml = (asked: AskedConsent, { action, token, problem }: ConsentForm): Html =>
  html`<h1>May Sextant use this server as you?</h1>
    ${problem === null ? '' : html`<p class="note">You have not continued: ${problem}. Continue from here.</p>`}
    <p>
      Somebody with a key of the workspace below asks for that. Its runs, and the agents that are evaluated in them,
      would then call the server with your rights, until you withdraw your consent at the authorization server or the
      server is removed from the workspace.
    </p>
    <dl class="facts">
      ${consentFactsHtml(asked)}
      <dt>Workspace</dt>
      <dd><code>${asked.workspace}</code></dd>
      <dt>To be answered until</dt>
      <dd>${asked.expiresAt}</dd>
    </dl>
    <p class="note">
      Continue only if you asked for this yourself. If somebody sent you this address, they would get the access.
    </p>
    <form method="post" action="${action}">
      <input type="hidden" name="token" value="${token}" />
      <button>Continue to the authorization server</button>
    </form>
    <p class="faint">To refuse, close this page.</p>`;

/** What a person reads when they have consented. */
export const consentGivenHtml = (given: ConsentRecord): Html =>
  html`<h1>Sextant may use the server</h1>
    <p>You may close this page: the workspace that asked continues by itself.</p>
    <dl class="facts">${consentFactsHtml(given)}</dl>`;

/** What a person reads when there is no consent. */
export const consentFailedHtml = (problem: string): Html =>
  html`<h1>Sextant got no access</h1>
    <p>${outsideTextHtml(problem)}</p>
    <p>You may close this page. To try again, ask for another consent.</p>`;
