/** What this browser keeps of an account: its entries of the local storage, and what a logout must save before it deletes them. */

/** Entries of the local storage that belong to an account begin with this and its id. */
export function accountKey(userId: number, name: string): string {
  return `heddle-${userId}-${name}`;
}

/** Removes all entries of an account. */
export function forgetLocal(userId: number): void {
  try {
    const prefix = accountKey(userId, '');
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to forget.
  }
}

/** Sends what the user typed to the server. Resolves with whether the server has all of it. */
type Saving = () => Promise<boolean>;

const savings: Saving[] = [];

/** Registers what a logout would delete. */
export function saveBeforeLogOut(saving: Saving): void {
  savings.push(saving);
}

/** Saves everything that is registered. Resolves with whether the server has all of it. */
export async function saveAll(): Promise<boolean> {
  const saved = await Promise.all(savings.map((save) => save()));
  return !saved.includes(false);
}
