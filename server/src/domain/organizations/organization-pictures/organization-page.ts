/** Pages of an organization, with its picture and name, in the reader's language. */
import type { Db } from '../../../db/schema.ts';
import type { Organization } from '../../../directory/organization.ts';
import { type PageAnswer, type PageOptions, page } from '../../../http/answers/answers.ts';
import type { Language } from '../../../languages/language.ts';
import type { HtmlValue } from '../../../pages/html.ts';
import { layout } from '../../../pages/layout.ts';
import { LANGUAGE_COOKIE, type LanguagePreferences, languageOfPage } from '../../../pages/page-language.ts';
import { PAGE_SCRIPT_HASH } from '../../../pages/page-script.ts';
import { languageOfUser } from '../../users/user-settings/language.ts';
import { pictureUrl } from './present.ts';

/** For whom and where a page is. */
export interface PageView {
  readonly organization: Organization;
  readonly language: Language;
  /** Where the choice of the language leads back to. Without it there is no choice. */
  readonly path?: string | undefined;
}

/** What a page needs of its request. */
export type Viewing = LanguagePreferences &
  Pick<PageView, 'organization'> & { readonly openedPath: string | undefined };

/**
 * `path` differs from the opened one in two cases: a form is shown again, or the page must not be opened twice. It is then that of the form, or of
 * the next step.
 */
export function viewFor(request: Viewing, path = request.openedPath): PageView {
  return { organization: request.organization, language: languageOfPage(request), path };
}

/** The same for a page of an account: its language counts, unless the browser remembers a choice. */
export async function viewForAccount(
  db: Db,
  request: Viewing,
  userId: number,
  path = request.openedPath,
): Promise<PageView> {
  if (request.cookies.get(LANGUAGE_COOKIE) !== undefined) return viewFor(request, path);
  const { organization } = request;
  return { organization, language: await languageOfUser(db, organization.id, userId), path };
}

export interface OrganizationPage {
  readonly heading: string;
  readonly content: HtmlValue;
  /** What the organization says about itself. */
  readonly description?: HtmlValue;
  /** Whether something was refused. */
  readonly isRefused?: boolean;
  /** Whether the page has a field for a password, and thus the script. */
  readonly hasScript?: boolean;
}

export function organizationPage(
  { organization: { directory }, language, path }: PageView,
  { description, hasScript = false, ...parts }: OrganizationPage,
  options: PageOptions = {},
): PageAnswer {
  const icon = pictureUrl(directory, directory.organization, 'icon');
  const organization = {
    name: directory.organization.name,
    // With gravatar, the generated ones are on another site.
    icon: icon.startsWith('/') ? icon : undefined,
    description,
  };
  return page(layout({ ...parts, language, path, organization, hasScript }), {
    ...options,
    ...(hasScript && { inlineScript: PAGE_SCRIPT_HASH }),
  });
}
