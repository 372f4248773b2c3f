/** What the app knows of an integration, and the URL that its service gets. */
import type { Connection } from '@heddle/client/calls/connection.ts';
import { ApiError, UnexpectedAnswerError } from '@heddle/client/calls/errors.ts';
import { type GetIntegrationsResponse, getIntegrationSample } from '@heddle/client/calls/operations.ts';
import { type Message, msg, t } from '../../base/i18n.ts';

export type Integration = GetIntegrationsResponse['integrations'][number];

const CATEGORIES: Readonly<Record<string, Message>> = {
  'Version control': msg('Version control'),
  'Continuous integration': msg('Continuous integration'),
  'Project management': msg('Project management'),
  Monitoring: msg('Monitoring'),
  'Incidents and on-call': msg('Incidents and on-call'),
  'Customer support': msg('Customer support'),
  Business: msg('Business'),
  'Other programs': msg('Other programs'),
};

/** The name of a category. A newer server can have others. */
export function categoryName(category: string): string {
  const name = CATEGORIES[category];
  return name === undefined ? category : t(name);
}

/** The other programs come last. */
const LAST_CATEGORY = 'Other programs';

/** The integrations of each category, by the names of the categories. */
export function byCategory(
  integrations: readonly Integration[],
): readonly (readonly [category: string, integrations: readonly Integration[]])[] {
  const collator = new Intl.Collator();
  return [...Map.groupBy(integrations, ({ category }) => category)].sort(
    ([one], [other]) =>
      Number(one === LAST_CATEGORY) - Number(other === LAST_CATEGORY) ||
      collator.compare(categoryName(one), categoryName(other)),
  );
}

/** What the service calls: with which bot, and where the bot writes. */
export interface Target {
  readonly apiKey: string;
  /** Undefined: to the owner of the bot. */
  readonly channelId: number | undefined;
  /** Undefined: the integration chooses it. Empty: the topic without a name. */
  readonly topic: string | undefined;
  /** Empty: requests need no signature. */
  readonly secret: string;
}

/** The path and the query of the URL for the service. The ID of the channel stays when the channel gets another name. */
export function pathOf(name: string, { apiKey, channelId, topic, secret }: Target): string {
  const query = new URLSearchParams({
    api_key: apiKey,
    ...(channelId !== undefined && { stream: String(channelId) }), // wire name: the parameter of the URL
    ...(channelId !== undefined && topic !== undefined && { topic: topic.trim() }),
    ...(secret !== '' && { webhook_secret: secret }),
  });
  return `/api/v1/external/${encodeURIComponent(name)}?${query}`;
}

/**
 * Sends a recorded request of the service to the URL. It is not signed, so it goes without the secret.
 * @throws ApiError, NetworkError, UnexpectedAnswerError
 */
export async function sendTestMessage(connection: Connection, name: string, target: Target): Promise<void> {
  const { headers, body } = await getIntegrationSample(connection, { integration: name });
  const path = pathOf(name, { ...target, secret: '' });
  const request = { method: 'POST', headers, body: new Blob([body], { type: 'application/json' }) };
  const { response, text } = await connection.send(path, request);
  if (response.ok) return;
  const shown = { method: 'POST', path: `/external/${name}` };
  const refusal = refusalIn(text);
  if (refusal === undefined) throw new UnexpectedAnswerError(shown, response, text);
  throw new ApiError({
    request: shown,
    status: response.status,
    code: refusal.code,
    message: refusal.msg,
    fields: {},
    retryAfter: undefined,
  });
}

/** The reason of a refusal; undefined if something else than the server responded. */
function refusalIn(text: string): { readonly code: string; readonly msg: string } | undefined {
  try {
    const answer = JSON.parse(text);
    return typeof answer?.msg === 'string' && typeof answer.code === 'string' ? answer : undefined;
  } catch {
    return undefined;
  }
}
