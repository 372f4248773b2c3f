import { historyReads } from '../../measures.ts';

/** Who served the reads that a standby may serve, each as `standby` or as the reason of the primary, while `act` ran. */
export async function servedBy(act: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await counts();
  await act();
  const after = await counts();
  return [...after].flatMap(([by, count]) => Array<string>(count - (before.get(by) ?? 0)).fill(by));
}

async function counts(): Promise<ReadonlyMap<string, number>> {
  const { values } = await historyReads.get();
  const labeled = values.map(({ labels: { source, reason }, value }) => {
    return [source === 'standby' ? 'standby' : String(reason), value] as const;
  });
  return new Map(labeled);
}
