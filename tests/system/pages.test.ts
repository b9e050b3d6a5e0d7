import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { offeringSentence } from '../../client/display/offering-lines.ts';
import { createClient, type Client } from '../../client/client.ts';
import { evaluationReportHtml } from '../../client/report/evaluation-report.ts';
import { readReportedEvaluation } from '../../client/report/read-evaluation.ts';
import { findFreePortsByName } from '../../engine/free-ports.ts';
import { startDevServer, type DevServer } from '../support/dev-server.ts';
import { findChromium } from '../support/chromium.ts';
import { startChangingServer, type ChangingServer } from '../support/changing-server.ts';
import { answerForLargeRun, largeRunPath } from '../support/large-run.ts';
import { makeShownPages, type ShownPages } from '../support/shown-pages.ts';

/** Where the pages are drawn for `docs/`, if this is set. */
const screenshots = process.env['SEXTANT_SCREENSHOTS'];
const folder = mkdtempSync(join(tmpdir(), 'sextant-pages-'));
let server: DevServer;
let client: Client;
let browser: Browser;
let orders: ChangingServer;
let shown: ShownPages;

beforeAll(async () => {
  const ports = await findFreePortsByName(['port', 'gatewayPort', 'modelsPort']);
  server = await startDevServer(folder, ports);
  client = createClient({ url: server.url, key: server.key });
  orders = await startChangingServer();
  shown = await makeShownPages(client, ports.gatewayPort, orders);
  await writeReports();
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await orders?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Files that stand alone, as the command line writes them. */
const reports = { check: join(folder, 'check.html'), report: join(folder, 'report.html') };

async function writeReports(): Promise<void> {
  const example = join(import.meta.dirname, '../../docs/examples/faulty.json');
  const cli = join(import.meta.dirname, '../../client/cli.ts');
  await promisify(execFile)(process.execPath, [cli, 'check', example, '--html', reports.check]);
  const reported = await readReportedEvaluation(client, shown.evaluation);
  writeFileSync(reports.report, await evaluationReportHtml(reported));
}

interface Looks {
  readonly width?: number;
  readonly dark?: boolean;
  readonly signedIn?: boolean;
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Opens a page as somebody who has signed in. An error that it logs fails the test that closes it. */
async function open(path: string, { width = 1100, dark = false, signedIn = true, prepare }: Looks = {}) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  page.on('pageerror', (error) => errors.push(error.message));
  await prepare?.(page);
  await page.goto(path.startsWith('file:') ? path : `${server.url}${path}${signedIn ? `#key=${server.key}` : ''}`);
  return {
    page,
    async [Symbol.asyncDispose]() {
      await context.close();
      expect(errors).toEqual([]);
    },
  };
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });

const violations = z.array(
  z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.object({ html: z.string() })) }),
);
const axe = readFileSync(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8');

/** What is wrong with a page for people with disabilities, as far as a program can tell, if it is serious. */
async function seriousBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = violations.parse(await page.evaluate('axe.run().then((result) => result.violations)'));
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

test('a person signs in with a key, which is refused if it is wrong, and stays in the tab', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.url);
  await heading(page, 'Sign in').waitFor();
  await page.getByLabel('Your key').fill('sxt_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('key').waitFor();
  await page.getByLabel('Your key').fill(server.key);
  await page.keyboard.press('Enter');
  await heading(page, 'Runs').waitFor();
  await page.reload();
  await heading(page, 'Runs').waitFor();
  expect(page.url()).not.toContain(server.key);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'Sign in').waitFor();
  await context.close();
});

test('a key behind the # of an address signs in and leaves the address', async () => {
  await using opened = await open('/');
  await heading(opened.page, 'Runs').waitFor();
  expect(opened.page.url()).toBe(`${server.url}/`);
  await opened.page.getByRole('link', { name: 'charted' }).click();
  await heading(opened.page, /charted/).waitFor();
});

