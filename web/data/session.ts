import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Client } from '../../client/client.ts';

const storedAs = 'sextant-key';

/**
 * Returns the key of this tab, or null. A key behind the `#` of the address, where `npm start` puts it, or the token of a share, is taken
 * over and removed from there: it is never sent to a server as part of an address, and should not stay in the history.
 */
export function takeUrlKeyOrReadStoredKey(): string | null {
  const behind = new URLSearchParams(location.hash.slice(1));
  const given = behind.get('key') ?? behind.get('share');
  if (given !== null) {
    history.replaceState(null, '', location.pathname + location.search);
    storeKey(given);
  }
  return sessionStorage.getItem(storedAs);
}

/** Keeps a key until the tab is closed. */
export const storeKey = (key: string): void => sessionStorage.setItem(storedAs, key);

export const forgetKey = (): void => sessionStorage.removeItem(storedAs);

/** The run that a share shows to somebody who has no key; null for a person with a key. */
export const SharedRunContext = createContext<string | null>(null);

export const useSharedRun = (): string | null => useContext(SharedRunContext);

/** The API, as the person who has signed in. */
export const ClientContext = createContext<Client | null>(null);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error('nobody has signed in');
  return client;
}
