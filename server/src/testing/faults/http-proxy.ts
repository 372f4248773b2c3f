/** An HTTP proxy in front of a server, with which a test delays, swallows and replaces responses. Its URL stays when the server moves. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** What happens with a request. */
export type Fate =
  | 'pass'
  /** The server does not get the request, and the client gets no response. */
  | 'ignore'
  /** The connection ends before the server gets the request. */
  | 'refuse'
  /** The server executes the request, but the client gets no response. */
  | 'swallow'
  /** The server executes the request, then the connection ends without a response. */
  | 'cut'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

export interface ProxiedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
}

export interface HttpProxy {
  readonly url: string;
  /** The requests that have arrived. */
  readonly requests: readonly ProxiedRequest[];
  /** The server that gets the requests from now on. */
  target: string;
  /** Decides about each request. By default they pass. */
  decide: (request: ProxiedRequest) => Fate;
  /** Changes the body of each response that passes. */
  rewrite: (body: string, request: ProxiedRequest) => string;
  /** Ends all connections, like a network that changes. */
  cutAll(): void;
  close(): Promise<void>;
}

/** @param target the URL of the server */
export async function startHttpProxy(target: string): Promise<HttpProxy> {
  const requests: ProxiedRequest[] = [];
  const server = createServer((incoming, response) => {
    const asked = { method: incoming.method ?? '', path: incoming.url ?? '' };
    requests.push(asked);
    const fate = proxy.decide(asked);
    if (fate === 'ignore') incoming.resume();
    else if (fate === 'refuse') incoming.destroy();
    else if (typeof fate === 'object') response.writeHead(fate.status, { ...fate.headers }).end(fate.body);
    else forward(incoming, response, asked, fate);
  }).listen(0, 'localhost');

  function forward(incoming: IncomingMessage, response: ServerResponse, asked: ProxiedRequest, fate: Fate): void {
    const { hostname, port } = new URL(proxy.target);
    const { method, url: path, headers } = incoming;
    // Compressed bodies could not be rewritten.
    const plain = { ...headers, 'accept-encoding': 'identity' };
    const outgoing = request({ hostname, port, method, path, headers: plain, agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', () => response.destroy());
      answer.on('end', () => {
        if (fate === 'swallow') return;
        if (fate === 'cut') return response.destroy();
        const body = Buffer.from(proxy.rewrite(Buffer.concat(chunks).toString(), asked));
        const { 'transfer-encoding': _, ...kept } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, { ...kept, 'content-length': body.length }).end(body);
      });
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy listens on no TCP port');
  const proxy: HttpProxy = {
    url: `http://localhost:${address.port}`,
    requests,
    target,
    decide: () => 'pass',
    rewrite: (body) => body,
    cutAll: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
