import { z } from 'zod';
import {
  emptyHashChain,
  extendHashChain,
  protocolOfBenchmarkOrDefault,
  type BenchmarkHeader,
} from '#core/benchmarks/benchmark.ts';
import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { catalogLimits, computeCatalogId, makeCatalogPart, type CatalogPart } from '#core/catalog/catalog.ts';
import { tool } from '#core/catalog/tool.ts';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';

/** A stored line of a benchmark: `unit_kind` is null for a pair, and for what is no unit. */
export const contentRow = z.object({
  n: z.int(),
  kind: z.enum(['benchmark', 'tool', 'unit']),
  split: z.string(),
  unit: z.string(),
  proven: z.int(),
  unit_kind: z.string().nullable(),
  text: z.string(),
});
type ContentRow = z.infer<typeof contentRow>;

const toolLine = z.object({ tool });

/** Counts and hashes the lines of a benchmark one by one, so that they need not be read at once. */
export class ContentTally {
  readonly #parts: CatalogPart[] = [];
  #toolChars = 0;
  readonly #unitsBySplit = { public: 0, private: 0 };
  readonly #ids = new Set<string>();
  readonly #kinds = new Set<string>();
  #unproven = 0;
  #hash = emptyHashChain;

  /** The chained hash of all lines. */
  get hash(): string {
    return this.#hash;
  }

  get units(): { readonly public: number; readonly private: number } {
    return this.#unitsBySplit;
  }

  async add({ kind, split, unit, proven, unit_kind: unitKind, text }: ContentRow): Promise<void> {
    this.#hash = await extendHashChain(this.#hash, text);
    if (kind === 'tool') {
      this.#toolChars += text.length;
      this.#parts.push(makeCatalogPart(toolLine.parse(JSON.parse(text)).tool));
    }
    if (kind !== 'unit') return;
    this.#unitsBySplit[split === 'private' ? 'private' : 'public'] += 1;
    this.#ids.add(unit);
    this.#kinds.add(unitKind ?? 'pair');
    if (proven === 0) this.#unproven += 1;
  }

  /** Refuses lines that are not what their header promises. */
  async refuseUnlessAsPromised(header: BenchmarkHeader): Promise<Result<null>> {
    const [tools, units] = [this.#parts.length, this.#unitsBySplit.public + this.#unitsBySplit.private];
    if (tools > catalogLimits.tools)
      return refuse('too-many-tools', `the file has ${tools} tools; a catalog holds at most ${catalogLimits.tools}`);
    if (this.#toolChars > catalogLimits.bytes)
      return refuse('tools-too-large', `the tools of a catalog may have ${catalogLimits.bytes} bytes together`);
    if (tools !== header.tools || units !== header.units)
      return mismatch(
        `the header promises ${header.tools} tools and ${header.units} units; the file has ${tools} and ${units}`,
      );
    if (header.unproven !== undefined && header.unproven !== this.#unproven)
      return mismatch(`the header promises ${header.unproven} unproven units; the file has ${this.#unproven}`);
    const { unitKind } = getProtocol(protocolOfBenchmarkOrDefault(header));
    if ([...this.#kinds].some((kind) => kind !== unitKind))
      return mismatch(`the header promises units of the kind ${unitKind}; the file has others`);
    if (this.#ids.size !== units) return mismatch('a unit stands in the file twice');
    return (await computeCatalogId(this.#parts)) === header.catalog
      ? ok(null)
      : mismatch(`the tools are not those of the catalog ${header.catalog}`);
  }
}

const mismatch = (detail: string) => refuse('content-mismatch', detail);
