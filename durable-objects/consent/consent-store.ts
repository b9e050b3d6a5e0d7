import { z } from 'zod';
import {
  askedConsent,
  consentStanding,
  type AskedConsent,
  type ConsentStanding,
} from '#core/catalog/consent/consent.ts';

/** A consent as it is stored; what is encrypted stays so. */
export interface StoredConsent {
  readonly asked: AskedConsent;
  readonly standing: ConsentStanding;
  /** The secrets that it was asked for with, encrypted. */
  readonly secrets: string;
}

const sealed = z.string().nullable();

/** The values of a consent, each under its own key. */
export class ConsentStore {
  readonly #kv: SyncKvStorage;

  constructor({ kv }: DurableObjectStorage) {
    this.#kv = kv;
  }

  /** Null before the consent is asked for, and after it was removed. */
  read(): StoredConsent | null {
    const asked = this.#kv.get('asked');
    if (asked === undefined) return null;
    return {
      asked: askedConsent.parse(asked),
      standing: consentStanding.parse(this.#kv.get('standing')),
      secrets: z.string().parse(this.#kv.get('secrets')),
    };
  }

  create({ asked, standing, secrets }: StoredConsent): void {
    this.#kv.put('asked', asked);
    this.#kv.put('secrets', secrets);
    this.#kv.put('standing', standing);
  }

  /** Returns the tokens that were granted, encrypted; null if there are none. */
  readTokens(): string | null {
    return sealed.parse(this.#kv.get('tokens') ?? null);
  }

  /** Stores tokens and what they mean for the standing together. */
  writeTokens(tokens: string, standing: ConsentStanding): void {
    this.#kv.put('tokens', tokens);
    this.#kv.put('standing', standing);
  }

  /** Returns the tag of the browser in which a person continued last; null if nobody has. */
  readBrowser(): string | null {
    return z
      .string()
      .nullable()
      .parse(this.#kv.get('browser') ?? null);
  }

  writeBrowser(tag: string): void {
    this.#kv.put('browser', tag);
  }

  writeStanding(standing: ConsentStanding): void {
    this.#kv.put('standing', standing);
  }
}
