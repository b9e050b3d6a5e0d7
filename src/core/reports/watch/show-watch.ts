import { badgeSvg } from '#core/values/badge-svg.ts';
import { nameHiddenCharacters } from '#core/values/hidden-characters.ts';
import { escapeXml } from '#core/values/xml.ts';
import type { Incident } from './incident.ts';
import type { WatchRecord } from './record.ts';

const fills: Readonly<Record<WatchRecord['status'], string>> = {
  learning: '#5b6470',
  steady: '#1f6f54',
  changed: '#9a5b00',
  unreached: '#a3262a',
};

/** Returns in a few words how a watch stands, with the day of the last visit. */
export function watchVerdict({ status, open, lastVisitAt, paused }: WatchRecord): string {
  const day = lastVisitAt === null ? 'not visited yet' : lastVisitAt.slice(0, 10);
  if (paused) return `paused, ${day}`;
  const breaks = isHostile({ open }) ? 'turned hostile' : 'changed';
  const said = { learning: 'being learnt', steady: 'steady', changed: breaks, unreached: 'not reached' }[status];
  return `${said}, ${day}`;
}

const isHostile = ({ open }: Pick<WatchRecord, 'open'>): boolean => open.some(({ class: name }) => name === 'hostile');

const fillOf = (watch: WatchRecord): string =>
  watch.paused ? fills.learning : isHostile(watch) ? fills.unreached : fills[watch.status];

/** Draws the badge of a watch: its server, its verdict and the day, as an SVG. */
export const watchBadgeSvg = (watch: WatchRecord): string =>
  badgeSvg([
    { text: 'Sextant', fill: '#24344d' },
    { text: watch.server.name, fill: '#3d5578' },
    { text: watchVerdict(watch), fill: fillOf(watch) },
  ]);

const visible = (text: string): string => escapeXml(nameHiddenCharacters(text));

/** Returns the incidents of a watch as an Atom feed (RFC 4287), the latest first. `address`: where the watch's page is. */
export function watchFeed(watch: WatchRecord, incidents: readonly Incident[], address: string): string {
  const updated = incidents[0]?.overAt ?? incidents[0]?.foundAt ?? watch.createdAt;
  const entries = incidents.map(
    ({ number, what, since, foundAt, overAt, changes }) =>
      `<entry><id>${escapeXml(`${address}#incident-${number}`)}</id><title>${visible(overAt === null ? what : `Over: ${what}`)}</title>` +
      `<link href="${escapeXml(`${address}#incident-${number}`)}"/><updated>${escapeXml(overAt ?? foundAt)}</updated>` +
      `<content type="text">${visible([`Since ${since}.`, ...changes.map((change) => `${change.class}: ${change.tool ?? 'server'}: ${change.what}`)].join('\n'))}</content></entry>`,
  );
  return [
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escapeXml(address)}</id><title>${visible(`Sextant watches ${watch.server.name}`)}</title><author><name>Sextant</name></author>`,
    `<link href="${escapeXml(address)}"/><link rel="self" href="${escapeXml(`${address}/feed.atom`)}"/><updated>${escapeXml(updated)}</updated>`,
    ...entries,
    '</feed>\n',
  ].join('\n');
}
