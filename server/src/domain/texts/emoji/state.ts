import { stateOfAll } from '../../../extension/initial-state.ts';
import { rememberedState } from '../../../extension/remembered-state.ts';
import { presentAllEmoji } from './present.ts';

const state = rememberedState(['emoji', 'organization'], (directory) => ({ realm_emoji: presentAllEmoji(directory) }));

export const customEmojiState = stateOfAll({ types: ['realm_emoji'], build: ({ directory }) => state(directory) });
