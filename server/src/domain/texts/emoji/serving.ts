import { notFound } from '@heddle/api/errors.ts';
import type { Db } from '../../../db/schema.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { FileSource } from '../../../http/answers/answers.ts';
import { fileInMemory } from '../../../http/answers/file-sources.ts';
import { KeptPictures } from '../../../pictures/kept-pictures.ts';
import { type EmojiRecord, emojiPart } from './custom-emoji.ts';

/**
 * Pictures of custom emoji from the database, which all processes share. A cache keeps requested pictures for a while,
 * since a page of messages requests many. A name without an emoji never causes a query.
 */
export class EmojiPictureFiles {
  readonly #db: Db;
  readonly #kept = new KeptPictures();

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * @param named the parts of the path: the organization, and the file with its extension
   * @throws ApiError `NOT_FOUND`
   */
  async get(
    { id, directory }: Organization,
    named: { readonly organizationId: number; readonly file: string },
    form: 'picture' | 'still',
  ): Promise<FileSource> {
    const [file = '', extension] = named.file.split('.', 2);
    const emoji = directory.part(emojiPart).byFile(file);
    if (named.organizationId !== id || emoji === undefined || extension !== extensionOf(emoji, form)) throw notFound();
    const key = `${id}/${emoji.id}/${form}`;
    return this.#kept.get(key, () => this.#read(id, emoji, form));
  }

  async #read(organizationId: number, emoji: EmojiRecord, form: 'picture' | 'still'): Promise<FileSource> {
    const row = await this.#db
      .selectFrom('custom_emoji_pictures')
      .select(form)
      .where('organization_id', '=', organizationId)
      .where('emoji_id', '=', emoji.id)
      .executeTakeFirst();
    const bytes = row?.[form];
    if (bytes === undefined || bytes === null) throw notFound();
    return fileInMemory(bytes, `image/${extensionOf(emoji, form)}`);
  }
}

/** Undefined if there is no such picture. */
function extensionOf({ extension, isAnimated }: EmojiRecord, form: 'picture' | 'still'): string | undefined {
  if (form === 'picture') return extension;
  return isAnimated ? 'png' : undefined;
}
