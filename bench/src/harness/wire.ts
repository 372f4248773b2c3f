import { type Address, HttpConnection } from './http-connection.ts';

export interface Login {
  readonly email: string;
  readonly apiKey: string;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Without the `/api/v1` before it. */
  readonly path: string;
  readonly login?: Login;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The bytes of one request as the clients of this API send it: Basic credentials, URL-encoded parameters. All ASCII. */
export function requestBytes(address: Address, call: Call): string {
  const encoded = new URLSearchParams(call.parameters ?? {}).toString();
  const inQuery = call.method === 'GET' && encoded !== '';
  const lines = [
    `${call.method} /api/v1${call.path}${inQuery ? `?${encoded}` : ''} HTTP/1.1`,
    `Host: ${address.host}:${address.port}`,
    'User-Agent: HeddleBench/1.0',
  ];
  if (call.login !== undefined) {
    lines.push(`Authorization: Basic ${btoa(`${call.login.email}:${call.login.apiKey}`)}`);
  }
  const body = call.method === 'GET' ? '' : encoded;
  if (call.method !== 'GET') {
    lines.push('Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Answers are objects; the few fields that a benchmark reads are checked where it reads them. */
export type Answer = Readonly<Record<string, unknown>>;

/** One call outside the measured part; throws unless it succeeds. */
export async function call(address: Address, request: Call): Promise<Answer> {
  const [answer] = await callAll(address, [request], 1);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

/** Many calls outside the measured part, `concurrency` at a time, answered in order; throws at the first failure. */
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

/** The parsed answer of a call that succeeded; throws with what the server said otherwise. */
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
  if (typeof value !== 'string') throw new Error(`no text in '${name}' of ${JSON.stringify(answer).slice(0, 300)}`);
  return value;
}

/** A field that must be a number. */
export function numberField(answer: Answer, name: string): number {
  const value = answer[name];
  if (typeof value !== 'number') throw new Error(`no number in '${name}' of ${JSON.stringify(answer).slice(0, 300)}`);
  return value;
}
