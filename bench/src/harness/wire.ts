import { type Address, HttpConnection } from './http-connection.ts';

export interface Login {
  readonly email: string;
  readonly apiKey: string;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path without `/api/v1`. */
  readonly path: string;
  readonly login?: Login;
  /** Of the organization. The default is the one at the root domain. */
  readonly subdomain?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** The value of `Accept-Encoding`. Without it the request has no such header. */
  readonly acceptEncoding?: string;
}

/** The bytes of a request with Basic credentials and URL-encoded parameters, as clients send it. Only ASCII. */
export function requestBytes(address: Address, call: Call): string {
  const encoded = new URLSearchParams(call.parameters ?? {}).toString();
  const inQuery = call.method === 'GET' && encoded !== '';
  const lines = [
    `${call.method} /api/v1${call.path}${inQuery ? `?${encoded}` : ''} HTTP/1.1`,
    `Host: ${call.subdomain === undefined ? address.host : `${call.subdomain}.localhost`}:${address.port}`,
    'User-Agent: HeddleBench/1.0',
  ];
  if (call.login !== undefined) {
    lines.push(`Authorization: Basic ${btoa(`${call.login.email}:${call.login.apiKey}`)}`);
  }
  if (call.acceptEncoding !== undefined) lines.push(`Accept-Encoding: ${call.acceptEncoding}`);
  // Only browsers get shared pieces with zstd (server/src/http/answers/accept-encoding.ts).
  if (call.acceptEncoding === 'zstd') lines.push('Sec-Fetch-Site: same-origin');
  const body = call.method === 'GET' ? '' : encoded;
  if (call.method !== 'GET') {
    lines.push('Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** A response body. Benchmarks check only the fields that they read. */
export type Answer = Readonly<Record<string, unknown>>;

/** A call outside the measurement. Throws unless it succeeds. */
export async function call(address: Address, request: Call): Promise<Answer> {
  const [answer] = await callAll(address, [request], 1);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

/** Calls outside the measurement, `concurrency` at a time. Returns the responses in order. Throws at the first failure. */
export async function callAll(address: Address, requests: readonly Call[], concurrency: number): Promise<Answer[]> {
  const answers: Answer[] = new Array(requests.length);
  let next = 0;
  async function worker(): Promise<void> {
    const connection = new HttpConnection(address);
    try {
      for (;;) {
        const index = next++;
        const request = requests[index];
        if (request === undefined) return;
        const response = await connection.request(requestBytes(address, request));
        answers[index] = successful(`${request.method} ${request.path}`, response.status, response.body);
      }
    } finally {
      connection.close();
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, requests.length) }, worker));
  return answers;
}

/** The parsed response of a successful call. Throws an error with the response otherwise. */
export function successful(what: string, status: number, body: Buffer): Answer {
  const text = body.toString();
  if (status !== 200) throw new Error(`${what}: ${status} ${text.slice(0, 500)}`);
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null) throw new Error(`${what}: not an object: ${text.slice(0, 500)}`);
  return answer as Answer;
}

/** A field that must be a string. */
export function textField(answer: Answer, name: string): string {
  const value = answer[name];
  if (typeof value !== 'string')
    throw new Error(`there is no text in '${name}' of ${JSON.stringify(answer).slice(0, 300)}`);
  return value;
}

/** A field that must be a number. */
export function numberField(answer: Answer, name: string): number {
  const value = answer[name];
  if (typeof value !== 'number')
    throw new Error(`there is no number in '${name}' of ${JSON.stringify(answer).slice(0, 300)}`);
  return value;
}
