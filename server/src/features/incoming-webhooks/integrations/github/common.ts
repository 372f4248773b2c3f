import type { Delivery } from '../../integration.ts';
import { type Markdown, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';

/** The person who acted. */
export function senderOf(payload: Payload): string {
  return payload.need('sender', 'login');
}

export function repositoryOf(payload: Payload): string {
  return payload.need('repository', 'name');
}

/** The name of the repository, if the URL asks for it. */
export function inRepository({ payload, parameters }: Delivery): Markdown | undefined {
  if (!parameters.include_repository_name) return undefined;
  return md`in ${payload.text('repository', 'full_name') || repositoryOf(payload)}`;
}

/** The organization or the person that owns what the event is about. */
export function ownerOf(payload: Payload): string {
  return (
    payload.text('organization', 'login') ||
    payload.text('repository', 'owner', 'login') ||
    payload.text('enterprise', 'name') ||
    'GitHub'
  );
}

/** A value like `action_required` in words. */
export function inWords(value: string): string {
  return value.replaceAll('_', ' ');
}
