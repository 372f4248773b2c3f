/** Runs a bot: a program that answers messages. */
import { Connection, type ConnectionOptions, type KeyCredentials } from '../calls/connection.ts';
import { getOwnUser } from '../calls/operations.ts';
import type { AnnouncedMessage, EventOfType } from '../calls/types.ts';
import { Replies } from './replies.ts';
import { keepTrying } from './retrying.ts';
import { Session, type SessionOptions } from './session.ts';

/** Sends a text to the topic or the people of the message. Returns the ID of the new message. */
export type Reply = (content: string) => Promise<number>;

export type BotAccount = KeyCredentials & Pick<ConnectionOptions, 'url' | 'clientName'>;

export interface BotOptions extends Pick<SessionOptions, 'onStatus' | 'onProblem'> {
  /**
   * Called with each new message of others that the bot receives, one after the other. `message.content` is Markdown.
   * `event.flags` says, for example, whether the bot is mentioned.
   */
  readonly onMessage: (message: AnnouncedMessage, reply: Reply, event: EventOfType<'message'>) => unknown;
  /** Called if `onMessage` throws or rejects. By default the error is printed. The bot continues. */
  readonly onError?: (error: unknown, message: AnnouncedMessage) => void;
  /** Whether the bot gets the messages of all public channels. By default only those of its own channels. */
  readonly allPublicChannels?: boolean;
}

export interface RunningBot {
  readonly connection: Connection;
  readonly session: Session;
  /** Resolves after `stop`. Rejects if the server refuses the account. */
  readonly stopped: Promise<void>;
  /** Ends the bot and its queue. It does not wait for `onMessage`. */
  stop(): Promise<void>;
}

/**
 * Runs a bot until it is stopped. It reconnects after failures of the network and restarts of the server, and it misses no message while
 * its queue lives (ten minutes by default).
 *
 * @throws TypeError if `url` is not a URL
 * @example
 * const bot = runBot(
 *   { url, email, apiKey },
 *   { onMessage: ({ content }, reply) => reply(`You said: ${content}`) },
 * );
 * await bot.stop();
 */
export function runBot({ email, apiKey, ...options }: BotAccount, bot: BotOptions): RunningBot {
  const connection = new Connection({ ...options, credentials: { email, apiKey } });
  const { onStatus, onProblem } = bot;
  const session = new Session({
    connection,
    registration: {
      event_types: ['message'],
      fetch_event_types: [],
      all_public_streams: bot.allPublicChannels ?? false,
      client_capabilities: { empty_topic_name: true },
    },
    ...(onStatus && { onStatus }),
    ...(onProblem && { onProblem }),
  });
  const ended = new AbortController();
  const stopped = answerAll(connection, session, bot, ended.signal).finally(() => {
    ended.abort();
    return session.stop();
  });
  return {
    connection,
    session,
    stopped,
    async stop() {
      ended.abort();
      await session.stop({ deleteQueue: true });
    },
  };
}

async function answerAll(
  connection: Connection,
  session: Session,
  { onMessage, onError = printError }: BotOptions,
  signal: AbortSignal,
): Promise<void> {
  // The session starts at once, so that no later message is missed.
  const events = session.events();
  const own = await keepTrying(() => getOwnUser(connection, {}, { signal }), signal);
  if (own === undefined) return;
  const replies = new Replies(connection, own.user_id, signal);
  for await (const event of events) {
    if (event.type !== 'message' || event.message.sender_id === own.user_id) continue;
    const { message } = event;
    try {
      await onMessage(message, (content) => replies.send(message, content), event);
    } catch (error) {
      if (!signal.aborted) onError(error, message);
    }
    if (signal.aborted) return;
  }
}

function printError(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: a bot without `onError` has no other place
  console.error(error);
}
