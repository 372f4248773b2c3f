import type { Connection } from '@heddle/client/calls/connection.ts';
import { createBot, getBotApiKey } from '@heddle/client/calls/operations.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { BOT_TYPES } from '@heddle/client/model/permissions/permissions.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { matcherOf } from '../../base/text-filter.ts';
import { useChanges } from '../../base/use-changes.ts';
import { useDerived } from '../../base/use-derived.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { ComboBox } from '../../design/combo-box.tsx';
import { Form, FormActions, FormSection } from '../../design/form.tsx';
import { Select } from '../../design/select.tsx';
import { TextField } from '../../design/text-field.tsx';
import { ChannelMark } from '../../shown/channel-mark.tsx';
import { channelName, userName } from '../../shown/names.ts';
import { suggestedShortName } from '../bots/bot-texts.ts';
import { refusalText } from '../reasons.ts';
import { useAction } from '../saving.ts';
import type { Integration, Target } from './integration.ts';

/** The maximum length of the name of a bot, in characters. */
const MAX_NAME_CHARACTERS = 100;
/** How many channels the list shows. */
const MAX_CHANNELS = 50;
/** The key of the choice that is no bot. */
const NEW_BOT = 'new';

/** A bot that posts the messages. */
export interface Bot extends Pick<Target, 'apiKey'> {
  readonly botId: number;
}

/** Where it posts them. */
export type Place = Omit<Target, 'apiKey'>;

interface IntegrationSetupProps {
  readonly integration: Integration;
  readonly place: Place;
  readonly onPlace: (place: Place) => void;
  /** Undefined until the bot was created, or its key was fetched. */
  readonly bot: Bot | undefined;
  readonly onBot: (bot: Bot | undefined) => void;
}

