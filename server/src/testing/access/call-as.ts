import { type Endpoint, fullPathOf } from '@heddle/api/contract.ts';
import { regenerateApiKey } from '@heddle/api/endpoints/authentication.ts';
import { encode, type Fields, type TestClient } from '../clients/client.ts';
import { fillPath } from '../clients/endpoints.ts';

/**
 * Calls an operation at this URL, whatever the organization of the caller, or without credentials if there is no
 * caller. A success has no code, and neither have responses of other protocols. A redirect is a success and is not
 * followed. A refusal as a page has the code `page`.
 * @param file the content of the file or of the body, if the endpoint takes one
 */
export async function callAs(
  url: string,
  caller: TestClient | undefined,
  endpoint: Endpoint,
  fields: Fields,
  file?: Buffer,
): Promise<{ readonly status: number; readonly code: string | undefined }> {
  const { method } = endpoint;
  const { path, rest } = fillPath({ ...endpoint, path: fullPathOf(endpoint) as Endpoint['path'] }, fields);
  const isRaw = endpoint.body?.takes === 'bytes' || endpoint.body?.takes === 'protocol';
  const isRead = method === 'GET' || method === 'HEAD';
  const inQuery = isRead || isRaw;
  const body = isRaw ? file?.toString() : file === undefined ? new URLSearchParams(encode(rest)) : formWith(rest, file);
  const response = await fetch(`${url}${path}${inQuery ? `?${encode(rest)}` : ''}`, {
    method,
    redirect: 'manual',
    headers: caller === undefined ? {} : { authorization: `Basic ${btoa(`${caller.email}:${caller.apiKey}`)}` },
    ...(!isRead && body !== undefined && { body }),
  });
  const text = await response.text();
  if (response.status >= 300 && response.status < 400) return { status: 200, code: undefined };
  if (response.ok && endpoint === regenerateApiKey) caller?.takeOver(JSON.parse(text).api_key);
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  if (isPage && !response.ok) return { status: response.status, code: 'page' };
  return { status: response.status, code: response.ok || !text.startsWith('{') ? undefined : JSON.parse(text).code };
}

function formWith(fields: Fields, file: Buffer): FormData {
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(encode(fields))) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(file)]), 'picture');
  return form;
}
