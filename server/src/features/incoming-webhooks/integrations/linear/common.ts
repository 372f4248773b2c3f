import { cut } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';

export function actorOf(payload: Payload): string {
  return (
    payload.text('actor', 'name') ||
    payload.text('data', 'user', 'name') ||
    payload.text('data', 'creator', 'name') ||
    'Somebody'
  );
}

/** The address of the object. */
export function urlOf(payload: Payload): string {
  return payload.text('url') || payload.text('data', 'url');
}

export interface Issue {
  /** Like `LOOM-12`; '' if the payload has none. */
  readonly identifier: string;
  readonly title: string;
}

/** Comments name the issue by its title only. Its identifier is in the address of the comment. */
export function issueNameOf(issue: Payload, url: string): Issue {
  const team = issue.text('team', 'key');
  const number = issue.text('number');
  const identifier =
    issue.text('identifier') ||
    (team === '' || number === ''
      ? (/\/issue\/([A-Za-z\d]{1,20}-\d{1,10})/.exec(url.slice(0, 500))?.[1] ?? '')
      : `${team}-${number}`);
  return { identifier, title: issue.text('title') };
}

export function topicOf({ identifier, title }: Issue): string {
  return cut(`${identifier} ${title}`.trim() || 'Linear', 200);
}

/** `create` as `created`. */
export const VERBS: Readonly<Record<string, string>> = { create: 'created', update: 'updated', remove: 'deleted' };
