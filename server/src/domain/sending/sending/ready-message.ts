import type { Directory } from '../../../directory/directory.ts';
import type { LinkableFiles } from '../../uploads/links.ts';
import { filesNamedIn } from '../../uploads/names.ts';
import { type Draft, type Prepared, prepareMessage } from './prepare.ts';

/** A message that is checked and rendered before the transaction that sends it. */
export class ReadyMessage {
  readonly #draft: Draft;
  #prepared: Prepared | undefined;
  #preparedAt = -1;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  /**
   * The message with the directory of this moment. It is prepared again only if the directory has changed.
   * @throws ApiError if the message is invalid or not allowed
   */
  asOf(directory: Directory): Prepared {
    if (this.#prepared === undefined || this.#preparedAt !== directory.changedAt) {
      this.#prepared = prepareMessage(directory, this.#draft, Date.now());
      this.#preparedAt = directory.changedAt;
    }
    return this.#prepared;
  }

  /**
   * The same with the uploaded files as the sending transaction has locked them.
   * @throws ApiError if the message is invalid or not allowed
   */
  with(files: LinkableFiles, directory: Directory): Prepared {
    return prepareMessage(directory, { ...this.#draft, files }, Date.now());
  }

  /** The participants of the conversation, ascending; null for a channel message. */
  get participants(): readonly number[] | null {
    return this.#draft.conversation?.participants ?? null;
  }

  get namesFiles(): boolean {
    return filesNamedIn(this.#draft.content).length > 0;
  }

  /** The length of the HTML, as it was prepared last. */
  get renderedLength(): number {
    return this.#prepared?.message.row.rendered_content.length ?? 0;
  }

  get senderId(): number {
    return this.#draft.senderId;
  }

  get content(): string {
    return this.#draft.content;
  }
}
