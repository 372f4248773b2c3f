/** What people share with the app from other apps, when the service worker did not take it. */
import { ProtocolAnswer } from '../../http/answers/answers.ts';
import { fieldsOfMultipart } from '../../http/bodies/multipart.ts';
import type { IncomingBytes } from '../../http/requests/route.ts';

/** A longer form has files. */
const MAX_SHARED_TEXT_BYTES = 64 * 1024;

/** Browsers shorten or refuse addresses that are much longer, in characters. */
const MAX_SHARED_CHARACTERS = 16_000;

/** The header of a part with a file. */
const FILE_PART = /\r\ncontent-disposition:[^\r\n]*; *filename\*?=/i;

interface SharedForm {
  readonly text: string;
  readonly hasFiles: boolean;
}

/**
 * Leads to the view of the app that shares the text. The text is in the fragment, so the server keeps and logs nothing of it. Files would
 * belong to nobody before the user has chosen a conversation, so they are not kept: the app asks for them again.
 */
export async function leadToShare(request: IncomingBytes): Promise<ProtocolAnswer> {
  const isShort = request.length !== undefined && request.length <= MAX_SHARED_TEXT_BYTES;
  const { text, hasFiles } = isShort ? await sharedForm(request) : { text: '', hasFiles: true };
  const location = `/#share/${hasFiles ? 'files' : 'text'}/${encodeURIComponent(text)}`;
  return new ProtocolAnswer(303, { location, 'cache-control': 'no-store' }, '');
}

async function sharedForm({ content, contentType }: IncomingBytes): Promise<SharedForm> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const { title, text, url } = fieldsOfMultipart(body, contentType ?? '');
  const parts = [title, text, url].flat().flatMap((part) => part?.trim().replaceAll('\r\n', '\n') || []);
  const shared = [...new Set(parts)].join('\n').slice(0, MAX_SHARED_CHARACTERS);
  return { text: shared, hasFiles: FILE_PART.test(body.toString('latin1')) };
}
