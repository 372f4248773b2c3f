/** What people share with the app from other apps. It stays here until the user has chosen a conversation (`web/src/base/shared.ts`). */
import { addressOfShared, sharedText } from '@heddle/api/shared-text.ts';
import { forgetShared, SHARED_CACHE } from './shared-cache.ts';
import { hasAccount } from './start-page.ts';

/** Where the browser sends the form (`server/src/features/web-app/manifest.ts`). */
export const SHARE_PATH = '/share';

/** More files are a mistake, or an attack on the storage. */
const MAX_SHARED_FILES = 50;

interface SharedForm {
  readonly text: string;
  readonly files: readonly File[];
}

/** Keeps the form, and leads to the view that shares it. */
export async function takeShared(request: Request): Promise<Response> {
  return Response.redirect(await addressAfter(request), 303);
}

async function addressAfter(request: Request): Promise<string> {
  let form: SharedForm;
  try {
    form = formOf(await request.formData());
  } catch {
    return addressOfShared('', true);
  }
  if ((await hasAccount()) && (await keep(form))) return '/#share';
  // Before the login, and in a browser without room: as the server does.
  return addressOfShared(form.text, form.files.length > 0);
}

function formOf(form: FormData): SharedForm {
  const texts = ['title', 'text', 'url'].flatMap((name) => form.getAll(name));
  const files = form.getAll('files').filter((value) => typeof value !== 'string');
  return {
    text: sharedText(texts.filter((value) => typeof value === 'string')),
    // A form without a file has an empty one.
    files: files.filter(({ name, size }) => name !== '' || size > 0).slice(0, MAX_SHARED_FILES),
  };
}

/** Resolves with whether the browser had room for all of it. */
async function keep({ text, files }: SharedForm): Promise<boolean> {
  try {
    // Nobody has chosen a conversation for what was shared before.
    await forgetShared();
    const cache = await caches.open(SHARED_CACHE);
    await cache.put('/share/text', new Response(text));
    // One after the other, because the view shows them in the order of the cache.
    for (const [index, file] of files.entries()) {
      const headers = { 'content-type': file.type, 'x-file-name': encodeURIComponent(file.name.toWellFormed()) };
      await cache.put(`/share/files/${index}`, new Response(file, { headers }));
    }
    return true;
  } catch {
    await forgetShared();
    return false;
  }
}
