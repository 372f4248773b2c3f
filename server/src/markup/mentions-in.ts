/** Whom a rendered message mentions, by name or by group. */
export interface MentionsIn {
  readonly userIds: ReadonlySet<number>;
  readonly groupIds: readonly number[];
}

/** In the form that our renderer writes. Silent mentions have another class. */
export function mentionsIn(html: string): MentionsIn {
  const ids = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, id]) => Number(id));
  return {
    userIds: new Set(ids(/<span class="user-mention" data-user-id="(\d+)"/g)),
    groupIds: [...new Set(ids(/<span class="user-group-mention" data-user-group-id="(\d+)"/g))],
  };
}