test('a link shows one run to somebody without a key, and offers nothing that needs one', async () => {
  const { token } = await client.shares.create({ run: shown.exploration });
  await using opened = await open(`/explorations/${shown.exploration}#share=${token}`, { signedIn: false });
  const { page } = opened;
  await heading(page, /charted/).waitFor();
  expect(page.url()).toBe(`${server.url}/explorations/${shown.exploration}`);
  const unit = page.getByRole('link', { name: /^r\d{4}-u\d{2}$/ }).first();
  await unit.waitFor();
  expect(await page.getByRole('link', { name: /Reviews/ }).count()).toBe(0);
  await unit.click();
  await page.getByRole('link', { name: 'Exploration', exact: true }).click();
  await page.getByRole('link', { name: 'What it says about each tool' }).click();
  await heading(page, 'Tools').waitFor();
  await page.getByRole('link', { name: 'Sextant', exact: true }).click();
  await heading(page, 'A shared run').waitFor();
  await page.getByRole('link', { name: shown.exploration }).click();
  await heading(page, /charted/).waitFor();
});

test('a link shows an evaluation and its cases', async () => {
  const { token } = await client.shares.create({ run: shown.evaluation, days: 1 });
  await using opened = await open(`/evaluations/${shown.evaluation}#share=${token}`, { signedIn: false });
  const { page } = opened;
  await heading(page, /measured/).waitFor();
  await page.goto(`${server.url}/evaluations/${shown.evaluation}/cases/${encodeURIComponent(shown.shownCase)}`);
  await page.getByRole('link', { name: 'Evaluation', exact: true }).waitFor();
});

test('the page of a run makes a link to it, which somebody without a key can open until all links are ended', async () => {
  for (const [path, title] of [
    [`/explorations/${shown.exploration}`, /charted/],
    [`/evaluations/${shown.evaluation}`, /measured/],
  ] as const) {
    await using opened = await open(path);
    await opened.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
    await opened.page.getByRole('button', { name: 'Share' }).click();
    await opened.page.getByRole('status').getByText('Copied').waitFor();
    const copied = z.string().parse(await opened.page.evaluate('navigator.clipboard.readText()'));
    expect(copied.startsWith(`${server.url}${path}?card=sxc_`)).toBe(true);
    expect(new URL(copied).hash).toMatch(/^#share=sxs_/);
    expect(await opened.page.getByRole('link', { name: 'the link to this run' }).getAttribute('href')).toBe(copied);
    expect(await seriousBarriers(opened.page)).toEqual([]);
    await using shown = await open(copied.slice(server.url.length), { signedIn: false });
    await heading(shown.page, title).waitFor();
    expect(await shown.page.getByRole('button', { name: 'Share' }).count()).toBe(0);
    await opened.page.getByRole('button', { name: 'End all links' }).click();
    await opened.page.getByRole('status').getByText('No link that was made before shows this run.').waitFor();
    await expectRefusedLink(copied, 'the link was revoked; ask for a new one');
  }
});

/** Opens a link in a browser of its own, where the refusal's entry in the console is no failure. */
async function expectRefusedLink(url: string, reason: string): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.getByText(reason).first().waitFor();
  await context.close();
}

test('a link that is cut says so', async () => {
  const { url } = await client.shares.create({ run: shown.evaluation });
  await expectRefusedLink(url.slice(0, -1), 'the link was not made here, or is not whole');
});

test('a running exploration is followed without a reload until it has ended', async () => {
  const run = await client.explorations.create({
    catalog: shown.catalog,
    name: 'live',
    seed: 7,
    budget: { rounds: 5 },
  });
  await using opened = await open(`/explorations/${run.id}`);
  const { page } = opened;
  await heading(page, /live running/).waitFor();
  await page.getByText('round.committed').first().waitFor();
  await page
    .getByRole('table', { name: /units$/ })
    .getByText('accepted')
    .first()
    .waitFor();
  await heading(page, /live completed/).waitFor({ timeout: 120_000 });
  await page.getByText('of 5', { exact: true }).waitFor();
  const found = (await client.explorations.get(run.id)).transitions;
  await page.getByRole('table', { name: `${found} of ${found} transitions` }).waitFor();
});

