/** Who sent a message of a Slack export. */
import { type Json, objectIn, textIn } from '../fields.ts';

/** Further names of a webhook are those of the account with its first one. */
const MAX_NAMES_PER_BOT = 100;

export interface SlackSender {
  readonly key: string;
  /** For a sender who is not among the users. */
  readonly name: string | undefined;
}

export class SlackSenders {
  readonly #names = new Map<string, Set<string>>();

  /** A user, or a webhook under one of its names: a message can choose the name. */
  of(message: Json): SlackSender | undefined {
    const [user, bot, chosen] = [textIn(message, 'user'), textIn(message, 'bot_id'), textIn(message, 'username')];
    const botName = chosen || textIn(objectIn(message, 'bot_profile'), 'name');
    if (user !== undefined)
      return { key: user, name: botName ?? textIn(objectIn(message, 'user_profile'), 'real_name') };
    if (bot !== undefined) return { key: this.#isNewName(bot, chosen) ? `${bot} ${chosen}` : bot, name: botName };
    return botName === undefined ? undefined : { key: botName, name: botName };
  }

  /** The first name of a webhook belongs to its own account. */
  #isNewName(bot: string, name: string | undefined): boolean {
    if (!name) return false;
    const names = this.#names.get(bot) ?? new Set();
    this.#names.set(bot, names);
    if (names.size < MAX_NAMES_PER_BOT) names.add(name);
    const [first] = names;
    return first !== name && names.has(name);
  }
}
