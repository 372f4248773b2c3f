/** Health of this process, for load balancers and supervisors. It belongs to no organization, so any `Host` gets it. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { queryOf } from './bodies/bodies.ts';

/** The result of one check. `reason` has fixed words of ours: anybody can read it. */
export type CheckResult = { readonly status: 'ok' } | { readonly status: 'failed'; readonly reason: string };

/** Says whether this process can serve. */
export interface ReadinessReporter {
  /** The results by the names of the checks. It resolves in bounded time, and many requests share one run of the checks. */
  report(): Promise<Readonly<Record<string, CheckResult>>>;
}

/**
 * Serves `GET /health/live` and `GET /health/ready`. Without limits, because a probe must not be refused: both send some bytes from memory.
 * Live: the event loop responds. Ready: every check succeeds, except those that `without` names, separated by commas.
 */
export function serveHealth(app: FastifyInstance, readiness: ReadinessReporter): void {
  app.get('/health/live', (_, reply) => send(reply, 200, { status: 'live' }));
  app.get('/health/ready', async (request, reply) => {
    const checks = await readiness.report();
    const { without } = queryOf(request.raw.url ?? '');
    const ignored = new Set([without ?? []].flat().flatMap((names) => names.split(',')));
    const isReady = Object.entries(checks).every(([name, { status }]) => status === 'ok' || ignored.has(name));
    return send(reply, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', checks });
  });
}

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).header('content-type', 'application/json').send(JSON.stringify(body));
}
