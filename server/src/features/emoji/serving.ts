import { notFound } from '@heddle/api/errors.ts';
import type { Db } from '../../db/schema.ts';
import type { Organization } from '../../directory/organization.ts';
import type { EmojiRecord } from '../../directory/records.ts';
import type { FileSource } from '../../http/answers.ts';
import { fileInMemory } from '../../http/file-sources.ts';

/** What pictures that were asked for lately may weigh together, in bytes. */
const MOST_KEPT = 8 * 1024 * 1024;

/**
 * Pictures of custom emoji, from the database, where every process finds them. Those that are asked for are kept for a while: a page of
 * messages asks for many. Nobody reaches the database with a name that no emoji has.
 */
export class EmojiPictureFiles {
  readonly #db: Db;
  /** The one that nobody has asked for for longest first. */
  readonly #kept = new Map<string, FileSource>();
  #weight = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * @param named what the address says: the organization, and the file with its extension
   * @throws ApiError `NOT_FOUND`
   */
  async get(
    { id, directory }: Organization,
    named: { readonly organizationId: number; readonly file: string },
    form: 'picture' | 'still',
  ): Promise<FileSource> {
    const [file = '', extension] = named.file.split('.', 2);
    const emoji = directory.emoji.byFile(file);
    if (named.organizationId !== id || emoji === undefined || extension !== extensionOf(emoji, form)) throw notFound();
    const key = `${id}/${emoji.id}/${form}`;
    const source = this.#kept.get(key) ?? (await this.#read(id, emoji, form));
    this.#keep(key, source);
    return source;
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

  #keep(key: string, source: FileSource): void {
    if (this.#kept.delete(key)) this.#weight -= source.size;
    this.#kept.set(key, source);
    this.#weight += source.size;
    for (const [oldest, { size }] of this.#kept) {
      if (this.#weight <= MOST_KEPT) break;
      this.#kept.delete(oldest);
      this.#weight -= size;
    }
  }
}

/** Undefined where there is no such picture. */
function extensionOf({ extension, isAnimated }: EmojiRecord, form: 'picture' | 'still'): string | undefined {
  if (form === 'picture') return extension;
  return isAnimated ? 'png' : undefined;
}
