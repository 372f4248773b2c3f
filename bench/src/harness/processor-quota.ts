import { rmdirSync } from 'node:fs';
import { access, mkdir, rmdir, writeFile } from 'node:fs/promises';

/** Short, so that a process pauses often and briefly instead of for most of a tenth of a second. */
const PERIOD = 20_000;

/** Where version 1 of the control groups of Linux has its controller of processors, and where version 2 has everything. */
const [VERSION_1, VERSION_2] = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'];

const made = new Set<string>();

/**
 * Gives each process a quota of processor time, in cores, with a control group of its own. It needs Linux and root. The returned function
 * ends the quotas.
 */
export async function limitProcessor(pids: readonly number[], cores: number): Promise<() => Promise<void>> {
  const isVersion1 = await access(`${VERSION_1}/cgroup.procs`).then(
    () => true,
    () => false,
  );
  const root = isVersion1 ? VERSION_1 : VERSION_2;
  const quota = Math.round(cores * PERIOD);
  const groups = pids.map((pid) => ({ pid, path: `${root}/heddle-bench-${pid}` }));
  for (const { pid, path } of groups) {
    await mkdir(path);
    made.add(path);
    if (isVersion1) {
      await writeFile(`${path}/cpu.cfs_period_us`, String(PERIOD));
      await writeFile(`${path}/cpu.cfs_quota_us`, String(quota));
    } else await writeFile(`${path}/cpu.max`, `${quota} ${PERIOD}`);
    await writeFile(`${path}/cgroup.procs`, String(pid));
  }
  return async () => {
    for (const { pid, path } of groups) {
      // It may have ended.
      await writeFile(`${root}/cgroup.procs`, String(pid)).catch(() => undefined);
      await rmdir(path);
      made.delete(path);
    }
  };
}

/** Synchronous, for the exit of this process. The limited processes must have ended. */
export function removeAllQuotas(): void {
  for (const path of made) rmdirSync(path);
}
