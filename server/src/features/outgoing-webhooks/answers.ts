/** What the response of a service means (public reference: "Outgoing webhooks", "Replying with a message"). */
import { ServiceInterface } from '../../directory/records.ts';
import { jsonCost, MAX_JSON_COST_MICROSECONDS } from '../../http/parameters/json-cost.ts';
import type { PostedAnswer, PostProblem } from './post.ts';

/** The reply of the bot. */
export interface Reply {
  readonly content: string;
  /** JSON; undefined: none. */
  readonly widget: string | undefined;
}

/** The service did not do what it should. */
export interface Failure {
  /** What the bot writes in the conversation. */
  readonly text: string;
  /** What the owner of the bot is informed of. */
  readonly reason: string;
  /** The response of the service, if there was one. */
  readonly payload?: string;
  /** Whether a retry may have another result. */
  readonly mayPass: boolean;
}

export type Outcome = { readonly reply: Reply | undefined } | { readonly failure: Failure };

export function outcomeOf({ status, text }: PostedAnswer, form: ServiceInterface): Outcome {
  if (status >= 200 && status < 300) return outcomeOfSuccess(text, form);
  const failure = {
    text: `Third party responded with ${status}`,
    reason: `The webhook got a response with status code *${status}*.`,
    payload: text,
    mayPass: status >= 500,
  };
  return { failure };
}

function outcomeOfSuccess(text: string, form: ServiceInterface): Outcome {
  let answer: unknown;
  try {
    if (jsonCost(text) > MAX_JSON_COST_MICROSECONDS) return { failure: refusal('Invalid JSON in response', text) };
    answer = JSON.parse(text);
  } catch {
    return { failure: refusal('Invalid JSON in response', text) };
  }
  // In older services this means: no reply.
  if (answer === '') return { reply: undefined };
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    return { failure: refusal('Invalid response format', text) };
  }
  const reply = (form === ServiceInterface.slack ? slackReply : genericReply)(answer as Fields);
  if (reply === undefined || reply.content.trim() === '') return { reply: undefined };
  if (reply.content.includes('\0')) return { failure: refusal('Message must not contain null bytes', text) };
  return { reply };
}

type Fields = Readonly<Record<string, unknown>>;

function genericReply(answer: Fields): Reply | undefined {
  if (answer.response_not_required) return undefined;
  // The older name. It had no widget.
  const older = asText(answer.response_string);
  if (older !== undefined) return { content: older, widget: undefined };
  const content = asText(answer.content);
  return content === undefined ? undefined : { content, widget: asText(answer.widget_content) };
}

function slackReply(answer: Fields): Reply | undefined {
  const content = asText(answer.text);
  return content === undefined ? undefined : { content, widget: undefined };
}

/** Undefined: the field is absent. */
function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
}

/** The reply of the service cannot be sent. */
export function refusal(message: string, payload: string): Failure {
  const reason =
    'The outgoing webhook server attempted to send a message in Zulip, but that request resulted in the following error:\n' +
    `> ${message.replaceAll(/\s+/g, ' ')}`;
  return { text: message, reason, payload, mayPass: false };
}

/** There was no response. */
export function failureOf(problem: Exclude<PostProblem, 'stopped'>, timeoutSeconds: number): Failure {
  return { text: 'Bot is unavailable', ...REASONS[problem](timeoutSeconds) };
}

const REASONS: Readonly<
  Record<Exclude<PostProblem, 'stopped'>, (timeoutSeconds: number) => Pick<Failure, 'reason' | 'mayPass'>>
> = {
  timeout: (seconds) => ({ reason: `Request timed out after ${seconds} seconds.`, mayPass: true }),
  unreachable: () => ({ reason: 'A connection error occurred. Is my bot server down?', mayPass: true }),
  'too-large': () => ({ reason: 'The webhook got a response that is too large.', mayPass: false }),
  forbidden: () => ({
    reason: 'The URL configured for the webhook is for a private or disallowed network.',
    mayPass: false,
  }),
};

export const NO_URL: Failure = {
  text: 'Bot is unavailable',
  reason: 'No URL is configured for the webhook.',
  mayPass: false,
};

/** The format has no direct messages. Only the conversation gets this text, since the service did nothing wrong. */
export const NO_DIRECT_MESSAGES = "Slack outgoing webhooks don't support direct messages.";
