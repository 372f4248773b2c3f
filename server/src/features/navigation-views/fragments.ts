/** The views that apps have by themselves: users only say whether these are pinned. Public reference, also of later levels. */
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
 * What a fragment in a path may mean: what it says and, where that is percent-encoded itself, what it says then. Some clients encode
 * the fragment before they encode the path; other fragments have a `%` of their own.
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
