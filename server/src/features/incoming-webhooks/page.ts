import { type PageAnswer, page } from '../../http/answers/answers.ts';
import { languageFor } from '../../languages/language.ts';
import { field } from '../../pages/forms.ts';
import { type Html, html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';
import { INTEGRATIONS } from './all-integrations.ts';
import type { IgnoredEvents, Integration } from './integration.ts';

export interface IntegrationsPage {
  /** Its name. */
  readonly organization: string;
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

/** The page is a reference for developers, like the documentation of the API. The app shows the integrations in its languages. */
// not translated, the whole file: documentation for developers is English.
const ENGLISH = languageFor(['en']);

/** The page that lists the integrations. Each has its URL in a field, to copy it. */
export function integrationsPage(of: IntegrationsPage): PageAnswer {
  const content = html`
<p>Other services can post messages here. Each needs a URL with the API key of a bot.</p>
${of.isLoggedIn && inApp}
${of.isLoggedIn ? choice(of) : html`<p><a href="/login/?next=/integrations/">Log in</a> to see the URLs of your bots.</p>`}
${of.apiKey !== undefined && html`<p>The URLs contain the key of the bot. Treat them like passwords.</p>`}
${INTEGRATIONS.map((integration) => entry(integration, of))}
<p class="after">Every URL also accepts <code>only_events</code> and <code>exclude_events</code> with a list such as <code>["push*"]</code>.</p>`;
  return page(layout({ language: ENGLISH, heading: 'Integrations', organization: { name: of.organization }, content }));
}

/** The gallery of the app needs scripts. This page does not. */
const inApp = html`<p><a href="/#settings/integrations">Choose one in the app</a>. It creates the bot, and sends a test message.</p>`;

/** The form fills the URLs in. It changes nothing, so it needs no token. */
function choice({ bots, channel, topic }: IntegrationsPage): Html {
  if (bots.length === 0) {
    return html`<p>You have no incoming webhook bot. <a href="/#settings/your-bots">Create one in your settings</a>, then reload this page.</p>`;
  }
  return html`<form method="get" action="/integrations/">
<div class="field"><label for="bot">Bot</label>
<select id="bot" name="bot">${bots.map(
    ({ id, name, isChosen }) => html`<option value="${id}"${isChosen && html` selected`}>${name}</option>`,
  )}</select></div>
${field(ENGLISH, { name: 'stream', label: 'Channel', autocomplete: 'off', value: channel, isOptional: true, hint: 'Without a channel, the bot writes to you.' })}
${field(ENGLISH, { name: 'topic', label: 'Topic', autocomplete: 'off', value: topic, isOptional: true, hint: 'Without a topic, the integration chooses one.' })}
<button type="submit">Show the URLs</button>
</form>`;
}

function entry({ name, title, gallery, isSigned, events, ignored }: Integration, of: IntegrationsPage): Html {
  return html`<section>
<h2 id="${name}">${title}</h2>
<p>${gallery.summary}</p>
<ol>${gallery.steps.map((step) => html`<li>${step}</li>`)}</ol>
${gallery.template !== '' && html`<pre>${gallery.template}</pre>`}
${field(ENGLISH, { name: `url-${name}`, label: `URL for ${title}`, autocomplete: 'off', value: urlOf(name, of), isReadOnly: true, isOptional: true })}
${isSigned !== undefined && html`<p class="hint">With <code>&amp;webhook_secret=…</code>, requests without a valid signature are refused.</p>`}
${events.length > 0 && html`<details><summary>Events</summary><p>${events.join(', ')}</p></details>`}
${Object.keys(ignored).length > 0 && html`<details><summary>Events without a message</summary><ul>${ignoredEvents(ignored)}</ul></details>`}
</section>`;
}

function ignoredEvents(ignored: IgnoredEvents): readonly Html[] {
  return Object.entries(ignored).map(([name, reason]) => html`<li><code>${name}</code>: ${reason}</li>`);
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
