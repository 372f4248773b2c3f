/** Texts of the reference server: the same Markdown, with the ids and addresses of this organization. */
import type { References } from '../conversion/neutral.ts';

/** @param groupKey the key of the group with this name */
export function markdownOf(
  text: string,
  references: References,
  groupKey: (name: string) => string | undefined,
): string {
  return text
    .replaceAll(/@(_?)\*\*([^*|\n]+)\|(\d+)\*\*/g, (whole, silent: string, _name: string, id: string) => {
      return references.mention(id, silent === '_') ?? whole;
    })
    .replaceAll(/@(_?)\*([^*\n]{1,200})\*(?!\*)/g, (whole, silent: string, name: string) => {
      const key = groupKey(name);
      return (key && references.groupMention(key, silent === '_')) ?? whole;
    })
    .replaceAll(/(?:https?:\/\/[\w.:-]+)?\/?#narrow\/[\w%./@~:,+-]*\/(?:near|with)\/(\d+)/g, (whole, id: string) => {
      return references.message(id) ?? whole;
    })
    .replaceAll(
      /\/?user_uploads\/(\d+\/[^\s()[\]<>"'`\\?#]{1,1000})/g,
      (whole, path: string) => references.file(path) ?? whole,
    );
}
