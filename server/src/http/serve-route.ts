/** One route of the contract in the server: admit, decode, handle, answer. */
import type { Endpoint, Parameters } from '@heddle/api/contract.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Admission, admit, limitLogin } from './admission.ts';
import { AdmittedRequest } from './api-request.ts';
import { queryOf } from './bodies.ts';
import { clientName } from './client-name.ts';
import { successBody } from './envelope.ts';
import type { Limits } from './limits.ts';
import { compileParameters, type Fields } from './parameters.ts';
import { restOfPathName, routerPath } from './paths.ts';
import type { Gatekeeper, Route } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** An `Admission`, once the request was let in; its types are those of the route that let it in. */
    admission: unknown;
  }
  interface FastifyContextConfig {
    /** The endpoint that the route serves, if it is one of the contract's. */
    endpoint?: Endpoint;
  }
}

export interface ServingOptions<Organization, Caller> {
  readonly gatekeeper: Gatekeeper<Organization, Caller>;
  /** Nothing is limited without. */
  readonly limits: Limits | undefined;
  /** Bytes. */
  readonly bodyLimit: number;
}

/** What requires no credentials takes no large bodies either: bytes. */
const anonymousBodyLimit = 64 * 1024;

/** Registers the route. The server has `request.admission` decorated. */
export function serveRoute<Organization, Caller>(
  app: FastifyInstance,
  route: Route<Organization, Caller>,
  { gatekeeper, limits, bodyLimit }: ServingOptions<Organization, Caller>,
): void {
  const { endpoint } = route;
  const decode = compileParameters(endpoint);
  const restName = restOfPathName(endpoint);

  app.route({
    method: endpoint.method,
    url: routerPath(endpoint),
    bodyLimit: endpoint.authentication === 'none' ? Math.min(bodyLimit, anonymousBodyLimit) : bodyLimit,
    config: { endpoint },

    // Before the body is read: nobody fills our memory without credentials.
    onRequest: async (request, reply) => {
      request.admission = await admit(gatekeeper, limits, route, request, reply);
    },

    handler: async (request, reply) => {
      const admission = request.admission as Admission<Organization, Caller>;
      const query = queryOf(request.raw.url ?? '');
      const form = (request.body ?? undefined) as Fields | undefined;
      const { values, ignored } = decode(pathFields(request, restName), query, form);
      const client = clientName(form?.client ?? query.client, request.headers['user-agent']);
      // The decoder made them by this endpoint's schemas.
      const parameters = values as Parameters<Endpoint>;
      const admitted = new AdmittedRequest(request, reply, admission, parameters, client);
      const answer =
        route.limit === 'login'
          ? await limitLogin(limits, loginKey(admission, values), request.ip, reply, async () => route.handle(admitted))
          : await route.handle(admitted);
      return answerWith(reply, successBody(answer, ignored));
    },
  });

  function loginKey({ organization }: Admission<Organization, Caller>, values: unknown): string {
    return `${gatekeeper.organizationKey(organization)}\n${route.account(values).trim().toLowerCase().slice(0, 320)}`;
  }
}

function pathFields(request: FastifyRequest, restName: string | undefined): Fields {
  const fields = request.params as Fields;
  return restName === undefined ? fields : { ...fields, [restName]: fields['*'] };
}

function answerWith(reply: FastifyReply, body: string | Buffer): FastifyReply {
  return reply.header('content-type', 'application/json').send(body);
}
