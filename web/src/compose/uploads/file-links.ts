import type { LiveSession } from '../drafts/live-sessions.ts';

/** The text of a link has no brackets, so that it stays one link. */
export function textOfLink(name: string): string {
  return name.replaceAll(/[[\]\n]/g, ' ').trim();
}

/** The Markdown of a link to an uploaded file. */
export function linkTo(name: string, url: string): string {
  return `[${textOfLink(name)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

/** Files stand on lines of their own, because the server shows previews for them. */
export function insertOnOwnLine({ text }: LiveSession, link: string): void {
  const { start } = text.selection;
  const before = text.value.slice(0, start);
  text.insert(`${before === '' || before.endsWith('\n') ? '' : '\n'}${link}\n`);
}
