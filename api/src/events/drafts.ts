import Type from 'typebox';
import { draft } from '../objects/draft.ts';

const common = { id: Type.Integer(), type: Type.Literal('drafts') };

export const draftsEvent = Type.Union([
  Type.Object({ ...common, op: Type.Literal('add'), drafts: Type.Array(draft) }),
  Type.Object({ ...common, op: Type.Literal('update'), draft }),
  Type.Object({ ...common, op: Type.Literal('remove'), draft_id: Type.Integer() }),
]);
