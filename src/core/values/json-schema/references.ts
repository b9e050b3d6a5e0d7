import { isJsonObject, type JsonObject } from './json-object.ts';
import type { Steps } from './steps.ts';
import { generateSubschemas } from './subschemas.ts';

/** Base address of schemas without their own; nobody owns `.invalid`. */
const nowhere = 'https://schema.invalid/';
const maxAddressChars = 2_000;
/** Step cost of reading an address. */
const addressSteps = 20;

/** Resolves the references of a schema. It never fetches anything outside the schema. */
export class References {
  /** Schemas that begin their own document, and those with an anchor, by address. */
  readonly #named = new Map<string, JsonObject>();
  /** The base addresses of references. */
  readonly #bases = new Map<JsonObject, string>();
  /** Resolved references so far. */
  readonly #resolved = new Map<JsonObject, unknown>();
  readonly #root: JsonObject;
  readonly #steps: Steps;
  #learned: boolean | undefined;

  constructor(root: JsonObject, steps: Steps) {
    this.#root = root;
    this.#steps = steps;
  }

  /** Returns the target of a schema's `$ref`; undefined if there is none. */
  resolveReference(from: JsonObject): unknown {
    if (this.#resolved.has(from)) return this.#resolved.get(from);
    this.#learned ??= this.#indexSchemasWithinSteps();
    const { $ref } = from;
    const found = this.#learned && typeof $ref === 'string' ? this.#findTarget($ref, from) : undefined;
    this.#resolved.set(from, found);
    return found;
  }

  /** Returns a reference without a target; undefined if all have one, null if the steps are used up. */
  findBrokenReference(): string | null | undefined {
    this.#learned ??= this.#indexSchemasWithinSteps();
    for (const schema of this.#bases.keys()) {
      const { $ref } = schema;
      if (typeof $ref === 'string' && this.resolveReference(schema) === undefined)
        return this.#steps.tryTake(0) ? $ref : null;
    }
    return this.#learned ? undefined : null;
  }

  #findTarget(reference: string, from: JsonObject): unknown {
    if (!this.#steps.tryTake(addressSteps)) return undefined;
    const address = resolveAddress(reference, this.#bases.get(from) ?? nowhere);
    if (address === undefined) return undefined;
    const [document = '', fragment = ''] = address.split('#', 2);
    if (fragment !== '' && !fragment.startsWith('/')) return this.#named.get(address);
    const start = this.#named.get(document);
    return start === undefined ? undefined : this.#resolvePointer(start, fragment);
  }

  #resolvePointer(start: JsonObject, pointer: string): unknown {
    let found: unknown = start;
    let base = this.#bases.get(start) ?? nowhere;
    for (const part of pointer.split('/').slice(1)) {
      const key = decodePointerPart(part);
      if (key === undefined || typeof found !== 'object' || found === null || !Object.hasOwn(found, key))
        return undefined;
      found = Array.isArray(found) ? found[Number(key)] : isJsonObject(found) ? found[key] : undefined;
      if (isJsonObject(found)) base = this.#bases.get(found) ?? base;
    }
    // A pointer may lead past the keywords that contain schemas.
    if (isJsonObject(found) && !this.#bases.has(found)) this.#bases.set(found, base);
    return found;
  }

  /** Visits every part; false if the steps are used up. */
  #indexSchemasWithinSteps(): boolean {
    const open: [schema: JsonObject, base: string][] = [[this.#root, nowhere]];
    this.#named.set(nowhere, this.#root);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [schema, around] = next;
      if (!this.#steps.tryTake()) return false;
      const base = this.#registerAndFindBase(schema, around);
      this.#bases.set(schema, base);
      for (const anchor of [schema['$anchor'], schema['$dynamicAnchor']])
        if (typeof anchor === 'string') this.#named.set(resolveAddress(`#${anchor}`, base) ?? base, schema);
      for (const [, inner] of generateSubschemas(schema, '')) if (isJsonObject(inner)) open.push([inner, base]);
    }
    return true;
  }

  #registerAndFindBase(schema: JsonObject, around: string): string {
    // Draft 4 calls it `id`, but so do schemas that describe an id.
    const { $id, id } = schema;
    const own = typeof $id === 'string' ? $id : typeof id === 'string' ? id : undefined;
    const readable = own !== undefined && this.#steps.tryTake(addressSteps);
    const address = readable ? resolveAddress(own, around) : undefined;
    if (address === undefined) return around;
    const [document = '', anchor = ''] = address.split('#', 2);
    // Drafts up to 7 write an anchor as an id.
    this.#named.set(anchor === '' ? document : address, schema);
    return document;
  }
}

function resolveAddress(reference: string, base: string): string | undefined {
  return reference.length <= maxAddressChars && URL.canParse(reference, base)
    ? new URL(reference, base).href
    : undefined;
}

/** Decodes a part of a JSON pointer in a URL's fragment; undefined if its escapes are invalid. */
function decodePointerPart(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
