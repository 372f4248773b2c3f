import Type from 'typebox';
import { draft } from '../objects/draft.ts';

export const draftsState = {
  drafts: Type.Optional(Type.Array(draft, { description: 'The last edited draft is first' })),
};
