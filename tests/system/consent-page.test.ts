import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, type Client } from '../../client/client.ts';
import { findFreePortsByName } from '../../engine/free-ports.ts';
import { startDevServer, type DevServer } from '../support/dev-server.ts';
import { findChromium } from '../support/chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-consent-'));
let server: DevServer;
let client: Client;
let browser: Browser;
let protectedUrl: string;

beforeAll(async () => {
  const ports = await findFreePortsByName(['port', 'gatewayPort', 'modelsPort']);
  server = await startDevServer(folder, ports);
  client = createClient({ url: server.url, key: server.key });
  protectedUrl = `http://127.0.0.1:${ports.gatewayPort}/customers/mcp`;
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const continueButton = { name: 'Continue to the authorization server' };

test('a page of another site that opens the page of a consent cannot send the window on, and the person in it can', async () => {
  const { consent, page: address } = await client.consents.ask({ url: protectedUrl });
  const context = await browser.newContext();
  const site = 'http://localhost:9/';
  await context.route(site, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Games</title>' }));
  const hostile = await context.newPage();
  await hostile.goto(site);
  const opening = context.waitForEvent('page');
  await hostile.evaluate(`globalThis.opened = window.open(${JSON.stringify(address)})`);
  const popup = await opening;
  await popup.getByRole('button', continueButton).waitFor();
  await hostile.evaluate(`opened.location = ${JSON.stringify(`${site}elsewhere`)}`);
  // Navigations of a window that is not the opener's any more do nothing.
  expect(await hostile.evaluate('opened.closed')).toBe(true);
  await popup.waitForTimeout(500);
  expect(popup.url()).toBe(address);

  for (const named of [protectedUrl, consent.issuer, 'Workspace\nmain'])
    expect(await popup.getByRole('main').innerText()).toContain(named);
  await popup.getByRole('button', continueButton).click();
  await popup.getByRole('button', { name: 'Allow' }).click();
  await popup.getByRole('heading', { name: 'Sextant may use the server' }).waitFor();
  expect((await client.consents.get(consent.id)).state).toBe('given');
  await context.close();
});
