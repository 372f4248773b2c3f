/** What people share with the app from other apps, when the service worker did not take it. */
import { addressOfShared, sharedText } from '@heddle/api/shared-text.ts';
import { ProtocolAnswer } from '../../http/answers/answers.ts';
import { fieldsOfMultipart } from '../../http/bodies/multipart.ts';
import type { IncomingBytes } from '../../http/requests/route.ts';

/** A longer form has files. */
const MAX_SHARED_TEXT_BYTES = 64 * 1024;

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
  return new ProtocolAnswer(303, { location: addressOfShared(text, hasFiles), 'cache-control': 'no-store' }, '');
}

async function sharedForm({ content, contentType }: IncomingBytes): Promise<SharedForm> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const { title, text, url } = fieldsOfMultipart(body, contentType ?? '');
  return { text: sharedText([title, text, url].flat()), hasFiles: FILE_PART.test(body.toString('latin1')) };
}