test('a run is paused, resumed and cancelled on its page', async () => {
  const run = await client.explorations.create({ catalog: shown.catalog, seed: 8, budget: { rounds: 200 } });
  await using opened = await open(`/explorations/${run.id}`);
  const { page } = opened;
  await page.getByRole('button', { name: 'pause' }).click();
  await heading(page, /paused/).waitFor();
  await page.getByRole('button', { name: 'resume' }).click();
  await heading(page, /running/).waitFor();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'cancel' }).click();
  await heading(page, /cancelled/).waitFor();
  expect((await client.explorations.get(run.id)).status).toBe('cancelled');
});

/** Presses a button that saves a file, and returns the file. */
async function download(page: Page, button: string): Promise<{ readonly name: string; readonly text: string }> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).press('Enter'),
  ]);
  return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), 'utf8') };
}

test('the charts and their figures are saved as files, also from a link without a key', async () => {
  const { token } = await client.shares.create({ run: shown.exploration });
  await using opened = await open(`/explorations/${shown.exploration}#share=${token}`, { signedIn: false });
  const { page } = opened;
  await page.getByRole('table', { name: /transitions:/ }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Compare with' }).count()).toBe(0);
  const transitions = await download(page, 'Download the transitions as CSV');
  const found = await Array.fromAsync(client.explorations.transitions(shown.exploration));
  expect(transitions.name).toBe(`${shown.exploration}-transitions.csv`);
  expect(transitions.text).toMatch(/^from,to,executed,expected,value passed\r\n/);
  expect(transitions.text.trimEnd().split('\r\n')).toHaveLength(found.length + 1);
  const readings = await download(page, 'Download the readings by round as CSV');
  expect(readings.text.split('\r\n').map((line) => line.split(',')[0])).toEqual(['round', ...'123456', '']);
  for (const [button, curves] of [
    ['Download the tool space as SVG', 1],
    ['Download probe coverage as SVG', 2],
    // The run has too few probes for an estimate, of which nothing is drawn then.
    ['Download transitions as SVG', 2],
  ] as const) {
    const { name, text } = await download(page, button);
    expect(name).toMatch(/\.svg$/);
    const read: unknown = await page.evaluate(`(() => {
      const { documentElement } = new DOMParser().parseFromString(${JSON.stringify(text)}, 'image/svg+xml');
      const paths = [...documentElement.querySelectorAll('path')];
      return [documentElement.tagName, paths.length, paths.every((path) => /^(none|rgb|#)/.test(path.getAttribute('stroke') ?? ''))];
    })()`);
    const [root, paths, areStyled] = z.tuple([z.string(), z.number(), z.boolean()]).parse(read);
    expect([root, areStyled], button).toEqual(['svg', true]);
    expect(paths, button).toBeGreaterThanOrEqual(curves);
  }
});

test('a tool is opened with the keyboard or a click, and narrows both lists until it is closed', async () => {
  await using opened = await open(`/explorations/${shown.exploration}`);
  const { page } = opened;
  const [all, found] = await Promise.all([
    Array.fromAsync(client.explorations.units(shown.exploration)),
    Array.fromAsync(client.explorations.transitions(shown.exploration)),
  ]);
  await page.getByRole('table', { name: `${all.length} of ${all.length} units` }).waitFor();
  await page.getByRole('table', { name: `${found.length} of ${found.length} transitions` }).waitFor();
  const chart = page.getByRole('application', { name: /^\d+ tools and/ });
  await chart.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'The open tool' });
  const tool = (await panel.getByRole('heading').textContent()) ?? '';
  expect(new URL(page.url()).searchParams.get('tool')).toBe(tool);
  const ofTool = all.filter(({ chain }) => chain.includes(tool)).length;
  const from = found.filter((each) => each.from === tool || each.to === tool).length;
  await page.getByRole('table', { name: `${from} of ${found.length} transitions` }).waitFor();
  await panel.getByRole('link', { name: `${ofTool} unit` }).click();
  await page.getByRole('table', { name: `${ofTool} of ${all.length} units` }).waitFor();
  await panel.getByRole('button', { name: 'Show all tools again' }).click();
  await page.getByRole('table', { name: `${all.length} of ${all.length} units` }).waitFor();
  const box = await chart.boundingBox();
  if (box === null) throw new Error('the chart is not drawn');
  // The first tool lies just right of the top of the circle, which is 90 pixels from the edge.
  await chart.click({ position: { x: box.width / 2 + 12, y: 90 } });
  await panel.getByRole('heading').waitFor();
});

