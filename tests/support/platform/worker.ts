import * as sextant from '../../../src/index.ts';
import { watchPlatform } from './install.ts';
import { newInvocation, within } from './invocation.ts';
import { resetPath, seen, seenPath } from './ledger.ts';
import { resetAt } from './resets.ts';

export * from '../../../src/index.ts';

/** Sextant under the platform's rules, with two extra endpoints: the record, and the reset of an object. */
const { default: worker } = sextant;
watchPlatform(sextant);

export default {
  fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === seenPath) return Response.json(seen());
    if (pathname === resetPath) {
      resetAt(searchParams.get('at') ?? '');
      return new Response();
    }
    return within(newInvocation('Worker.fetch'), () => worker.fetch(request, env, context));
  },

  scheduled(controller, env) {
    return within(newInvocation('Worker.scheduled'), () => worker.scheduled(controller, env));
  },
} satisfies ExportedHandler<Parameters<typeof worker.fetch>[1]>;
