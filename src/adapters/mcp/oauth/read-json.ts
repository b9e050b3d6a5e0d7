import { findPlatformError } from '#adapters/network/platform-errors.ts';

/** Returns the JSON of an answer; null if it has none. Rejects only with PlatformErrors. */
export async function readJsonOrNull(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (findPlatformError(error) !== undefined) throw error;
    return null;
  }
}
