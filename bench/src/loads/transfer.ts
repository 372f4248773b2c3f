import { randomFillSync } from 'node:crypto';
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { Histogram } from '../harness/histogram.ts';
import type { Login } from '../harness/wire.ts';
import type { LoadContext, Target } from './load.ts';

export interface TransferParameters extends Target {
  readonly direction: 'up' | 'down';
  /** The path for uploads. */
  readonly path: string;
  /** Size of a file in bytes. */
  readonly size: number;
  readonly files: number;
  /** Each login transfers one file at a time. */
  readonly logins: readonly Login[];
}

export interface TransferResult {
  /** Total throughput in MiB per second. */
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

const BOUNDARY = 'heddle-bench-7f3c';
const PIECE = 64 * 1024;
const MIB = 1024 * 1024;

/** Uploads files as forms, or downloads one uploaded file, with one transfer per login at a time. Any failed request fails the load. */
export async function transfer(parameters: TransferParameters, _: LoadContext): Promise<TransferResult> {
  const { direction, size, files, logins } = parameters;
  const agent = new Agent({ keepAlive: true, maxSockets: logins.length });
  const latencies = new Histogram();
  let left = files;
  try {
    const [first] = logins;
    if (first === undefined) throw new Error('nobody to send a file');
    // The first file, which is also the file for downloads, is not measured.
    const url = await upload(agent, parameters, first);
    const begin = performance.now();
    await Promise.all(
      logins.map(async (login) => {
        while (left-- > 0) {
          const at = performance.now();
          if (direction === 'up') await upload(agent, parameters, login);
          else await download(agent, parameters, first, url);
          latencies.record(performance.now() - at);
        }
      }),
    );
    const seconds = (performance.now() - begin) / 1000;
    return { rate: (files * size) / MIB / seconds, p50: latencies.quantile(0.5), p99: latencies.quantile(0.99) };
  } finally {
    agent.destroy();
  }
}

/** Returns the URL of the file. */
async function upload(agent: Agent, { address, path, size }: TransferParameters, login: Login): Promise<string> {
  const before = Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="bench.bin"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
  const after = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const request = httpRequest({
    ...address,
    agent,
    method: 'POST',
    path,
    headers: {
      ...credentials(login),
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': before.length + size + after.length,
    },
  });
  const answered = response(request);
  const piece = randomFillSync(Buffer.alloc(Math.min(PIECE, size)));
  request.write(before);
  for (let sent = 0; sent < size; sent += piece.length) {
    const isTaken = request.write(sent + piece.length > size ? piece.subarray(0, size - sent) : piece);
    if (!isTaken) await Promise.race([new Promise((resolve) => request.once('drain', resolve)), answered]);
  }
  request.end(after);
  const { status, text } = await collected(await answered);
  if (status !== 200) throw new Error(`POST ${path}: ${status} ${text.slice(0, 300)}`);
  const { url } = JSON.parse(text) as { url?: unknown };
  if (typeof url !== 'string') throw new Error(`there is no address in ${text.slice(0, 300)}`);
  return url;
}

async function download(agent: Agent, { address, size }: TransferParameters, login: Login, url: string) {
  const request = httpRequest({ ...address, agent, path: url, headers: credentials(login) });
  request.end();
  const answer = await response(request);
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).length;
  if (answer.statusCode !== 200 || bytes !== size) throw new Error(`GET ${url}: ${answer.statusCode}, ${bytes} bytes`);
}

function credentials({ email, apiKey }: Login) {
  return { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` };
}

function response(request: ClientRequest): Promise<IncomingMessage> {
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
  });
  // The caller awaits it later and then receives its error. Until then, an error must not crash the process.
  answered.catch(() => undefined);
  return answered;
}

async function collected(answer: IncomingMessage): Promise<{ readonly status: number; readonly text: string }> {
  let text = '';
  answer.setEncoding('utf8');
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode ?? 0, text };
}
