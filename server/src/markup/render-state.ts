import type { Env } from 'markdown-it';
import type { MarkupDirectory, RenderOptions } from './types.ts';

/** What one rendering carries through the shared parser. */
export interface RenderState extends Env {
  readonly directory: MarkupDirectory;
  readonly options: RenderOptions;
  /** Characters that were looked at for the ends of emphasis (`emphasis.ts`). */
  looked?: number;
}

/** The parser hands its `env` to every rule; all of ours are called with a `RenderState`. */
export function renderStateOf(env: Env): RenderState {
  return env as RenderState;
}
