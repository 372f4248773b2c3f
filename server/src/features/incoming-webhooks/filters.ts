/** Whether the filters of the URL let the event through. `exclude` prevails. */
export function isWanted(
  event: string,
  only: readonly string[] | undefined,
  exclude: readonly string[] | undefined,
): boolean {
  const fits = (pattern: string) => matches(event, pattern);
  return (only === undefined || only.length === 0 || only.some(fits)) && !(exclude?.some(fits) ?? false);
}

/**
 * Whether the text fits the pattern, in which `*` stands for any characters. It goes back to the last `*` only, so its time grows with the
 * product of the lengths at most.
 */
function matches(text: string, pattern: string): boolean {
  let [at, inPattern, star, afterStar] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++;
      afterStar = at;
    } else if (pattern[inPattern] === text[at]) {
      at++;
      inPattern++;
    } else if (star >= 0) {
      inPattern = star + 1;
      at = ++afterStar;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}

/** Whether pushes to this branch, and builds of it, cause a message. */
export function isWantedBranch(branch: string, branches: string | undefined): boolean {
  if (branches === undefined || branches.trim() === '') return true;
  return branches.split(',').some((one) => one.trim() === branch);
}
