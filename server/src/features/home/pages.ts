import { organizationSetting } from '../../access/organization-settings.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { pictureUrl } from '../../domain/organization-pictures/present.ts';
import { renderedDescription } from '../../domain/organizations/present.ts';
import { type PageAnswer, page } from '../../http/answers.ts';
import { Html, html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';

export interface HomePage {
  /** The address of the organization. */
  readonly url: string;
  /** The user of the browser. */
  readonly user: UserRecord | undefined;
}

export function homePage({ directory }: Organization, { url, user }: HomePage): PageAnswer {
  const { organization } = directory;
  const icon = pictureUrl(directory, organization, 'icon');
  const content = html`
${
  // Pages load nothing from other sites.
  icon.startsWith('/') && html`<img class="icon" src="${icon}" alt="" width="64" height="64">`
}
${organization.description !== '' && html`<div class="about">${new Html(renderedDescription(organization, url))}</div>`}
${user === undefined ? waysIn(organizationSetting(directory, 'invite_required')) : waysOn(user)}
<h2>With an app</h2>
<p>Give the app this address as that of your organization:</p>
<p><code>${url}</code></p>
<p class="after">For those who write programs: <a href="/api/docs/">the API</a></p>`;
  return page(layout({ heading: organization.name, content }), { cacheControl: 'no-store' });
}

function waysIn(isForInvited: boolean): Html {
  return isForInvited
    ? html`<a class="button" href="/login/">Log in</a>
<p class="after">Who has no account needs an invitation from somebody who has one.</p>`
    : html`<a class="button" href="/login/">Log in</a>
<a class="button quiet" href="/register/">Sign up</a>`;
}

function waysOn({ fullName, deliveryEmail }: UserRecord): Html {
  return html`<p>You are logged in as ${fullName} (${deliveryEmail}).</p>
<a class="button quiet" href="/accounts/sessions/">Where you are logged in</a>`;
}

/** For a root domain without an organization. */
export function nobodysPage(): PageAnswer {
  const content = html`
<p>Open the address of your organization: it begins with its own name.</p>
<p class="after">For those who write programs: <a href="/api/docs/">the API</a></p>`;
  return page(layout({ heading: 'No organization has this address', content }), {
    status: 404,
    cacheControl: 'no-store',
  });
}
