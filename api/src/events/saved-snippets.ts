import Type from 'typebox';
import { savedSnippet } from '../objects/saved-snippet.ts';

const common = { id: Type.Integer(), type: Type.Literal('saved_snippets') };

export const savedSnippetsEvent = Type.Union([
  Type.Object({ ...common, op: Type.Literal('add'), saved_snippet: savedSnippet }),
  Type.Object({ ...common, op: Type.Literal('update'), saved_snippet: savedSnippet }),
  Type.Object({ ...common, op: Type.Literal('remove'), saved_snippet_id: Type.Integer() }),
]);
