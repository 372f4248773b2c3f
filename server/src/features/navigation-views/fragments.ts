/** The views that apps contain. Users only choose whether these are pinned. From the public reference, including later levels. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'scheduled',
  'reminders',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
]);

export function isBuiltIn(fragment: string): boolean {
  return BUILT_IN.has(fragment);
}

/**
 * The possible meanings of a fragment in a path: the literal text, and its decoded form if it is percent-encoded. Some clients encode the
 * fragment before they encode the path; other fragments contain a `%` of their own.
 */
export function meaningsOf(fragment: string): readonly string[] {
  return [...new Set([fragment.trim(), decoded(fragment).trim()])];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
