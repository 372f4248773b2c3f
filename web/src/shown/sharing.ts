import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';

/** Whether the system has a list of apps to share with. */
export function canShare(): boolean {
  return typeof navigator.share === 'function';
}

/** Gives something to an app that the user chooses. */
export async function share(data: ShareData): Promise<void> {
  try {
    await navigator.share(data);
  } catch (error) {
    // The user has chosen no app.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    toasts.show({ text: t('This could not be shared.'), kind: 'error', key: 'share' });
  }
}

/** The same with a file of the server. A system that takes no such files gets the link. */
export async function shareFile(href: string, name: string): Promise<void> {
  const url = new URL(href, window.location.origin).href;
  const file = await fileAt(url, name).catch(() => undefined);
  const files = file === undefined ? [] : [file];
  // After a long download the browser has forgotten the press. Then the link is all that it may take.
  const mayShareFiles = navigator.userActivation?.isActive !== false;
  await share(mayShareFiles && files.length > 0 && navigator.canShare?.({ files }) ? { files } : { url });
}

async function fileAt(url: string, name: string): Promise<File> {
  const response = await fetch(url, { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const content = await response.blob();
  return new File([content], name, { type: content.type });
}
