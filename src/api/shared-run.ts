import type { Context } from 'hono';
import { isShareToken, readSignedShare } from '#adapters/secrets/share-tokens.ts';
import type { Caller, SharedRun } from '#core/access/access.ts';
import { refuse } from '#core/values/errors.ts';
import type { Result } from '#core/values/result.ts';
import { admitShare, findCatalogIdInPathOrNull, kindOfSharedRun } from '#core/access/share/shared-run.ts';
import type { ApiEnv, Services } from './context.ts';
import { refusal, unwrap } from './problem.ts';

/** Returns the caller of a request whose key is a share's token, or why there is none. Null for any other key. */
export async function findCallerByShareOrNull(c: Context<ApiEnv>, key: string): Promise<Result<Caller> | null> {
  if (!isShareToken(key)) return null;
  const share = await readSignedShare(c.var.services.settings.ENCRYPTION_KEY, key);
  return share === null
    ? refuse('unauthorized', 'the link was not made here, or is not whole')
    : admitShare(share, c.req, Date.now());
}

/** What a run is over: its catalog, and the names of its servers, which may be private in its workspace or in that of its benchmark. */
interface SharedBasis {
  readonly catalog: string;
  readonly workspaces: readonly string[];
  readonly servers: readonly string[];
}

/** By run; what a run is over never changes. */
const knownBases = new Map<string, SharedBasis>();
const mostKnown = 1_000;

/** Refuses a link that was revoked, and what `requireSharableRun` refuses. */
export async function requireSharedRun(
  c: Context<ApiEnv>,
  workspace: string,
  { run, revocations }: SharedRun,
): Promise<void> {
  const [revoked] = await Promise.all([
    c.var.services.object('workspace', workspace).countShareRevocations(run),
    requireSharableRun(c, workspace, run),
  ]);
  if (revoked > revocations) throw refusal('unauthorized', 'the link was revoked; ask for a new one');
}

/** Refuses to share a run over a private server, at each request, because the mark may be set later; and any catalog but the run's. */
export async function requireSharableRun(c: Context<ApiEnv>, workspace: string, run: string): Promise<void> {
  const { services } = c.var;
  const basis = knownBases.get(`${workspace}/${run}`) ?? (await readCatalogAndServersOfRun(services, workspace, run));
  if (knownBases.size < mostKnown) knownBases.set(`${workspace}/${run}`, basis);
  for (const owner of basis.workspaces)
    if (await services.object('workspace', owner).isAnyServerPrivate(basis.servers))
      throw refusal('private-server', `${run} is over a private server: it is not shared`);
  const asked = findCatalogIdInPathOrNull(c.req.path);
  if (asked !== null && asked !== basis.catalog)
    throw refusal('forbidden', `the link shows ${run} and can do nothing else`);
}

async function readCatalogAndServersOfRun(services: Services, workspace: string, run: string): Promise<SharedBasis> {
  const owner = services.object('workspace', workspace);
  const kind = kindOfSharedRun(run);
  const found = await owner.findResource(kind, run);
  if (found === null) throw refusal('not-found', `there is no ${kind} ${run}`);
  if (kind === 'exploration') {
    const { config } = unwrap(await services.object('exploration', found.object).get());
    const { tools } = unwrap(await owner.readCatalogWithTools(config.catalog));
    return {
      catalog: config.catalog,
      workspaces: [workspace],
      servers: [...new Set(tools.map(({ server }) => server))],
    };
  }
  const { config, provenance } = unwrap(await services.object('evaluation', found.object).get());
  const benchmark = await services.directory.findBenchmark(config.benchmark);
  if (benchmark === null) throw refusal('not-found', `there is no benchmark ${config.benchmark}`);
  const servers = await services.object('benchmark', benchmark.object).serverNames();
  return { catalog: provenance.catalog, workspaces: [...new Set([workspace, benchmark.workspace])], servers };
}
