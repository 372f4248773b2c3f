/** What version control services have in common. */
import { bullets, cut, joined, link, type Markdown, md, quote } from './markdown.ts';

export interface Commit {
  readonly id: string;
  readonly message: string;
  readonly url: string;
  readonly author: string;
}

export interface Push {
  readonly actor: string;
  readonly branch: string;
  /** The page that shows the changes; '' if there is none. */
  readonly compareUrl: string;
  readonly commits: readonly Commit[];
  /** The number of commits, if the service names fewer than there are. */
  readonly count?: number;
  /** There are more commits, and the service does not say how many. */
  readonly hasMore?: boolean;
  readonly isForced?: boolean;
  readonly isRemoved?: boolean;
}

/** The text about a push to a branch. */
export function pushed(push: Push): Markdown {
  const { actor, branch, compareUrl, commits, count, hasMore, isForced, isRemoved } = push;
  if (isRemoved) return md`${actor} ${linkIf('deleted', compareUrl)} the branch ${branch}.`;
  const verb = linkIf(isForced ? 'force pushed' : 'pushed', compareUrl);
  const number = count ?? commits.length;
  if (number === 0) return md`${actor} ${verb} the branch ${branch}.`;
  const authors = authorsOf(actor, commits);
  const known = md`${hasMore ? `more than ${number}` : number} ${number === 1 ? 'commit' : 'commits'}`;
  const list = bullets(commits.map(commitLine), count);
  return joined([md`${actor} ${verb} ${known} to branch ${branch}.${authors}`, list], '\n\n');
}

function commitLine({ id, message, url }: Commit): Markdown {
  const [title = ''] = message.split('\n', 1);
  return md`${title} (${link(id.slice(0, 11), url)})`;
}

/** Names other authors than the actor, if there are some. */
function authorsOf(actor: string, commits: readonly Commit[]): Markdown {
  const counts = new Map<string, number>();
  for (const { author } of commits) if (author !== '') counts.set(author, (counts.get(author) ?? 0) + 1);
  const names = [...counts].sort(([, one], [, other]) => other - one);
  if (names.length === 0 || (names.length === 1 && names[0]?.[0] === actor)) return md``;
  const shown = names.slice(0, 5).map(([name, count]) => md`${name} (${count})`);
  const others = names.length > 5 ? md` and ${names.length - 5} others` : '';
  return md` Commits by ${joined(shown, ', ')}${others}.`;
}

export interface Tagging {
  readonly actor: string;
  readonly tag: string;
  readonly url: string;
  readonly isRemoved: boolean;
}

export function tagged({ actor, tag, url, isRemoved }: Tagging): Markdown {
  return md`${actor} ${isRemoved ? 'removed' : 'pushed'} tag ${linkIf(tag, url)}.`;
}

export interface IssueLike {
  readonly actor: string;
  /** What the actor did, like `opened` or `commented on`. */
  readonly action: string;
  /** Where the action can be seen, if it has a page of its own. */
  readonly actionUrl?: string;
  /** Like `issue` or `PR`. */
  readonly kind: string;
  readonly number: string;
  /** Like `#`. */
  readonly sign?: string;
  readonly url: string;
  readonly title?: string;
  /** More about the action, like `to Ada`. */
  readonly detail?: Markdown | undefined;
  readonly text?: string;
}

/** The text about an issue, a pull request or a merge request. */
export function issueLike(of: IssueLike): Markdown {
  const { actor, action, actionUrl, kind, number, sign = '#', url, title = '', detail, text = '' } = of;
  const verb = actionUrl === undefined ? md`${action}` : linkIf(action, actionUrl);
  const item = joined([md`${kind} ${linkIf(`${sign}${number}`, url)}`, title === '' ? undefined : md`${title}`], ' ');
  const head = joined([md`${actor}`, verb, item, detail], ' ');
  const quoted = quote(text);
  return quoted.toString() === '' ? md`${head}.` : joined([md`${head}:`, quoted], '\n\n');
}

export function linkIf(text: string, url: string): Markdown {
  return url === '' ? md`${text}` : link(text, url);
}

/** The branch or the tag of a reference like `refs/heads/main`. */
export function refName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, '');
}

export function isTag(ref: string): boolean {
  return ref.startsWith('refs/tags/');
}

/** A commit id of zeros says that the branch or tag did not exist before, or no longer exists. */
export function isNoCommit(id: string): boolean {
  return /^0+$/.test(id);
}

/** The topic about a numbered object of a repository. */
export function numberedTopic(repository: string, kind: string, number: string, title: string): string {
  return cut(`${repository} / ${kind} #${number} ${title}`.trim(), 200);
}
