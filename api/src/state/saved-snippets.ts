import Type from 'typebox';
import { savedSnippet } from '../objects/saved-snippet.ts';

export const savedSnippetsState = { saved_snippets: Type.Optional(Type.Array(savedSnippet)) };
