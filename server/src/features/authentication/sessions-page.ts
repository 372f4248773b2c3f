import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { OpenSession } from '../../domain/credentials/sessions.ts';
import { type PageAnswer, page } from '../../http/answers/answers.ts';
import { form } from '../../pages/forms.ts';
import { type Html, html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';

export interface SessionsPage {
  readonly organization: Organization;
  readonly user: UserRecord;
  readonly sessions: readonly OpenSession[];
  readonly csrfToken: string;
}

/** The sessions of the user, with buttons to end them. */
export function sessionsPage({ organization, user, sessions, csrfToken }: SessionsPage): PageAnswer {
  const content = html`
<p>You are logged in as ${user.fullName} (${user.deliveryEmail}).</p>
<h2>Browsers that you are logged in with</h2>
<ul>${sessions.map(item)}</ul>
${form({ action: '/accounts/logout/', csrfToken, submit: 'Log out of this browser' })}
${form({ action: '/accounts/logout/everywhere/', csrfToken, submit: 'Log out of all browsers', isQuiet: true })}
<p class="after"><a href="/">Open Heddle</a></p>`;
  const { name } = organization.directory.organization;
  return page(layout({ heading: 'Where you are logged in', organization: name, content }));
}

function item({ isThis, createdAt, usedAt }: OpenSession): Html {
  const since = `since ${day(createdAt)}`;
  return isThis
    ? html`<li><strong>This browser</strong>, ${since}</li>`
    : html`<li>Another browser, ${since}, used last on ${day(usedAt)}</li>`;
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