test('two explorations are compared, and the address keeps which', async () => {
  await using opened = await open(`/explorations/${shown.exploration}`);
  const { page } = opened;
  await page.getByRole('combobox', { name: 'Compare with' }).selectOption({ label: 'second' });
  const legend = page.getByRole('listitem').filter({ hasText: 'second: executed' });
  await legend.waitFor();
  expect(new URL(page.url()).searchParams.get('with')).toBe(shown.secondExploration);
  await page.reload();
  await legend.waitFor();
  await page.getByRole('combobox', { name: 'Compare with' }).selectOption({ label: 'nothing' });
  await legend.waitFor({ state: 'detached' });
});

test('a unit shows both requests with every call, and what a call was given and returned', async () => {
  await using opened = await open(`/explorations/${shown.exploration}`);
  const { page } = opened;
  await page.getByRole('searchbox', { name: 'Search units' }).fill('accepted');
  await page
    .getByRole('table', { name: /units$/ })
    .getByRole('link')
    .first()
    .click();
  await heading(page, /^Unit/).waitFor();
  await page.getByRole('heading', { name: 'First request' }).waitFor();
  await page.getByRole('listitem').first().locator('summary').first().click();
  await page.getByRole('heading', { name: 'Arguments' }).first().waitFor();
  expect(await seriousBarriers(page)).toEqual([]);
});

test('a figure of an evaluation leads to its cases, and two cases of a unit stand side by side', async () => {
  await using opened = await open(`/evaluations/${shown.evaluation}`);
  const { page } = opened;
  await page
    .getByRole('row', { name: /^hasty/ })
    .first()
    .getByRole('link')
    .first()
    .click();
  await page
    .getByRole('combobox', { name: 'Agent', exact: true })
    .locator('option:checked', { hasText: 'hasty' })
    .waitFor({ state: 'attached' });
  await page
    .getByRole('table', { name: /cases?$/ })
    .getByRole('link')
    .first()
    .click();
  await heading(page, /^Case/).waitFor();
  await page.getByRole('combobox', { name: 'Compare with' }).selectOption({ label: 'steady, trial 1' });
  await page.getByRole('heading', { name: 'hasty, trial 1' }).waitFor();
  await page.getByRole('heading', { name: 'steady, trial 1' }).waitFor();
  expect(await seriousBarriers(page)).toEqual([]);
});

test('an evaluation of several agents leads to a verdict on the ways of offering tools, with what each takes', async () => {
  await using opened = await open(`/evaluations/${shown.evaluation}`);
  const { page } = opened;
  await page.getByRole('link', { name: 'How to offer these tools' }).click();
  await heading(page, 'How to offer these tools').waitFor();
  const compared = await client.evaluations.offering(shown.evaluation, 0.05);
  await page.getByText(offeringSentence(compared)).waitFor();
  const tables = page.getByRole('table');
  await tables.nth(1).waitFor();
  expect(await tables.nth(0).getByRole('rowheader').allTextContents()).toEqual(['steady', 'hasty']);
  expect(await tables.nth(1).getByRole('cell').first().textContent()).toBe('hasty');
});

