import type { Env } from 'markdown-it';
import type { MarkupDirectory, RenderOptions } from './types.ts';

/** The state of one rendering, which goes through the shared parser. */
export interface RenderState extends Env {
  readonly directory: MarkupDirectory;
  readonly options: RenderOptions;
  /** Characters that the search for the ends of emphasis has looked at (`emphasis.ts`). */
  looked?: number;
  /** Groups that the text mentions, but not silently (`mentions.ts`). */
  loudGroups?: Set<number>;
}

/** The parser passes its `env` to every rule. Here it is always a `RenderState`. */
export function renderStateOf(env: Env): RenderState {
  return env as RenderState;
}
