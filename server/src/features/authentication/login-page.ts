import { organizationSetting } from '../../access/organization-settings.ts';
import type { Organization } from '../../directory/organization.ts';
import { pictureUrl } from '../../domain/organizations/organization-pictures/present.ts';
import { renderedDescription } from '../../domain/organizations/organizations/present.ts';
import { type PageAnswer, page } from '../../http/answers/answers.ts';
import { errorSummary, field, form, type Problems } from '../../pages/forms.ts';
import { KEEP_FRAGMENT, KEEP_FRAGMENT_HASH } from '../../pages/fragment-script.ts';
import { Html, type HtmlValue, html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';
import type { Destination } from './after-login.ts';

export interface LoginPage {
  readonly organization: Organization;
  /** The address of the organization. Links in its description begin with it. */
  readonly url: string;
  readonly csrfToken: string;
  /** The destination, as it was sent. */
  readonly destination: Destination;
  /** The other ways to log in, with their addresses. */
  readonly otherWays: readonly { readonly name: string; readonly url: string }[];
  /** The form accepts names of the organization's directory, too. */
  readonly takesNames: boolean;
  readonly username?: string | undefined;
  readonly problems?: Problems;
}

/** The login page, with its error messages. */
export function loginPage(of: LoginPage): PageAnswer {
  const { organization, url, csrfToken, destination, otherWays, takesNames, username, problems = {} } = of;
  const isRefused = Object.keys(problems).length > 0;
  const { mobile_flow_otp: pad, desktop_flow_otp: desktopKey } = destination;
  const isOpen = !organizationSetting(organization.directory, 'invite_required');
  const content = html`
${errorSummary(problems)}
${pad !== undefined && html`<p>When you are logged in, this page opens your app again.</p>`}
${desktopKey !== undefined && html`<p>When you are logged in, this page shows a token for your app.</p>`}
${form({
  action: '/login/',
  csrfToken,
  hidden: { ...destination },
  submit: 'Log in',
  content: html`
${field({
  name: 'username',
  label: takesNames ? 'Email address or user name' : 'Email address',
  type: takesNames ? 'text' : 'email',
  autocomplete: 'username',
  value: username,
  problem: problems.username,
})}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', problem: problems.password })}`,
})}
<p class="after"><a href="/accounts/password/reset/">Forgot your password?</a></p>
${otherWays.map((way) => html`<a class="button quiet" href="${way.url}">Log in with ${way.name}</a>`)}
${isOpen && html`<p class="after">No account yet? <a href="/register/">Sign up</a></p>`}
${about(organization, url)}
<script>${new Html(KEEP_FRAGMENT)}</script>`;
  const { name } = organization.directory.organization;
  return page(layout({ heading: 'Log in', organization: name, icon: iconPath(organization), isRefused, content }), {
    inlineScript: KEEP_FRAGMENT_HASH,
    ...(isRefused && { status: 400 }),
    ...(pad !== undefined && { formsOpen: 'zulip:' as const }),
  });
}

/** The organization's own icon, so that people see where they log in. The generated ones are on another site. */
function iconPath({ directory }: Organization): string | undefined {
  const icon = pictureUrl(directory, directory.organization, 'icon');
  return icon.startsWith('/') ? icon : undefined;
}

/** The description of the organization. */
function about({ directory }: Organization, url: string): HtmlValue {
  const { organization } = directory;
  return (
    organization.description !== '' &&
    html`<div class="about">${new Html(renderedDescription(organization, url))}</div>`
  );
}

/** For apps that open the page and no longer work with this server. */
export function tooOldPage({ directory }: Organization): PageAnswer {
  const content = html`<p role="alert">This app is too old for this server. Install a newer one, or use a browser.</p>`;
  const { name } = directory.organization;
  return page(layout({ heading: 'Your app is too old', organization: name, isRefused: true, content }), {
    status: 400,
  });
}
