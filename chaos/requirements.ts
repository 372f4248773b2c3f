import { execFileSync } from 'node:child_process';
import { noCaddy } from '@heddle/server/testing/services/caddy.ts';
import { postgresPrograms } from './processes/postgres-host.ts';

/** What the machine lacks for a run, as a sentence. Undefined if it lacks nothing. */
export function whatIsMissing(): string | undefined {
  if (process.platform !== 'linux') return 'A run needs Linux, because its hosts are network namespaces.';
  if (process.geteuid?.() !== 0) return 'A run needs root, because it makes network namespaces and mounts disks.';
  for (const program of ['ip', 'nsenter', 'mount'])
    if (!isInstalled(program)) return `The program ${program} is not installed.`;
  if (postgresPrograms() === undefined) return "PostgreSQL is not installed. The package is Debian's postgresql.";
  return noCaddy === false ? undefined : `A run needs a balancer, but ${noCaddy}.`;
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