test('the list of servers leads to what the latest runs say about the tools of one', async () => {
  await using opened = await open('/');
  const { page } = opened;
  await page.getByRole('link', { name: 'calc', exact: true }).click();
  await heading(page, 'Server calc').waitFor();
  const ofEvaluation = page.getByRole('region', { name: 'Its latest evaluation' });
  await ofEvaluation.getByRole('link', { name: 'measured' }).waitFor();
  const tables = page.getByRole('region', { name: 'Each tool' });
  await tables.nth(1).waitFor();
  const { tools } = await client.explorations.tools(shown.exploration);
  const own = tools.filter(({ tool }) => tool.startsWith('calc/'));
  expect(own.length).toBeGreaterThan(0);
  expect(await tables.nth(1).getByRole('rowheader').count()).toBe(own.length);
  expect(await page.getByRole('rowheader', { name: /^(?:time|memory)\// }).count()).toBe(0);
});

test('a reviewer decides with the keyboard alone', async () => {
  const [first, second] = await Array.fromAsync(client.reviews.list(shown.exploration));
  if (first === undefined || second === undefined) throw new Error('too few units wait for a decision');
  await using opened = await open(`/explorations/${shown.exploration}/reviews`);
  const { page } = opened;
  await page.getByRole('heading', { name: `Unit ${first.id}` }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: `Unit ${second.id}` }).waitFor();
  await page.keyboard.press('k');
  await page.getByRole('heading', { name: `Unit ${first.id}` }).waitFor();
  await page.keyboard.press('r');
  await page.getByLabel('Why').waitFor();
  await page.keyboard.type('It cannot be answered.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('1: 0 approved, 0 edited, 1 rejected').waitFor();
  const { unit } = await client.reviews.get(shown.exploration, first.id);
  expect(unit.decisions.map(({ verdict }) => verdict)).toEqual([
    { decision: 'reject', reason: 'It cannot be answered.' },
  ]);
});

const pages = (): readonly (readonly [name: string, path: string, heading: RegExp])[] => [
  ['home', '/', /^Runs$/],
  ['exploration', `/explorations/${shown.exploration}`, /^charted/],
  [
    'compared',
    `/explorations/${shown.exploration}?${new URLSearchParams({ with: shown.secondExploration, tool: shown.tool }).toString()}`,
    /^charted/,
  ],
  ['watched', `/servers/${shown.orders}`, /^Server orders$/],
  ['server', `/servers/${shown.calculator}`, /^Server calc$/],
  ['tools', `/explorations/${shown.exploration}/tools`, /^Tools$/],
  ['reviews', `/explorations/${shown.exploration}/reviews`, /^Reviews$/],
  ['unit', `/explorations/${shown.exploration}/units/${shown.unit}`, /^Unit/],
  ['evaluation', `/evaluations/${shown.evaluation}`, /^measured/],
  [
    'case',
    `/evaluations/${shown.evaluation}/cases/${shown.shownCase}?with=${shown.shownCase.replace('hasty', 'steady')}`,
    /^Case/,
  ],
  ['offering', `/evaluations/${shown.evaluation}/offering`, /^How to offer these tools$/],
  ['leaderboards', '/leaderboards', /^Leaderboards$/],
  ['leaderboard', `/leaderboards/${shown.leaderboard}`, /^ranked/],
  ['entry', `/leaderboards/${shown.leaderboard}/entries/${shown.entry}`, /^steady/],
  ['entry-cases', `/leaderboards/${shown.leaderboard}/entries/${shown.entry}/cases`, /^Cases of public units$/],
  ['watch', `/watches/${shown.watch}`, /^orders: turned hostile/],
  ['api', '/docs', /^Sextant API$/],
  ['check', pathToFileURL(reports.check).href, /^4 of 5 tools need work/],
  ['report', pathToFileURL(reports.report).href, /^measured$/],
];

/** Draws the upper part of a page as WebP, which is a fifth of a PNG. */
async function draw(page: Page, width: number, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const whole = z.number().parse(await page.evaluate('document.documentElement.scrollHeight'));
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 45,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height: Math.min(whole, highestPicture), scale: 1 },
  });
  writeFileSync(file, Buffer.from(data, 'base64'));
}

/** Pixels: what `docs/` shows of a page. */
const highestPicture = 1_500;