/** Chooses where the messages go, and creates the bot that posts them. */
export function IntegrationSetup({ integration, place, onPlace, bot, onBot }: IntegrationSetupProps): ReactNode {
  const { model, connection } = useApp();
  useChanges(model.permissions.changes);
  const bots = useDerived([model.users.changes], () => ownBots(model), [model]);
  const refusal = refusalText(model, model.permissions.createBot(BOT_TYPES.incomingWebhook));
  const [chosen, setChosen] = useState(() => (refusal === undefined ? NEW_BOT : String(bots[0]?.id ?? NEW_BOT)));
  const [name, setName] = useState(() => freeName(model, integration.title));
  const action = useAction();
  const isNew = chosen === NEW_BOT;

  const choose = (key: string) => {
    setChosen(key);
    setName(freeName(model, integration.title));
    onBot(undefined);
  };
  const submit = async () => {
    if (bot !== undefined || (isNew && name.trim() === '')) return;
    await action.run(async () => {
      const used = isNew
        ? await createdBot(connection, model, integration, name)
        : await existingBot(connection, Number(chosen));
      setChosen(String(used.botId));
      onBot(used);
    });
  };

  if (refusal !== undefined && bots.length === 0) {
    return (
      <FormSection title={t('Bot and place')}>
        <Banner>
          {t('A bot posts the messages, and you cannot create bots.')} {refusal}
        </Banner>
      </FormSection>
    );
  }
  return (
    <FormSection title={t('Bot and place')}>
      <Form onSubmit={submit}>
        <PlaceFields integration={integration} place={place} onChange={onPlace} />
        {(bots.length > 0 || refusal !== undefined || bot !== undefined) && (
          <Select
            label={t('Bot')}
            options={[
              ...(refusal === undefined ? [{ key: NEW_BOT, label: t('A new bot') }] : []),
              ...bots.map(({ id }) => ({ key: String(id), label: userName(model, id) })),
            ]}
            value={chosen}
            onChange={choose}
            description={refusal === undefined ? undefined : `${t('You cannot create bots.')} ${refusal}`}
          />
        )}
        {isNew && (
          <TextField
            label={t('Name of the bot')}
            value={name}
            onChange={setName}
            limit={MAX_NAME_CHARACTERS}
            isRequired
          />
        )}
        {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
        {bot === undefined && (
          <FormActions>
            <Button kind="primary" type="submit" isDisabled={isNew && name.trim() === ''} isPending={action.isPending}>
              {isNew ? t('Create the bot') : t('Show the URL')}
            </Button>
          </FormActions>
        )}
      </Form>
    </FormSection>
  );
}

/** Creates the bot, with an address that is free. */
async function createdBot(connection: Connection, model: Model, { title }: Integration, name: string): Promise<Bot> {
  const { user_id: botId, api_key: apiKey } = await createBot(connection, {
    full_name: name.trim(),
    short_name: freeShortName(model, suggestedShortName(name) || suggestedShortName(title)),
    bot_type: BOT_TYPES.incomingWebhook,
  });
  return { botId, apiKey };
}

async function existingBot(connection: Connection, botId: number): Promise<Bot> {
  const { api_key: apiKey } = await getBotApiKey(connection, { bot_id: botId });
  return { botId, apiKey };
}

interface PlaceFieldsProps {
  readonly integration: Integration;
  readonly place: Place;
  readonly onChange: (place: Place) => void;
}

function PlaceFields({ integration, place, onChange }: PlaceFieldsProps): ReactNode {
  const { model } = useApp();
  useChanges(model.channels.changes);
  const { channelId, topic, secret } = place;
  return (
    <>
      <ComboBox
        label={t('Channel')}
        value={channelId === undefined ? null : channelOption(model, channelId)}
        onChange={(key) => onChange(movedTo(model, place, key === null ? undefined : Number(key)))}
        search={(text) => channelsFor(model, text).map((id) => channelOption(model, id))}
        description={t('Without a channel, the bot writes to you.')}
        emptyText={t('You cannot post in a channel of this name.')}
      />
      {channelId !== undefined && topic !== '' && (
        <TextField
          label={t('Topic')}
          value={topic ?? ''}
          onChange={(next) => onChange({ ...place, topic: next.trim() === '' ? undefined : next })}
          limit={model.organization.limits.topic_length}
          description={t('Without a topic, each message gets one from its subject.')}
        />
      )}
      {integration.is_signed && (
        <TextField
          label={t('Secret')}
          value={secret}
          onChange={(next) => onChange({ ...place, secret: next.trim() })}
          autoComplete="off"
          description={t('Optional. It must be the same as at {title}. Requests without it are then refused.', {
            title: integration.title,
          })}
        />
      )}
    </>
  );
}

/** The place in another channel. Some channels have only the topic without a name. */
function movedTo(model: Model, { topic, ...place }: Place, channelId: number | undefined): Place {
  const channel = channelId === undefined ? undefined : model.channels.get(channelId);
  const hasTopics = channel === undefined || model.permissions.channels.topic(channel, 'any').allowed;
  return { ...place, channelId, topic: hasTopics ? topic || undefined : '' };
}

function channelOption(model: Model, id: number) {
  return {
    key: String(id),
    label: channelName(model, id),
    icon: <ChannelMark channel={model.channels.get(id)} />,
  };
}

/** The channels of this name where the user may post, and so their bot. Those of the user come first. */
function channelsFor(model: Model, text: string): readonly number[] {
  const matches = matcherOf(text);
  const collator = new Intl.Collator();
  return [...model.channels.all.values()]
    .filter((channel) => matches(channel.name) && model.permissions.channels.post(channel).allowed)
    .sort((a, b) => Number(b.isSubscribed) - Number(a.isSubscribed) || collator.compare(a.name, b.name))
    .slice(0, MAX_CHANNELS)
    .map(({ id }) => id);
}

/** The incoming webhook bots of the user. */
function ownBots(model: Model) {
  const collator = new Intl.Collator();
  return [...model.users.all.values()]
    .filter(
      ({ isBot, isActive, botType, botOwnerId }) =>
        isBot && isActive && botType === BOT_TYPES.incomingWebhook && botOwnerId === model.ownId,
    )
    .sort((a, b) => collator.compare(a.name, b.name));
}

/** The name, or the name with a number if another user has it. */
function freeName(model: Model, name: string): string {
  return firstFree(name, ' ', (one) => model.users.byName(one).some(({ isActive }) => isActive));
}

function freeShortName(model: Model, shortName: string): string {
  const host = model.organization.settings.bot_domain ?? window.location.hostname;
  return firstFree(shortName, '-', (one) => model.users.byAddress(`${one}-bot@${host}`) !== undefined);
}

/** Ends, because the number of users is finite. */
function firstFree(name: string, separator: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number += 1) free = `${name}${separator}${number}`;
  return free;
}
