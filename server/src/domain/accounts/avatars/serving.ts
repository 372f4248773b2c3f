import { notFound } from '@heddle/api/errors.ts';
import type { Db } from '../../../db/schema.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { FileSource } from '../../../http/answers/answers.ts';
import { fileInMemory } from '../../../http/answers/file-sources.ts';
import { KeptPictures } from '../../../pictures/kept-pictures.ts';
import { drawPattern, patternNamed } from '../../../pictures/patterns.ts';

/** Serves uploaded pictures from the database, which all processes share, and generated patterns. */
export class AvatarFiles {
  readonly #db: Db;
  readonly #kept = new KeptPictures();

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * @param file `<user id>-<random>.png`, or `…-medium.png`. Other names cause no query.
   * @throws ApiError `NOT_FOUND`
   */
  async get({ id, directory }: Organization, organizationId: number, file: string): Promise<FileSource> {
    const [, userId, random, medium] = /^(\d{1,10})-([\da-f]{32})(-medium)?\.png$/.exec(file) ?? [];
    const user = directory.user(Number(userId));
    if (organizationId !== id || user?.avatarFile === undefined || user.avatarFile !== random) throw notFound();
    const size = medium === undefined ? 'picture' : 'medium';
    const key = `${id}/${user.id}/${user.avatarFile}/${user.avatarVersion}/${size}`;
    return this.#kept.get(key, () => this.#read(id, user.id, size));
  }

  /** @throws ApiError `NOT_FOUND` */
  async pattern(file: string): Promise<FileSource> {
    const named = patternNamed(file);
    if (named === undefined) throw notFound();
    return this.#kept.get(file, async () => fileInMemory(await drawPattern(named.number, named.size), 'image/png'));
  }

  async #read(organizationId: number, userId: number, size: 'picture' | 'medium'): Promise<FileSource> {
    const row = await this.#db
      .selectFrom('avatar_pictures')
      .select(size)
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    const bytes = row?.[size];
    if (bytes === undefined) throw notFound();
    return fileInMemory(bytes, 'image/png');
  }
}