test.each([
  { width: 1280, dark: false },
  { width: 1280, dark: true },
  { width: 390, dark: false },
  { width: 390, dark: true },
])('every page fits and has no serious barrier: $width pixels, dark $dark', async (looks) => {
  for (const [name, path, title] of pages()) {
    await using opened = await open(path, looks);
    const { page } = opened;
    await heading(page, title).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await seriousBarriers(page), name).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${name} is wider`).toBe(true);
    if (screenshots !== undefined) {
      const look = `${looks.width === 390 ? '-phone' : ''}${looks.dark ? '-dark' : ''}`;
      await draw(page, looks.width, join(screenshots, `${name}${look}.webp`));
    }
  }
});

test('the page of a server shows its watch, visits it when asked, and takes it as it is now', async () => {
  await using home = await open('/');
  await home.page
    .getByRole('row', { name: /^orders/ })
    .getByText('turned hostile')
    .waitFor();
  await home.page.getByRole('link', { name: 'orders', exact: true }).click();
  const watch = home.page.getByRole('region', { name: 'Watch', exact: true });
  await watch.getByText('32, one every 24 hours').waitFor();
  expect(await watch.getByRole('deletion').first().textContent()).toContain('orders.');
  expect(await watch.getByRole('insertion').first().textContent()).toContain('[U+200B]');
  await watch.getByRole('button', { name: 'Visit now' }).click();
  await watch.getByText('33, one every 24 hours').waitFor();
  const empty = watch.getByRole('listitem').filter({ hasText: 'results are empty' });
  await empty.getByRole('button', { name: 'Accept' }).click();
  await watch.getByText('Over: 1 incident').waitFor();
  expect(await watch.getByRole('button', { name: 'Accept' }).count()).toBe(1);
  await using other = await open(`/servers/${shown.calculator}`);
  await other.page.getByText('watch add calc --webhook URL --public').waitFor();
});

/** Milliseconds from an input until the second frame after it, which shows its result: the longest of several. */
async function measureInteraction(page: Page, act: (n: number) => string): Promise<number> {
  const taken: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    const ms: unknown = await page.evaluate(`new Promise((resolve) => {
      const begun = performance.now();
      ${act(n)}
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begun)));
    })`);
    taken.push(z.number().parse(ms));
  }
  return Math.max(...taken);
}

test('10,000 units, and 500 tools with 5,000 transitions, stay usable', async () => {
  const scripts: Promise<Buffer>[] = [];
  await using opened = await open(largeRunPath, {
    async prepare(page) {
      await answerForLargeRun(page);
      page.on('response', (response) => {
        if (response.url().endsWith('.js')) scripts.push(response.body());
      });
    },
  });
  const { page } = opened;
  const all = page.getByRole('table', { name: '10000 of 10000 units' });
  await all.waitFor();
  await page.getByRole('table', { name: '5000 of 5000 transitions' }).waitFor();
  const firstPaintMs = z
    .number()
    .parse(await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`));
  const scriptBytes = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body).length, 0);
  const typingMs = await measureInteraction(
    page,
    (n) => `const field = [...document.querySelectorAll('input[type=search]')].at(-1);
      field.value = '${n % 2 === 0 ? '' : 'r0'}';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));`,
  );
  const pointingMs = await measureInteraction(
    page,
    (n) => `const chart = document.querySelector('canvas');
      const { left, top, width } = chart.getBoundingClientRect();
      const [middle, radius] = [width / 2, width / 2 - 90];
      chart.dispatchEvent(new PointerEvent('pointermove', {
        bubbles: true,
        clientX: left + middle + radius * Math.cos(${n}),
        clientY: top + middle + radius * Math.sin(${n}),
      }));`,
  );
  await page.getByText('executions of its transitions').waitFor();
  console.log(JSON.stringify({ firstPaintMs, typingMs, pointingMs, scriptBytes }));
  expect(firstPaintMs).toBeLessThan(1_500);
  expect(typingMs).toBeLessThan(100);
  expect(pointingMs).toBeLessThan(100);
  expect(scriptBytes).toBeLessThan(150 * 1024);
  await page.getByRole('heading', { name: 'Units' }).scrollIntoViewIfNeeded();
  await all.hover();
  await page.mouse.wheel(0, 200_000);
  await page.getByRole('link', { name: /^r05/ }).first().waitFor();
});

test('an address that no page has says so', async () => {
  await using opened = await open('/explorations/exp_1/nothing/here');
  await heading(opened.page, 'There is no such page').waitFor();
});
