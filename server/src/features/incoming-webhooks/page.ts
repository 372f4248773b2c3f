import type { PageView } from '../../domain/organizations/organization-pictures/organization-page.ts';
import { type PageAnswer, page } from '../../http/answers/answers.ts';
import type { Language } from '../../languages/language.ts';
import { field } from '../../pages/forms.ts';
import { type Html, type HtmlValue, html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';
import { type Rich, richIn } from '../../pages/rich.ts';
import { INTEGRATIONS } from './all-integrations.ts';
import type { IgnoredEvents, Integration } from './integration.ts';

export interface IntegrationsPage {
  /** The address of the organization. */
  readonly url: string;
  readonly isLoggedIn: boolean;
  /** The incoming webhook bots of the user. */
  readonly bots: readonly { readonly id: number; readonly name: string; readonly isChosen: boolean }[];
  /** That of the chosen bot. */
  readonly apiKey: string | undefined;
  readonly channel: string | undefined;
  readonly topic: string | undefined;
}

/** The page that lists the integrations. Each has its URL in a field, to copy it. */
export function integrationsPage({ organization, language, path }: PageView, of: IntegrationsPage): PageAnswer {
  const { t } = language;
  const rich = richIn(language);
  const logIn = rich(
    '<link>Log in</link> to see the URLs of your bots.',
    {},
    { link: linkTo('/login/?next=/integrations/') },
  );
  const filters = rich('Every URL also accepts {only} and {exclude} with a list such as {list}.', {
    only: code('only_events'),
    exclude: code('exclude_events'),
    list: code('["push*"]'),
  });
  const content = html`
<p>${t('Other services can post messages here. Each needs a URL with the API key of a bot.')}</p>
${of.isLoggedIn && inApp(rich)}
${of.isLoggedIn ? choice(language, of) : html`<p>${logIn}</p>`}
${of.apiKey !== undefined && html`<p>${t('The URLs contain the key of the bot. Treat them like passwords.')}</p>`}
${INTEGRATIONS.map((integration) => entry(language, integration, of))}
<p class="after">${filters}</p>`;
  const { name } = organization.directory.organization;
  return page(layout({ language, path, heading: t('Integrations'), organization: { name }, content }));
}

const linkTo = (path: string) => (inner: HtmlValue) => html`<a href="${path}">${inner}</a>`;

function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** The gallery of the app needs scripts. This page does not. */
function inApp(rich: Rich): Html {
  const text = rich(
    '<link>Choose one in the app</link>. It creates the bot, and sends a test message.',
    {},
    { link: linkTo('/#settings/integrations') },
  );
  return html`<p>${text}</p>`;
}

/** The form fills the URLs in. It changes nothing, so it needs no token. */
function choice(language: Language, { bots, channel, topic }: IntegrationsPage): Html {
  const { t } = language;
  if (bots.length === 0) {
    const create = richIn(language)(
      'You have no incoming webhook bot. <link>Create one in your settings</link>, then reload this page.',
      {},
      { link: linkTo('/#settings/your-bots') },
    );
    return html`<p>${create}</p>`;
  }
  const options = bots.map(
    // not translated: an attribute
    ({ id, name, isChosen }) => html`<option value="${id}"${isChosen && html` selected`}>${name}</option>`,
  );
  return html`<form method="get" action="/integrations/">
<div class="field"><label for="bot">${t('Bot')}</label>
<select id="bot" name="bot">${options}</select></div>
${field(language, { name: 'stream', label: t('Channel'), autocomplete: 'off', value: channel, isOptional: true, hint: t('Without a channel, the bot writes to you.') })}
${field(language, { name: 'topic', label: t('Topic'), autocomplete: 'off', value: topic, isOptional: true, hint: t('Without a topic, the integration chooses one.') })}
<button type="submit">${t('Show the URLs')}</button>
</form>`;
}

function entry(language: Language, integration: Integration, of: IntegrationsPage): Html {
  const { name, title, gallery, isSigned, events, ignored } = integration;
  const { t } = language;
  const signed = richIn(language)('With {parameter}, requests without a valid signature are refused.', {
    parameter: code('&webhook_secret=…'),
  });
  return html`<section>
<h2 id="${name}">${title}</h2>
<p>${t(gallery.summary)}</p>
<ol>${gallery.steps.map((step) => html`<li>${t(step)}</li>`)}</ol>
${gallery.template !== '' && html`<pre>${gallery.template}</pre>`}
${field(language, { name: `url-${name}`, label: t('URL for {title}', { title }), autocomplete: 'off', value: urlOf(name, of), isReadOnly: true, isOptional: true })}
${isSigned !== undefined && html`<p class="hint">${signed}</p>`}
${events.length > 0 && html`<details><summary>${t('Events')}</summary><p>${events.join(', ')}</p></details>`}
${Object.keys(ignored).length > 0 && html`<details><summary>${t('Events without a message')}</summary><ul>${ignoredEvents(ignored)}</ul></details>`}
</section>`;
}

/** The reasons are English. */
function ignoredEvents(ignored: IgnoredEvents): readonly Html[] {
  return Object.entries(ignored).map(
    ([name, reason]) => html`<li>${code(name)}: <span lang="en">${reason}</span></li>`,
  );
}

function urlOf(name: string, { url, apiKey, channel, topic }: IntegrationsPage): string {
  const query = new URLSearchParams({
    ...(apiKey !== undefined && { api_key: apiKey }),
    ...(channel !== undefined && { stream: channel }), // wire name: the parameter of the URL
    ...(topic !== undefined && { topic }),
  });
  // A placeholder is not a key, so it is not encoded.
  const given = query.toString();
  const placeholders = apiKey === undefined ? 'api_key=API_KEY&stream=CHANNEL' : ''; // wire name: the parameter of the URL
  return `${url}/api/v1/external/${name}?${[placeholders, given].filter((part) => part !== '').join('&')}`;
}
