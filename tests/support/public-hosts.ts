import { inject } from 'vitest';
import { z } from 'zod';
import type { published } from './host-owner.ts';
import { unique } from './workspace.ts';

/**
 * Hosts with public names, for tests inside workerd: nothing there resolves a name, so requests to them go to this machine instead. Their
 * servers answer on the port of the address; their files, which are asked for over https, are what `publish` says.
 */
const suffix = '.public-host.example';

/** Returns the address of a server under a public name. */
export function underPublicName(url: string, host: string): string {
  const address = new URL(url);
  address.hostname = host;
  return address.href;
}

export const newPublicHost = (): string => `${unique('h')}${suffix}`;

/** Sends requests to public hosts to this machine until the returned function is called. */
export function reachPublicHosts(): () => void {
  const send = globalThis.fetch;
  const reaching: typeof fetch = (input, init) => {
    const address = typeof input === 'object' && 'url' in input ? null : URL.parse(String(input));
    if (address === null || !address.hostname.endsWith(suffix)) return send(input, init);
    const { hostname, protocol, port, pathname } = address;
    if (protocol === 'https:') return send(`${inject('world').hosts}/files/${hostname}${pathname}`, init);
    if (port === '') throw new TypeError('nothing listens there');
    address.hostname = '127.0.0.1';
    return send(address.href, init);
  };
  Object.defineProperty(globalThis, 'fetch', { value: reaching, configurable: true, writable: true });
  return () => Object.defineProperty(globalThis, 'fetch', { value: send, configurable: true, writable: true });
}

/** Says what a host publishes from now on. */
export async function publish(said: z.input<typeof published>): Promise<void> {
  const answer = await fetch(`${inject('world').hosts}/hosts`, { method: 'POST', body: JSON.stringify(said) });
  if (!answer.ok) throw new Error(await answer.text());
}

/** How often files of a host were asked for. */
export const filesAsked = async (host: string): Promise<number> =>
  z.int().parse(await (await fetch(`${inject('world').hosts}/asked/${host}`)).json());
