import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import { type ComposeTarget, draftTargetOf, placeOfTarget } from '../target/target.ts';
import type { BoxText } from '../text/box-text.ts';
import type { DraftsSync } from './drafts-sync.ts';
import type { LiveSession } from './live-sessions.ts';

/** A new message with the draft that keeps it: in the box, or while it waits for its files. */
export abstract class DraftedText implements LiveSession {
  abstract readonly text: BoxText;
  protected readonly drafts: DraftsSync;
  protected readonly ownId: number;
  /** Undefined until there is a text to keep. */
  draftId: string | undefined;
  #target: ComposeTarget;

  constructor(drafts: DraftsSync, ownId: number, target: ComposeTarget) {
    this.drafts = drafts;
    this.ownId = ownId;
    this.#target = target;
  }

  get target(): ComposeTarget {
    return this.#target;
  }

  get place(): Place | undefined {
    return placeOfTarget(this.#target, this.ownId);
  }

  get placeKey(): string | undefined {
    const { place } = this;
    return place === undefined ? undefined : keyOf(place);
  }

  setTarget(target: ComposeTarget): void {
    this.#target = target;
    this.save();
  }

  save(): void {
    this.draftId = this.drafts.save(this.draftId, draftTargetOf(this.#target), this.text.value);
  }

  /** The text can be in another draft since it was sent or continued elsewhere, so this looks at all of this page. */
  replaceStored(part: string, text: string): boolean {
    return this.drafts.replaceIn(part, text);
  }
}
