import { badRequest, invalidParameter, notFound } from '@heddle/api/errors.ts';
import type { Row } from '../../db/schema.ts';
import { lockUsers } from '../../db/user-locks.ts';
import type { OptimisticChange } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { navigationViewEvent } from './events.ts';
import { isBuiltIn, meaningsOf } from './fragments.ts';
import { type NavigationView, viewsOf } from './queries.ts';

/** More than a user can find in a menu. Each register returns all of them. */
const MAX_VIEWS_PER_USER = 200;

type ViewRow = Row<'navigation_views'>;

/** The changes of a view; undefined fields stay. */
export interface ViewChanges {
  readonly isPinned: boolean | undefined;
  readonly name: string | undefined;
}

/**
 * Adds a view of the caller, or stores where a built-in one is shown (interface document, "POST /navigation_views").
 * @throws ApiError `BAD_REQUEST`: a blank fragment or name, a name for a built-in view, no name for another view, a fragment or name that
 *   exists already, or too many
 */
export async function addView(change: OptimisticChange, caller: UserRecord, asked: NavigationView): Promise<void> {
  const fragment = notBlank('fragment', asked.fragment);
  const name = asked.name === null ? null : notBlank('name', asked.name);
  if (isBuiltIn(fragment) && name !== null) throw nameOfBuiltIn();
  if (!isBuiltIn(fragment) && name === null) throw badRequest('Custom views must have a valid name.');
  const views = await lockViews(change, caller);
  if (views.some((view) => view.fragment === fragment || isCalled(view, name))) throw existsAlready();
  if (views.length >= MAX_VIEWS_PER_USER) throw badRequest(`Too many navigation views (limit: ${MAX_VIEWS_PER_USER})`);
  const view = { fragment, is_pinned: asked.is_pinned, name };
  await change.db
    .insertInto('navigation_views')
    .values({ organization_id: change.directory.organization.id, user_id: caller.id, ...view })
    .execute();
  change.append(navigationViewEvent(caller.id, { op: 'add', view }));
}

/**
 * Applies the given changes (interface document, "PATCH /navigation_views/{fragment}").
 * @param asked the fragment in the path
 * @throws ApiError `NOT_FOUND`: the caller has no such view; `BAD_REQUEST`: a name that is blank, for a built-in view, or of another view
 */
export async function editView(
  change: OptimisticChange,
  caller: UserRecord,
  asked: string,
  { isPinned, name: written }: ViewChanges,
): Promise<void> {
  const name = written === undefined ? null : notBlank('name', written);
  const views = await lockViews(change, caller);
  const view = find(views, asked);
  if (name !== null && isBuiltIn(view?.fragment ?? notBlank('fragment', asked))) throw nameOfBuiltIn();
  if (view === undefined) throw noSuchView();
  if (views.some((other) => other !== view && isCalled(other, name))) throw existsAlready();
  const data = { ...(isPinned !== undefined && { is_pinned: isPinned }), ...(name !== null && { name }) };
  if (Object.keys(data).length === 0) return;
  await change.db
    .updateTable('navigation_views')
    .set(data)
    .where('organization_id', '=', change.directory.organization.id)
    .where('user_id', '=', caller.id)
    .where('id', '=', view.id)
    .execute();
  change.append(navigationViewEvent(caller.id, { op: 'update', fragment: view.fragment, data }));
}

/**
 * @param asked the fragment in the path
 * @throws ApiError `NOT_FOUND`: the caller has no such view
 */
export async function removeView(change: OptimisticChange, caller: UserRecord, asked: string): Promise<void> {
  const view = find(await lockViews(change, caller), asked);
  if (view === undefined) throw noSuchView();
  await change.db
    .deleteFrom('navigation_views')
    .where('organization_id', '=', change.directory.organization.id)
    .where('user_id', '=', caller.id)
    .where('id', '=', view.id)
    .execute();
  change.append(navigationViewEvent(caller.id, { op: 'remove', fragment: view.fragment }));
}

/** Locks the caller's views until the commit, so that no two get the same fragment or name. */
async function lockViews({ db, directory }: OptimisticChange, { id }: UserRecord): Promise<readonly ViewRow[]> {
  const { id: organizationId } = directory.organization;
  await lockUsers(db, organizationId, [id]);
  return viewsOf(db, organizationId, id);
}

/** The view that the path names. If two match, the literal one counts. */
function find(views: readonly ViewRow[], asked: string): ViewRow | undefined {
  for (const fragment of meaningsOf(asked)) {
    const view = views.find((one) => one.fragment === fragment);
    if (view !== undefined) return view;
  }
  return undefined;
}

function isCalled(view: ViewRow, name: string | null): boolean {
  return name !== null && view.name === name;
}

function notBlank(name: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw invalidParameter(name, 'cannot be blank');
  return trimmed;
}

function nameOfBuiltIn() {
  return badRequest('Built-in views cannot have a custom name.');
}

function existsAlready() {
  return badRequest('Navigation view already exists.');
}

function noSuchView() {
  return notFound('Navigation view does not exist.');
}
