/** Who sent a message of a Slack export. */
import type { ArchiveFiles } from '../archives/archive-files.ts';
import { type Json, objectIn, textIn } from '../fields.ts';
import { isObject } from '../json.ts';
import { readJsonItems } from '../json-items.ts';

/** Further names of a webhook are those of the account with its first one. */
const MAX_NAMES_PER_BOT = 100;

/** Slack's own bot. An export does not describe it. */
export const SLACKBOT = { key: 'USLACKBOT', name: 'Slackbot' } as const;

export const INTEGRATIONS_FILE = 'integration_logs.json';
/** Names of integrations that are kept in memory. */
const MAX_INTEGRATIONS = 20_000;

/** The names of integrations, by the ids of their bots, services and apps. */
export async function readIntegrations(archive: ArchiveFiles): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  if (!archive.files.has(INTEGRATIONS_FILE)) return names;
  for await (const { item } of readJsonItems(await archive.open(INTEGRATIONS_FILE), INTEGRATIONS_FILE)) {
    if (!isObject(item)) continue;
    const name = ['service_type', 'app_type', 'bot_name', 'app_name', 'name']
      .map((field) => textIn(item, field))
      .find(Boolean);
    for (const field of ['bot_id', 'service_id', 'app_id']) {
      const id = textIn(item, field);
      if (name !== undefined && id && names.size < MAX_INTEGRATIONS) names.set(id, name);
    }
  }
  return names;
}

export interface SlackSender {
  readonly key: string;
  /** For a sender who is not among the users. */
  readonly name: string | undefined;
}

export class SlackSenders {
  readonly #names = new Map<string, Set<string>>();
  readonly #integrations: ReadonlyMap<string, string>;

  constructor(integrations: ReadonlyMap<string, string>) {
    this.#integrations = integrations;
  }

  /** A user, or a webhook under one of its names: a message can choose the name. */
  of(message: Json): SlackSender | undefined {
    const [user, bot, chosen] = [userIn(message), textIn(message, 'bot_id'), textIn(message, 'username')];
    const profile = objectIn(message, 'bot_profile');
    const botName = chosen || textIn(profile, 'name') || this.#integrationOf([message, profile]);
    if (user === SLACKBOT.key) return SLACKBOT;
    if (user !== undefined) return { key: user, name: botName ?? nameOfUser(objectIn(message, 'user_profile')) };
    if (bot !== undefined) return { key: this.#isNewName(bot, chosen) ? `${bot} ${chosen}` : bot, name: botName };
    return botName === undefined ? undefined : { key: botName, name: botName };
  }

  #integrationOf(objects: readonly Json[]): string | undefined {
    const ids = objects.flatMap((object) => ['bot_id', 'service_id', 'app_id'].map((field) => textIn(object, field)));
    return ids.map((id) => (id === undefined ? undefined : this.#integrations.get(id))).find(Boolean);
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

/** Until 2018, a comment on a file named its author in the comment only, and some shared files had none but that of the file. */
function userIn(message: Json): string | undefined {
  const own = textIn(message, 'user') || textIn(objectIn(message, 'comment'), 'user');
  const isOfBot = Boolean(textIn(message, 'bot_id') || textIn(message, 'username'));
  return own || (isOfBot ? undefined : textIn(objectIn(message, 'file'), 'user')) || undefined;
}

function nameOfUser(profile: Json): string | undefined {
  return ['real_name', 'display_name', 'name'].map((field) => textIn(profile, field)).find(Boolean);
}
