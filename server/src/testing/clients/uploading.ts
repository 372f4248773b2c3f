import { apiPrefix } from '@heddle/api/contract.ts';
import sharp from 'sharp';
import type { Fields, TestClient } from './client.ts';
import type { Json } from './json.ts';

interface Upload {
  /** Default: POST. */
  readonly method?: string;
  readonly path: string;
  /** Sent before the file. */
  readonly fields?: Fields;
  readonly file?: Buffer;
  /** The filename that the client sends. */
  readonly name?: string;
  readonly type?: string;
}

/** Sends a form with a file to the root organization, as programs do. Returns the status and the response. */
export async function upload(
  url: string,
  client: TestClient,
  { method = 'POST', path, fields = {}, file, name = 'picture.png', type = 'image/png' }: Upload,
): Promise<{ readonly status: number; readonly body: Json }> {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) {
    form.append(key, typeof value === 'string' ? value : JSON.stringify(value));
  }
  if (file !== undefined) form.append('file', new Blob([new Uint8Array(file)], { type }), name);
  const response = await fetch(`${url}${apiPrefix}${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${client.email}:${client.apiKey}`)}` },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}

/** A PNG of one color. */
export function plainPicture(width = 20, height = 10, background = 'teal'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}
