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
  async open(url: string): Promise<SeenPage> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await this.#own(new Request(url, { headers: cookie === '' ? {} : { cookie } }));
    for (const set of response.headers.getSetCookie()) this.#keep(set);
    return { status: response.status, headers: response.headers, html: await response.text() };
  }

  #keep(set: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }

  /** Opens the page of a consent, continues, decides, and returns where the authorization server sends the browser. */
  async decide(page: string, decision: 'allow' | 'deny' = 'allow'): Promise<string> {
    const { html } = await this.open(page);
    const [, link = ''] = /<a href="([^"]+)" rel="noreferrer">/.exec(html) ?? [];
    if (link === '') throw new Error(`the page has no link: ${html}`);
    return this.answer(link.replaceAll('&amp;', '&'), decision);
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
