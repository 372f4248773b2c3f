import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Sends a request to an organization at a subdomain: `fetch` does not let programs choose the `Host` header. */
export async function atHost(
  url: string,
  host: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: FormData | URLSearchParams } = {},
): Promise<{ readonly status: number; readonly body: Buffer }> {
  const encoded = new Request(url, { method, headers, ...(body && { body }) });
  const content = Buffer.from(await encoded.arrayBuffer());
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, {
      method,
      headers: { ...Object.fromEntries(encoded.headers), host, 'content-length': String(content.length) },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      buffer(response).then((received) => resolve({ status: response.statusCode ?? 0, body: received }), reject);
    });
    sent.end(content);
  });
}
