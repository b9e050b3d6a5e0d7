/** A person with a browser, who reads pages, follows links, keeps cookies and decides. Runs in Node and in workerd. */

/** Sends a request of the browser; it follows no redirects. */
type Send = (request: Request) => Promise<Response>;

/** A page of ours as the person sees it. */
interface SeenPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

export class Person {
  readonly #own: Send;
  readonly #outside: Send;
  readonly #cookies = new Map<string, string>();

  /** `own` reaches the deployment, `outside` all else. */
  constructor(own: Send, outside: Send = (request) => fetch(request)) {
    this.#own = own;
    this.#outside = outside;
  }

  /** Opens a page of the deployment. */
  open(url: string): Promise<SeenPage> {
    return this.#ask(url, {});
  }

  async #ask(url: string, init: RequestInit): Promise<SeenPage> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = cookie === '' ? {} : { cookie };
    const response = await this.#own(new Request(url, { ...init, headers, redirect: 'manual' }));
    for (const set of response.headers.getSetCookie()) this.#keep(set);
    return { status: response.status, headers: response.headers, html: await response.text() };
  }

  /** Returns the same browser as it is now: what it does next changes nothing in this one. */
  copy(): Person {
    const copied = new Person(this.#own, this.#outside);
    for (const [name, value] of this.#cookies) copied.#cookies.set(name, value);
    return copied;
  }

  #keep(set: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }

  /** Clicks on the button of a page of a consent. */
  click(page: string, html: string): Promise<SeenPage> {
    const [, action = '', token = ''] =
      /<form method="post" action="([^"]+)">\s*<input type="hidden" name="token" value="([^"]+)"/.exec(html) ?? [];
    if (action === '') throw new Error(`the page has no form: ${html}`);
    return this.#ask(new URL(action.replaceAll('&amp;', '&'), page).href, {
      method: 'POST',
      body: new URLSearchParams({ token }),
    });
  }

  /** Opens the page of a consent, continues, and returns where the browser is sent. */
  async proceed(page: string): Promise<string> {
    const { status, headers, html } = await this.click(page, (await this.open(page)).html);
    const location = headers.get('location');
    if (location === null) throw new Error(`the page leads nowhere (${status}): ${html}`);
    return location;
  }

  /** Opens the page of a consent, continues, decides, and returns where the authorization server sends the browser. */
  async decide(page: string, decision: 'allow' | 'deny' = 'allow'): Promise<string> {
    return this.answer(await this.proceed(page), decision);
  }

  /** Decides on the page of an authorization server. */
  async answer(authorizationUrl: string, decision: 'allow' | 'deny' = 'allow'): Promise<string> {
    const asked = await this.#outside(new Request(authorizationUrl, { redirect: 'manual' }));
    const direct = asked.headers.get('location');
    if (direct !== null) return direct;
    const html = await asked.text();
    const [, request = ''] = /name="request" value="([^"]+)"/.exec(html) ?? [];
    if (request === '') throw new Error(`the authorization server asks nothing: ${html}`);
    const body = new URLSearchParams({ request, decision });
    const decided = await this.#outside(
      new Request(new URL('decide', authorizationUrl), { method: 'POST', body, redirect: 'manual' }),
    );
    return decided.headers.get('location') ?? '';
  }

  /** Consents, and returns the page that the browser ends at. */
  async consent(page: string): Promise<SeenPage> {
    return this.open(await this.decide(page));
  }
}
