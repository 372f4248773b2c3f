import { type Endpoint, fullPathOf } from '@heddle/api/contract.ts';
import { encode, type Fields, type TestClient } from './client.ts';
import { fillPath } from './endpoints.ts';

/**
 * Calls an operation at this address, whichever organization the caller is of; without credentials where there is no caller. A success
 * has no code, and neither have answers of another protocol.
 * @param file what the body is to hold, where the endpoint takes a file
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
  const inQuery = method === 'GET' || method === 'HEAD';
  const body = file === undefined ? new URLSearchParams(encode(rest)) : formWith(file);
  const response = await fetch(`${url}${path}${inQuery ? `?${encode(rest)}` : ''}`, {
    method,
    headers: caller === undefined ? {} : { authorization: `Basic ${btoa(`${caller.email}:${caller.apiKey}`)}` },
    ...(!inQuery && { body }),
  });
  const text = await response.text();
  return { status: response.status, code: response.ok || !text.startsWith('{') ? undefined : JSON.parse(text).code };
}

function formWith(file: Buffer): FormData {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(file)]), 'picture');
  return form;
}
