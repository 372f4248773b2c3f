/** The requests to services, in both formats (public reference: "Outgoing webhook payloads"). */
import { type BotService, ServiceInterface, type UserRecord } from '../../directory/records.ts';
import type { MessageContent } from '../../domain/messages/messages/message-body.ts';
import { presentMessage } from '../../domain/messages/messages/present.ts';
import type { Posting } from './post.ts';
import type { Trigger } from './triggers.ts';

export interface BotRequest {
  readonly bot: UserRecord;
  readonly service: BotService;
  readonly token: string;
  readonly trigger: Trigger;
  readonly messageId: number;
  readonly message: MessageContent;
  readonly organization: { readonly id: number; readonly host: string };
}

/** Undefined: the format of the service has no direct messages. */
export function postingOf(request: BotRequest): Posting | undefined {
  const { url, interface: form } = request.service;
  if (form !== ServiceInterface.slack)
    return { url, contentType: 'application/json', body: JSON.stringify(generic(request)) };
  const { channel } = request.message;
  if (channel === null) return undefined;
  const body = new URLSearchParams(slack(request, channel)).toString();
  return { url, contentType: 'application/x-www-form-urlencoded', body };
}

function generic({ bot, token, trigger, messageId, message }: BotRequest) {
  const presentation = { applyMarkdown: false, clientGravatar: false, knowsEmptyTopic: true };
  return {
    bot_email: bot.email,
    bot_full_name: bot.fullName,
    data: message.content,
    message: { ...presentMessage(messageId, message, presentation), rendered_content: message.renderedContent },
    token,
    trigger,
  };
}

function slack(
  { bot, token, trigger, message, organization }: BotRequest,
  channel: { readonly id: number; readonly name: string },
) {
  return {
    token,
    team_id: `T${organization.id}`,
    team_domain: organization.host,
    channel_id: `C${channel.id}`,
    channel_name: channel.name,
    thread_ts: `${message.sentAt}`,
    timestamp: `${message.sentAt}`,
    user_id: `U${message.sender.id}`,
    user_name: message.sender.fullName,
    text: message.content,
    trigger_word: trigger,
    service_id: `${bot.id}`,
  };
}
