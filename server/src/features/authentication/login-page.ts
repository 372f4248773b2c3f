import { organizationSetting } from '../../access/organization-settings.ts';
import type { Organization } from '../../directory/organization.ts';
import { organizationPage, type PageView } from '../../domain/organizations/organization-pictures/organization-page.ts';
import { renderedDescription } from '../../domain/organizations/organizations/present.ts';
import type { PageAnswer } from '../../http/answers/answers.ts';
import { errorSummary, field, form, type Problems } from '../../pages/forms.ts';
import { Html, type HtmlValue, html } from '../../pages/html.ts';
import { richIn } from '../../pages/rich.ts';
import type { Destination } from './after-login.ts';

export interface LoginPage {
  readonly view: PageView;
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
  const { view, url, csrfToken, destination, otherWays, takesNames, username, problems = {} } = of;
  const { organization, language } = view;
  const { t } = language;
  const isRefused = Object.keys(problems).length > 0;
  const { mobile_flow_otp: pad, desktop_flow_otp: desktopKey } = destination;
  const isOpen = !organizationSetting(organization.directory, 'invite_required');
  const signUp = richIn(language)(
    'No account yet? <link>Sign up</link>',
    {},
    {
      link: (inner) => html`<a href="/register/">${inner}</a>`,
    },
  );
  const content = html`
${errorSummary(language, problems)}
${pad !== undefined && html`<p>${t('When you are logged in, this page opens your app again.')}</p>`}
${desktopKey !== undefined && html`<p>${t('When you are logged in, this page shows a token for your app.')}</p>`}
${form({
  action: '/login/',
  csrfToken,
  hidden: { ...destination },
  submit: t('Log in'),
  content: html`
${field(language, {
  name: 'username',
  label: takesNames ? t('Email address or user name') : t('Email address'),
  type: takesNames ? 'text' : 'email',
  autocomplete: 'username',
  value: username,
  problem: problems.username,
  isFirst: !isRefused,
})}
${field(language, { name: 'password', label: t('Password'), type: 'password', autocomplete: 'current-password', problem: problems.password })}`,
})}
<p class="after"><a href="/accounts/password/reset/">${t('Forgot your password?')}</a></p>
${otherWays.map((way) => html`<a class="button quiet" href="${way.url}">${t('Log in with {name}', { name: way.name })}</a>`)}
${isOpen && html`<p class="after">${signUp}</p>`}`;
  return organizationPage(
    view,
    { heading: t('Log in'), isRefused, hasScript: true, description: about(organization, url), content },
    { ...(isRefused && { status: 400 }), ...(pad !== undefined && { formsOpen: 'zulip:' as const }) },
  );
}

/** The description of the organization; undefined if it has none. */
function about({ directory }: Organization, url: string): HtmlValue {
  const { organization } = directory;
  return organization.description === '' ? undefined : new Html(renderedDescription(organization, url));
}

/** For apps that open the page and no longer work with this server. */
export function tooOldPage(view: PageView): PageAnswer {
  const { t } = view.language;
  const content = html`<p role="alert">${t('This app is too old for this server. Install a newer one, or use a browser.')}</p>`;
  return organizationPage(view, { heading: t('Your app is too old'), isRefused: true, content }, { status: 400 });
}
