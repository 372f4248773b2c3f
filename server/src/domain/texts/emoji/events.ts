import type { realmEmojiEvent } from '@heddle/api/events/realm-emoji.ts';
import type { Static } from 'typebox';
import type { Presenter } from '../../../directory/presenters.ts';
import { presentEmojiOf } from './present.ts';

/** The ids of the custom emoji after a change. Their other fields never change. */
export interface EmojiBody {
  readonly active: readonly number[];
  readonly deactivated: readonly number[];
}

export const emojiPresenter: Presenter = {
  present(event, _settings, _viewer, directory): Omit<Static<typeof realmEmojiEvent>, 'id'> {
    const { active, deactivated } = event.body as EmojiBody;
    return { type: 'realm_emoji', op: 'update', realm_emoji: presentEmojiOf(directory, active, deactivated) };
  },
};
